"""Cases of 16.gated_feed_forward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, D, F = different_sizes(rng, 3, 3, 8)
    x, gate, up, down = (rng.normal(size=size) for size in ((T, D), (D, F), (D, F), (F, D)))
    return [
        Case(
            "a gate of 0 and a gate of 30, by hand",
            (np.array([[1.0]]), np.array([[0.0, 30]]), np.array([[5.0, 2]]), np.array([[1.0], [1]])),
            "silu(0) is 0 and silu(30) is 30, so the result is 0 · 5 + 30 · 2 = 60.",
            expected=np.array([[60.0]]),
        ),
        Case("random sizes", (x, gate, up, down), "Only one of the two branches goes through silu."),
        Case(
            "tokens multiplied by 4",
            (4 * x, gate, up, down),
            "The two branches are multiplied entry by entry.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
