"""Cases of 13.num_patches."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import number_or_refusal

REFUSED = "a ValueError is raised"


def cases(rng):
    P, r, c = int(rng.integers(3, 9)), *(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    look = "Count how many patches fit beside each other, and how many fit below each other."
    return [
        Case("4 by 6 pixels, patches of 2", (4, 6, 2), "There are two rows of three patches.", expected=6),
        Case(
            "ViT-B/16 at 224 pixels",
            (224, 224, 16),
            "224 / 16 is 14, so there are 14 rows of 14 patches.",
            expected=196,
        ),
        Case(
            "ViT-H/14 at 224 pixels",
            (224, 224, 14),
            "224 / 14 is 16, so there are 16 rows of 16 patches.",
            expected=256,
        ),
        Case("random sizes", (r * P, c * P, P), look),
        Case("other sizes", (c * P, (r + 1) * P, P), look),
        Case(
            "a height that is not a multiple of the patch size",
            (r * P + 1, c * P, P),
            "The height is not a multiple of P, so raise a ValueError.",
            expected=REFUSED,
        ),
        Case(
            "a width that is not a multiple of the patch size",
            (r * P, c * P + 2, P),
            "The width is not a multiple of P, so raise a ValueError.",
            expected=REFUSED,
        ),
        Case(
            "an image shorter than a patch",
            (2, 8, 4),
            "The image has as many pixels as a patch but is lower than one, so raise a ValueError.",
            expected=REFUSED,
        ),
        Case(
            "two sides that are not multiples of the patch size",
            (6, 10, 4),
            "Neither side is a multiple of P, so raise a ValueError.",
            expected=REFUSED,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=number_or_refusal, ids=True)
