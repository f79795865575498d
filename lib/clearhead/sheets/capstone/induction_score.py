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
            "In A B C A B, token 3 should attend to token 1 and token 4 to token 2. These weights are "
            "0.625 and 0.375, so the score is 0.5.",
            expected=0.5,
        ),
        Case(
            f"period {small}",
            (random_weights(rng, 2 * small + 1), small),
            "Token t should attend to token t - period + 1.",
        ),
        Case(
            f"period {large}, without a mask",
            (random_weights(rng, 3 * large, False), large),
            "The tokens of the first period have no previous occurrence, so begin with t = period.",
        ),
        Case(
            "a text that is one token longer than its period",
            (random_weights(rng, 8), 7),
            "Only t = 7 counts, so the score is A[7, 1].",
        ),
        Case(
            "period 2",
            (random_weights(rng, 7), 2),
            "With a period of 2, a token should attend to the one just before it, t - 1.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
