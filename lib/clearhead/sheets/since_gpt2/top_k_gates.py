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
            "two of three, by hand",
            (np.log([[1.0, 3, 6]]), 2),
            "The best two are 3 and 6: their gates are 3/9 and 6/9.",
            expected=np.array([[0, 1 / 3, 2 / 3]]),
        ),
        Case(
            "random sizes", (scores, k), "Choose, then softmax over what was chosen.", properties=(few, one)
        ),
        Case("one expert", (scores, 1), "The best one gets 1.", properties=(few, one)),
        Case("all experts", (scores, E), "That is the softmax itself.", properties=(few, one)),
        Case(
            "all scores below zero",
            (scores - 30, k),
            "A 0 in the place of a score is a high score here.",
            properties=(few, one),
        ),
        Case(
            "two experts with equal scores",
            (np.log([[2.0, 5, 2]]), 2),
            "Two of the three are chosen, not all.",
            expected=OneOf((np.array([[2, 5, 0]]) / 7, np.array([[0, 5, 2]]) / 7)),
            properties=(few, one),
        ),
        Case(
            "scores in the thousands",
            (scores + 3000, k),
            "Keep the softmax from overflowing.",
            properties=(few, one),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
