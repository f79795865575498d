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
    positive = ("no number is negative", lambda P, C: np.all(P >= 0))
    finite = ("no NaN, no infinity", lambda P, C: np.all(np.isfinite(P)))
    return [
        Case(
            "two by two, by hand",
            (np.array([[4.0, 1.0], [1.0, 4.0]]),),
            "By chance each place would have 5 · 5 / 10 = 2.5. 4 is 1.6 times as many, 1 is fewer.",
            expected=np.array([[np.log(1.6), 0.0], [0.0, np.log(1.6)]]),
        ),
        Case(
            "random counts, a wide table",
            (counts,),
            "Rows have their own sums, and so do columns.",
            2,
            properties=(positive,),
        ),
        Case("a tall table", (counts[:, ::-1].T.copy(),), "Rows and columns are not equally many."),
        Case(
            "counts as chance would have them",
            (chance,),
            "Nothing meets more often than by chance, so everything is 0.",
            expected=np.zeros((T, S)),
        ),
        Case(
            "a symmetric table",
            (square + square.T,),
            "A symmetric table of counts gives a symmetric result.",
            properties=(("it is symmetric", lambda P, C: np.allclose(P, np.transpose(P))),),
        ),
        Case(
            "a word that never comes",
            (empty,),
            "An empty row or column gives 0/0. Put 0 there.",
            2,
            properties=(finite,),
        ),
        Case(
            "pairs that never meet", (np.diag([1.0, 2, 3]),), "ln 0 is -∞. Put 0 there.", properties=(finite,)
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
