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
        "every number of the image is there once",
        lambda out, image, P: np.allclose(np.sort(np.ravel(out)), np.sort(image.ravel())),
    )
    hand = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    look = "Which pixels stand in the first patch, and in which order?"
    return [
        Case(
            "4 by 6 pixels, by hand",
            (np.arange(24.0).reshape(4, 6, 1), 2),
            "The first patch is 0, 1, 6, 7: a square, read row by row. The second stands to its right.",
            expected=np.array(hand, dtype=float),
        ),
        Case("grey", (grey, P), look, properties=(all_pixels,)),
        Case("grey, higher than wide", (grey.reshape(3 * P, 2 * P, 1), P), look, properties=(all_pixels,)),
        Case("with channels", (image, P), "The channels of a pixel stay together, innermost.",
             properties=(all_pixels,)),
        Case("one patch", (rng.normal(size=(4, 4, channels)), 4), "One row: the whole image."),
        Case("rows that do not fit", (np.ones((5, 8, 4)), 2), "Raise a ValueError.", expected=REFUSED),
        Case("columns that do not fit", (np.ones((8, 5, 4)), 2), "Raise a ValueError.", expected=REFUSED),
        Case("an image lower than a patch", (np.ones((2, 8, 1)), 4), "Raise a ValueError.",
             expected=REFUSED),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases, driver=patches_or_refusal)
