"""Cases of 15.induction_score."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .shared import random_weights


def cases(rng):
    small, large = different_sizes(rng, 2, 3, 6)
    by_hand = np.array(
        [
            [1.0, 0, 0, 0, 0],
            [0.5, 0.5, 0, 0, 0],
            [0.25, 0.5, 0.25, 0, 0],
            [0.125, 0.625, 0, 0.25, 0],
            [0.25, 0.25, 0.375, 0, 0.125],
        ]
    )
    return [
        Case(
            "five tokens, period 3, by hand",
            (by_hand, 3),
            "In A B C A B token 3 should look at 1 and token 4 at 2: 0.625 and 0.375, so 0.5.",
            expected=0.5,
        ),
        Case(f"period {small}", (random_weights(rng, 2 * small + 1), small), "From t, look at t - p + 1."),
        Case(
            f"period {large}, no mask",
            (random_weights(rng, 3 * large, False), large),
            "Tokens of the first period have nothing to repeat: begin with t = p.",
        ),
        Case(
            "a text just one longer than its period",
            (random_weights(rng, 8), 7),
            "Only t = 7 counts: A[7, 1].",
        ),
        Case(
            "period 2", (random_weights(rng, 7), 2), "With p = 2 a token looks at the one just before: t - 1."
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
