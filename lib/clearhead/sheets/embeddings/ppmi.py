"""Cases of 02.ppmi."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, S = sorted(int(size) for size in rng.permutation(np.arange(4, 9))[:2])
    counts = rng.poisson(2.0, size=(T, S)).astype(float) + np.eye(T, S)
    chance = np.outer(rng.integers(1, 9, size=T), rng.integers(1, 9, size=S)).astype(float)
    square = rng.poisson(1.5, size=(T, T)).astype(float) + np.eye(T)
    empty = rng.poisson(2.0, size=(S, T)).astype(float) + np.eye(S, T)
    empty[1], empty[:, 2] = 0, 0
    positive = ("no entry is negative", lambda P, C: np.all(P >= 0))
    finite = ("no entry is NaN or infinite", lambda P, C: np.all(np.isfinite(P)))
    return [
        Case(
            "two by two, by hand",
            (np.array([[4.0, 1.0], [1.0, 4.0]]),),
            "By chance, each pair would occur 5 · 5 / 10 = 2.5 times. The count 4 is 1.6 times as "
            "large, and the count 1 is smaller.",
            expected=np.array([[np.log(1.6), 0.0], [0.0, np.log(1.6)]]),
        ),
        Case(
            "random counts in a wide matrix",
            (counts,),
            "Divide each count by the one expected by chance, which needs the sum of its row and the "
            "sum of its column.",
            2,
            properties=(positive,),
        ),
        Case(
            "random counts in a tall matrix",
            (counts[:, ::-1].T.copy(),),
            "This matrix has more rows than columns.",
        ),
        Case(
            "counts equal to those expected by chance",
            (chance,),
            "No pair occurs more often than by chance, so every entry is 0.",
            expected=np.zeros((T, S)),
        ),
        Case(
            "a symmetric matrix of counts",
            (square + square.T,),
            "A symmetric matrix of counts has a symmetric PPMI matrix.",
            properties=(("the result is symmetric", lambda P, C: np.allclose(P, np.transpose(P))),),
        ),
        Case(
            "an item that never occurs",
            (empty,),
            "An empty row or column gives 0/0, and the result is 0 there.",
            2,
            properties=(finite,),
        ),
        Case(
            "pairs that never occur",
            (np.diag([1.0, 2, 3]),),
            "A count of 0 gives ln 0 = −∞, and the result is 0 there.",
            properties=(finite,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
