"""One clear sentence for a number that makes no sense, alone or beside another number."""

import math
from numbers import Integral, Real


def check_whole(least, **numbers):
    """Raise where a number is not whole, or below the least that makes sense."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool):
            raise TypeError(f"{name} must be a whole number, got {number!r}.")
        if number < least:
            raise ValueError(f"{name} must be at least {least}, got {number}.")


def check_divides(**numbers):
    """Raise where the second number does not divide the first: check_divides(d_model=6, num_heads=4)."""
    check_whole(1, **numbers)
    (whole, size), (part, count) = numbers.items()
    if size % count:
        raise ValueError(f"{whole} must be a multiple of {part}, got {whole} {size} and {part} {count}.")


def check_temperature(temperature):
    """Raise where a temperature is not a number of at least 0."""
    if not isinstance(temperature, Real):
        raise TypeError(f"temperature must be one number, got {type(temperature).__name__}.")
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature must be 0 or above and finite, got {temperature}.")


def check_windows(length, width):
    """Raise where a window is wider than what it slides over."""
    if length < width:
        raise ValueError(f"A window of {width} does not fit into {length} tokens: pad the tokens first.")


def check_patches(height, width, patch_size, patches=None):
    """Raise where patches do not fill an image, or do not have the shape (..., R/P·C/P, P·P·c)."""
    check_whole(1, patch_size=patch_size)
    if height % patch_size or width % patch_size:
        raise ValueError(f"Patches of {patch_size} × {patch_size} do not fill {height} × {width} pixels.")
    count = (height // patch_size) * (width // patch_size)
    if patches is not None and (patches[-2] != count or patches[-1] % patch_size**2):
        raise ValueError(
            f"An image of {height} × {width} has {count} patches of a multiple of {patch_size**2} numbers, "
            f"got patches {tuple(patches)}."
        )
