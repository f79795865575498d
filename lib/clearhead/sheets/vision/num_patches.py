"""Cases of 13.num_patches."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import number_or_refusal

REFUSED = "a ValueError is raised"


def cases(rng):
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


EXERCISE = exercise_from_text(__file__, cases, driver=number_or_refusal, ids=True)
