"""Cases of 05.qkv."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import tokens_and_weights

_X, _W_Q, _W_K, _W_V = (
    np.array(rows, dtype=float)
    for rows in (
        [[1, 0, 2], [0, 1, 0]],
        [[1, 0, 0, 1], [0, 2, 1, 0], [0, 0, 1, 0]],
        [[0, 1, 0, 0], [1, 0, 0, 3], [0, 0, 0, 1]],
        [[5], [7], [1]],
    )
)


def cases(rng):
    by_hand = [
        np.array([[1, 0, 2, 1], [0, 2, 1, 0]]),
        np.array([[0, 1, 0, 2], [1, 0, 0, 3]]),
        np.array([[7], [7]]),
    ]
    X, *weights = tokens_and_weights(rng)
    return [
        Case(
            "two tokens, by hand",
            (_X, _W_Q, _W_K, _W_V),
            "The first query is 1 times the first row of W_q, plus 2 times its third row: (1, 0, 2, 1).",
            expected=by_hand,
        ),
        Case(
            "random tokens",
            tokens_and_weights(rng),
            "Compare the three shapes with (T, d), (T, d) and (T, e).",
        ),
        Case(
            "tokens with integer entries",
            (np.round(3 * X).astype(int), *weights),
            "The tokens are integers here, but the weights have decimals, and so have the queries, "
            "keys and values.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
