"""One clear sentence for numbers and shapes that no table can compare."""

import math
from numbers import Integral


def check_repeated(gradient, shape):
    """Raise where an array of this shape cannot have been repeated to the shape of the gradient."""
    front = len(gradient.shape) - len(shape)
    sizes = zip(shape, gradient.shape[max(front, 0) :], strict=False)
    if front < 0 or any(size not in (1, many) for size, many in sizes):
        raise ValueError(
            f"A gradient {tuple(gradient.shape)} cannot belong to an array {tuple(shape)}: "
            "axes may only be added in front, or grow from 1."
        )


def check_whole(least, **numbers):
    """Raise where a number is not whole, or below the least that makes sense."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool):
            raise TypeError(f"{name} must be a whole number, got {number!r}.")
        if number < least:
            raise ValueError(f"{name} must be at least {least}, got {number}.")


def check_image(shape, size):
    """Raise where images (..., R, C, c) are not of the size (R, C) that a table of positions is for."""
    if len(shape) < 3 or tuple(shape[-3:-1]) != tuple(size):
        raise ValueError(
            f"images is {tuple(shape)}, but the positions are those of images (..., {size[0]}, {size[1]}, "
            "channels): bring the images to this size."
        )


def check_patches(shape, num_patches, patch_size):
    """Raise where images have as many patches as a table of positions, but in another arrangement.

    A table for k² patches is that of a square image, as in all published models. A table for another number
    of patches does not tell its arrangement.
    """
    side = math.isqrt(num_patches) * patch_size
    if (side // patch_size) ** 2 == num_patches:
        check_image(shape, (side, side))


def check_divides(**numbers):
    """Raise where the second number does not divide the first: check_divides(d_model=6, num_heads=4)."""
    check_whole(1, **numbers)
    (whole, size), (part, count) = numbers.items()
    if size % count:
        raise ValueError(f"{whole} must be a multiple of {part}, got {whole} {size} and {part} {count}.")
