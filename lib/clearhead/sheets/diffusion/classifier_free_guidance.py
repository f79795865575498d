"""Cases of 20.classifier_free_guidance."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    N, d = different_sizes(rng, 2, 3, 8)
    one, other = 2 * rng.normal(size=(N, d)), 2 * rng.normal(size=(N, d))
    return [
        Case(
            "one pixel, worked by hand",
            (np.array([[0.5]]), np.array([[0.2]]), 2.0),
            "0.2 + 2 · 0.3 = 0.8.",
            expected=np.array([[0.8]]),
        ),
        Case(
            "a guidance of 0",
            (one[:2], other[:2], 0.0),
            "A guidance of 0 ignores the class.",
            expected=other[:2],
        ),
        Case(
            "a guidance of 1",
            (one[:, :2], other[:, :2], 1.0),
            "A guidance of 1 returns the conditional answer.",
            expected=one[:, :2],
        ),
        Case(
            "random images and a strong guidance",
            (one, other, float(rng.uniform(2.5, 6))),
            "The result lies on the line through both answers, beyond the conditional one.",
            2,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
