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
            "a closed gate and an open one, by hand",
            (np.array([[1.0]]), np.array([[0.0, 30]]), np.array([[5.0, 2]]), np.array([[1.0], [1]])),
            "silu(0) = 0 lets nothing pass, and silu(30) is 30: 0 · 5 + 30 · 2 = 60.",
            expected=np.array([[60.0]]),
        ),
        Case("random sizes", (x, gate, up, down), "silu is on one of the two branches only."),
        Case(
            "four times the input", (4 * x, gate, up, down), "Two branches are multiplied, number by number."
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
