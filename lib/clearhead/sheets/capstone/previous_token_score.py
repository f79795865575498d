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
            "Token 1 gives 0.75 to token 0, and token 2 gives 0.25 to token 1, so the mean is 0.5.",
            expected=0.5,
        ),
        Case(
            "a head that always attends to the previous token",
            (perfect,),
            "All the weight is on the previous token, so the score is 1.",
            expected=1.0,
        ),
        Case(
            f"{small} tokens, with a causal mask",
            (random_weights(rng, small),),
            "Token 0 has no previous token, so the entries are A[t, t - 1] for t from 1 on.",
        ),
        Case(
            f"{large} tokens, without a mask",
            (random_weights(rng, large, False),),
            "Row t holds the weights that token t gives, and its previous token is in column t - 1.",
        ),
        Case("two tokens", (random_weights(rng, 2),), "There is only one entry to take, A[1, 0]."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
