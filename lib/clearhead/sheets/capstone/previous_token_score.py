"""Cases of 15.previous_token_score."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .shared import random_weights


def cases(rng):
    small, large = different_sizes(rng, 2, 4, 10)
    by_hand = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.5, 0.25, 0.25]])
    perfect = np.eye(6, k=-1)
    perfect[0, 0] = 1
    return [
        Case(
            "three tokens, by hand",
            (by_hand,),
            "Token 1 gives 0.75 to token 0, token 2 gives 0.25 to token 1. Their mean is 0.5.",
            expected=0.5,
        ),
        Case("a head that always looks one back", (perfect,), "This head has the score 1.", expected=1.0),
        Case(
            f"{small} tokens, causal", (random_weights(rng, small),), "Which entries A[t, t - 1] are there?"
        ),
        Case(
            f"{large} tokens, no mask", (random_weights(rng, large, False),), "Rows are the tokens that look."
        ),
        Case("two tokens", (random_weights(rng, 2),), "There is one entry to look at: A[1, 0]."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
