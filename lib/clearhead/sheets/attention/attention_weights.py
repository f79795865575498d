"""Cases of 05.attention_weights."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    d, T, S = sizes(rng, 3)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    tiny_Q = np.array([[1.0, 1, 0, 0], [0, 0, 0, 0]])
    tiny_K = np.array([[0.0, 0, 5, 0], [2, 0, 0, 1], [1, 3, 0, 0]])
    by_hand = np.array([np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum(), [1 / 3, 1 / 3, 1 / 3]])
    sums_to_one = ("each row sums to 1", lambda A, Q, K: np.allclose(np.sum(A, axis=-1), 1))
    return [
        Case(
            "two queries, three keys, by hand",
            (tiny_Q, tiny_K),
            "The raw scores of the first query are 0, 2 and 4. Divided by √4 they are 0, 1 and 2.",
            expected=by_hand,
            properties=(sums_to_one,),
        ),
        Case("random queries and keys", (Q, K), "Each row belongs to one query.", properties=(sums_to_one,)),
        Case(
            "vectors of 300 numbers",
            (rng.normal(size=(3, 300)), rng.normal(size=(5, 300))),
            "Look at the scale, √d.",
        ),
        Case(
            "scores of thousands, by hand",
            (
                np.array([[2048.0, 2, 0, 0], [-1400, 0, 0, 0]]),
                np.array([[2.0, 0, 1, 0], [-1, 0, 0, 0], [2, 1, 0, 0]]),
            ),
            "The scaled scores of the first query are 2048, −1024 and 2049. Does softmax survive them? "
            "Chapter 4 shifts them.",
            expected=np.array([[1 / (1 + np.e), 0, np.e / (1 + np.e)], [0, 1, 0]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
