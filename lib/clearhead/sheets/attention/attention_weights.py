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
            "The dot products of the first query are 0, 2 and 4. Divided by √4, they are 0, 1 and 2.",
            expected=by_hand,
            properties=(sums_to_one,),
        ),
        Case(
            "random queries and keys",
            (Q, K),
            "Each row of the result belongs to one query.",
            properties=(sums_to_one,),
        ),
        Case(
            "vectors with 300 entries",
            (rng.normal(size=(3, 300)), rng.normal(size=(5, 300))),
            "The scores are divided by √d, and d is 300 here.",
        ),
        Case(
            "scores in the thousands, by hand",
            (
                np.array([[2048.0, 2, 0, 0], [-1400, 0, 0, 0]]),
                np.array([[2.0, 0, 1, 0], [-1, 0, 0, 0], [2, 1, 0, 0]]),
            ),
            "The scaled scores of the first query are 2048, −1024 and 2049. Subtract the largest "
            "score of each row before the exponential, as in chapter 4.",
            expected=np.array([[1 / (1 + np.e), 0, np.e / (1 + np.e)], [0, 1, 0]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
