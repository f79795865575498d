"""Cases of 13.patchify."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import patches_or_refusal
from .shared import sizes

REFUSED = "a ValueError is raised"


def cases(rng):
    P, r, c, channels = sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey = rng.normal(size=(2 * P, 3 * P, 1))
    all_pixels = (
        "the patches hold each entry of the image exactly once",
        lambda out, image, P: np.allclose(np.sort(np.ravel(out)), np.sort(image.ravel())),
    )
    hand = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    look = "The first patch is in the upper left corner of the image, and its pixels are in reading order."
    return [
        Case(
            "4 by 6 pixels, by hand",
            (np.arange(24.0).reshape(4, 6, 1), 2),
            "The first patch is 0, 1, 6, 7, which is a square read row by row. The second patch is to "
            "its right.",
            expected=np.array(hand, dtype=float),
        ),
        Case("a grey image", (grey, P), look, properties=(all_pixels,)),
        Case(
            "a grey image that is taller than it is wide",
            (grey.reshape(3 * P, 2 * P, 1), P),
            look,
            properties=(all_pixels,),
        ),
        Case(
            "an image with several channels",
            (image, P),
            "The channels of a pixel stay together, as the last axis.",
            properties=(all_pixels,),
        ),
        Case(
            "an image that is one patch",
            (rng.normal(size=(4, 4, channels)), 4),
            "The whole image is one patch, so the result has one row.",
        ),
        Case(
            "a height that is not a multiple of the patch size",
            (np.ones((5, 8, 4)), 2),
            "The height is not a multiple of P, so raise a ValueError.",
            expected=REFUSED,
        ),
        Case(
            "a width that is not a multiple of the patch size",
            (np.ones((8, 5, 4)), 2),
            "The width is not a multiple of P, so raise a ValueError.",
            expected=REFUSED,
        ),
        Case(
            "an image shorter than a patch",
            (np.ones((2, 8, 1)), 4),
            "The image has as many pixels as a patch but is shorter than one, so raise a ValueError.",
            expected=REFUSED,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=patches_or_refusal)
