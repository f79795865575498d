"""Cases of 07.expand_scores."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, D, d = (int(size) for size in rng.permutation(np.arange(4, 9))[:3])
    X, P = rng.normal(size=(2, T, D))
    W_q, W_k = rng.normal(size=(2, D, d))
    whole = (
        "the four parts sum to ((X + P) W_q)((X + P) W_k)ᵀ",
        lambda parts, X, P, W_q, W_k: np.allclose(sum(parts), ((X + P) @ W_q) @ ((X + P) @ W_k).T),
    )
    words, places = np.array([[1.0, 0, 0], [0, 2, 5]]), np.array([[3.0, 1, 0], [0, 3, 7]])
    matrices = np.array([[1.0], [0], [0]]), np.array([[0.0], [2], [0]])
    return [
        Case(
            "two tokens, by hand",
            (words, places, *matrices),
            "Here M = W_q W_kᵀ has a 2 in row 0 and column 1 and zeros elsewhere, so entry (i, j) of each "
            "part is 2 · (entry 0 of the querying row i) · (entry 1 of the key row j).",
            expected=[
                np.array([[0, 4], [0, 0]]),
                np.array([[2, 6], [0, 0]]),
                np.array([[0, 12], [0, 0]]),
                np.array([[6, 18], [0, 0]]),
            ],
            properties=(whole,),
        ),
        Case(
            "random arrays",
            (X, P, W_q, W_k),
            "The rows belong to the queries i, and the columns to the keys j.",
            properties=(whole,),
        ),
        Case(
            "positions that are all 0",
            (X, 0 * P, W_q, W_k),
            "The codes of the positions are all 0, so every part except the first is 0.",
        ),
        Case(
            "the same word at every position",
            (np.tile(X[0], (T, 1)), P, W_q, W_k),
            "All words are equal, so all entries of the first part are equal.",
            properties=(whole,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
