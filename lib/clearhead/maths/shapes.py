"""Checks of numbers and shapes that a table in a docstring cannot express."""

import math
from numbers import Integral


def check_repeated(gradient, shape):
    """Raise an error if an array of this shape cannot have been broadcast to the shape of the gradient."""
    front = len(gradient.shape) - len(shape)
    sizes = zip(shape, gradient.shape[max(front, 0) :], strict=False)
    if front < 0 or any(size not in (1, many) for size, many in sizes):
        raise ValueError(
            f"A gradient {tuple(gradient.shape)} cannot belong to an array {tuple(shape)}: "
            "axes may only be added in front, or grow from 1."
        )


def check_whole(least, **numbers):
    """Raise an error if a number is not an integer, or is below the smallest that makes sense."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool):
            raise TypeError(f"{name} must be an integer, got {number!r}.")
        if number < least:
            raise ValueError(f"{name} must be at least {least}, got {number}.")


def check_image(shape, size, channels=None):
    """Raise an error if images (..., R, C, c) do not have the size (R, C) of a table of positions.

    Where `channels` is given, they must have as many channels c.
    """
    if len(shape) < 3 or tuple(shape[-3:-1]) != tuple(size):
        raise ValueError(
            f"images is {tuple(shape)}, but the positions are those of images (..., {size[0]}, {size[1]}, "
            "channels): bring the images to this size."
        )
    if channels is not None and shape[-1] != channels:
        raise ValueError(
            f"images is {tuple(shape)}, with channels last, but the patches were made for images "
            f"(..., {size[0]}, {size[1]}, {channels})."
        )


def check_patches(shape, num_patches, patch_size):
    """Raise an error if images have as many patches as a table of positions, but in another arrangement.

    A table for k² patches is that of a square image, as in all published models. A table for another number
    of patches does not tell its arrangement.
    """
    side = math.isqrt(num_patches) * patch_size
    if (side // patch_size) ** 2 == num_patches:
        check_image(shape, (side, side))


def check_divides(**numbers):
    """Raise an error if the second of two numbers does not divide the first one."""
    check_whole(1, **numbers)
    (whole, size), (part, count) = numbers.items()
    if size % count:
        raise ValueError(f"{whole} must be a multiple of {part}, got {whole} {size} and {part} {count}.")
