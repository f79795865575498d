"""Cases of 19.min_p."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    sure, unsure = np.log([0.9, 0.06, 0.03, 0.01]), np.log([0.3, 0.3, 0.25, 0.15])
    between, z = np.log([0.5, 0.3, 0.14, 0.06]), 3 * rng.normal(size=(4, 9))
    return [
        Case(
            "sure of itself, by hand",
            (sure, 0.1),
            "0.9 · 0.1 is 0.09: one word stays.",
            expected=np.array([sure[0], *3 * [-np.inf]]),
        ),
        Case("unsure, by hand", (unsure, 0.1), "0.3 · 0.1 is 0.03: all stay.", expected=unsure),
        Case(
            "between, by hand",
            (between, 0.2),
            "0.5 · 0.2 is 0.1: 0.06 is below it.",
            expected=np.array([*between[:3], -np.inf]),
        ),
        Case("a row shifted", (sure + 7, 0.05), "Softmax does not see a shift, and min-p must not either."),
        Case(
            "large logits", (sure + 900, 0.05), "e to the 900 overflows: softmax takes the largest off first."
        ),
        Case("several rows", (z, 0.2), "Each row has its own likeliest word."),
        Case("many words", (4 * rng.normal(size=(2, 40)), 0.02), "The sum of the others does not count."),
        Case("keep all", (z, 0.0), "A share of 0 keeps everything."),
        Case("keep the best", (z, 1.0), "A share of 1 keeps the likeliest alone."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
