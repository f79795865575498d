"""Cases of 18.merge_lora."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(6, 10))[:2])
    r = int(rng.integers(2, 5))
    W, A, B = (rng.normal(size=s) for s in ((D, F), (D, r), (r, F)))
    hand = np.zeros((2, 2)), np.array([[1.0, 0], [0, 2]]), np.array([[3.0, 4], [5, 6]]), 4
    same = (
        "x times the merged matrix is x W plus α/r times x A B",
        lambda M, W, A, B, alpha: np.allclose(np.ones(len(W)) @ (M - W), alpha / len(B) * (A.sum(0) @ B)),
    )
    return [
        Case(
            "two by two, by hand",
            hand,
            "A B is [[3, 4], [10, 12]], and α/r is 4/2.",
            expected=np.array([[6.0, 8], [20, 24]]),
        ),
        Case("random sizes", (W, A, B, 8.0), "The rank r is the number of columns of A.", properties=(same,)),
        Case(
            "rank 1", (W.T, B.T[:, :1], A.T[:1], 3.0), "With rank 1, the factor α/r is α.", properties=(same,)
        ),
        Case("a B of zeros, as at the start", (W, A, 0 * B, 8.0), "B is 0, so the merged matrix equals W."),
        Case(
            "an α below the rank", (W, A, B, 0.5), "The factor α/r may be smaller than 1.", properties=(same,)
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
