"""13.num_patches: How many patches?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import number_or_refusal
from .num_patches_wrong import MORE


def num_patches(height, width, P):
    """Return how many patches of P × P fill an image; ValueError where they do not fill it."""
    if height % P or width % P:
        raise ValueError(f"Patches of {P} do not fill {height} × {width} pixels.")
    return (height // P) * (width // P)


def _checked(count):
    """Return an answer that refuses bad sizes and counts in a way of its own."""
    return lambda height, width, P: num_patches(height, width, P) and count(height, width, P)


def _by_area(height, width, P):
    if height * width % P**2:
        raise ValueError("these are not whole patches")
    return height * width // P**2


REFUSED = "a ValueError is raised"


def _number_cases(rng):
    P, r, c = int(rng.integers(3, 9)), *(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    look = "How many fit side by side, and how many below each other?"
    return [
        Case("4 by 6 pixels, patches of 2", (4, 6, 2), "Two rows of three patches.", expected=6),
        Case("ViT-B/16 at 224 pixels", (224, 224, 16), "224 / 16 = 14 in a row.", expected=196),
        Case("ViT-H/14 at 224 pixels", (224, 224, 14), "224 / 14 = 16 in a row.", expected=256),
        Case("random sizes", (r * P, c * P, P), look),
        Case("other sizes", (c * P, (r + 1) * P, P), look),
        Case("a height that does not fit", (r * P + 1, c * P, P), "Raise ValueError.", expected=REFUSED),
        Case("a width that does not fit", (r * P, c * P + 2, P), "Raise ValueError.", expected=REFUSED),
        Case("an image lower than a patch", (2, 8, 4), "As many pixels as one patch, but in another form.",
             expected=REFUSED),
        Case("neither side fits", (6, 10, 4), "Test each side by itself.", expected=REFUSED),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.num_patches",
    title="How many patches?",
    reference=num_patches,
    cases=_number_cases,
    hints=(
        "Count the patches in one row, count the rows. And when does a patch stick out of the image?",
        "height // P rows and width // P columns. A remainder, height % P or width % P, means: refuse.",
        "if height % P or width % P: raise ValueError('...'). Otherwise return (height // P) * (width // P).",
    ),
    mistakes=(
        Mistake(
            "patch_size_taken_for_grid",
            _checked(lambda height, width, P: P * P),
            "P is the side of a patch in pixels, not the number of patches in a row. Divide by it.",
        ),
        Mistake(
            "one_too_many",
            _checked(lambda height, width, P: (height // P) * (width // P) + 1),
            "You counted one too many. The class token is a token, but no patch.",
        ),
        Mistake(
            "one_side_only",
            _checked(lambda height, width, P: height // P),
            "You counted the rows of patches. Each row has width // P patches: multiply.",
        ),
        Mistake(
            "pixels_of_a_row_only",
            _checked(lambda height, width, P: height * width // P),
            "You divided by P once. A patch has P · P pixels.",
        ),
        Mistake(
            "square_assumed",
            _checked(lambda height, width, P: (height // P) ** 2),
            "You used the height twice. An image need not be square.",
        ),
        Mistake(
            "remainder_dropped",
            lambda height, width, P: (height // P) * (width // P),
            "Where patches do not fill the image you return a number all the same. Raise a ValueError.",
        ),
        Mistake(
            "width_never_checked",
            lambda height, width, P: num_patches(height, width - width % P, P),
            "You refuse a height that does not fit, but not a width.",
        ),
        Mistake(
            "area_only",
            _by_area,
            "You tested the number of pixels alone. 2 × 8 pixels are as many as a patch of 4 × 4 has, and no "
            "such patch fits. Test height and width, each by itself.",
        ),
        Mistake(
            "sides_added",
            _checked(lambda height, width, P: height // P + width // P),
            "You added the two sides. Each row has width // P patches: multiply.",
        ),
        Mistake(
            "rounded_up",
            lambda height, width, P: -(-height // P) * -(-width // P),
            "Where patches do not fill the image you counted those that stick out, too. Raise a ValueError.",
        ),
        Mistake(
            "a_float_comes_back",
            _checked(lambda height, width, P: height * width / P**2),
            "The number is right, but a float: it cannot be a size. Divide with //.",
        ),
        Mistake(
            "patches_that_overlap",
            lambda height, width, P: (num_patches(height, width, P), (height - P + 1) * (width - P + 1))[1],
            "Your patches overlap: you counted every place where one fits. They stand side by side.",
        ),
        Mistake(
            "zero_in_place_of_a_refusal",
            lambda height, width, P: 0 if height % P or width % P else num_patches(height, width, P),
            "Where the patches do not fill the image you return 0. Raise a ValueError.",
        ),
        *MORE,
    ),
    alternatives=(_checked(lambda height, width, P: height * width // P**2),),
    stars=1,
    minutes=5,
    ids=True,
    driver=number_or_refusal,
)
