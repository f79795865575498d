"""Cases of 16.top_k_gates."""

import numpy as np

from clearhead.checks.exercise import Case, OneOf
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, E = different_sizes(rng, 2, 5, 11)
    k = int(rng.integers(2, 4))
    scores = rng.normal(size=(T, E)) * 2
    few = ("each token has exactly k experts", lambda gates, scores, k: ((gates > 0).sum(axis=-1) == k).all())
    one = ("the gates of a token sum to 1", lambda gates, scores, k: np.allclose(gates.sum(axis=-1), 1))
    return [
        Case(
            "two experts out of three, by hand",
            (np.log([[1.0, 3, 6]]), 2),
            "The exponentials of the two largest scores are 3 and 6, so the gates are 3/9 and 6/9.",
            expected=np.array([[0, 1 / 3, 2 / 3]]),
        ),
        Case(
            "random sizes",
            (scores, k),
            "Choose the experts first, then apply the softmax to their scores.",
            properties=(few, one),
        ),
        Case(
            "one expert", (scores, 1), "The only expert of each token gets the gate 1.", properties=(few, one)
        ),
        Case(
            "all experts",
            (scores, E),
            "All experts are chosen, so the gates are the softmax of all the scores.",
            properties=(few, one),
        ),
        Case(
            "only negative scores",
            (scores - 30, k),
            "All scores are negative here, so a score of 0 would be the largest one.",
            properties=(few, one),
        ),
        Case(
            "two experts with equal scores",
            (np.log([[2.0, 5, 2]]), 2),
            "Only one of the two experts with equal scores is chosen, because k is 2.",
            expected=OneOf((np.array([[2, 5, 0]]) / 7, np.array([[0, 5, 2]]) / 7)),
            properties=(few, one),
        ),
        Case(
            "scores in the thousands",
            (scores + 3000, k),
            "The exponentials of such scores overflow, so the softmax must subtract the largest score first.",
            properties=(few, one),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
