"""Cases of 16.newton_schulz."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

a, b, c = 3.4445, -4.7750, 2.0315


def cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    M = rng.normal(size=(D, F))
    near = (
        "the largest singular value is between 0.6 and 1.3",
        lambda X, M, steps: np.isfinite(X).all() and 0.6 < np.linalg.norm(X, 2) < 1.3,
    )
    s = 0.6 * a + 0.6**3 * b + 0.6**5 * c, 0.8 * a + 0.8**3 * b + 0.8**5 * c
    return [
        Case(
            "zero steps, by hand",
            (np.diag([3.0, 4]), 0),
            "Without a step, M is only divided by its norm, which is 5.",
            expected=np.diag([0.6, 0.8]),
        ),
        Case(
            "one step, by hand",
            (np.diag([3.0, 4]), 1),
            "Each singular value s becomes a s + b s³ + c s⁵.",
            expected=np.diag(s),
        ),
        Case("five steps", (M, 5), "X X^T must be computed again in each step.", properties=(near,)),
        Case(
            "a matrix 1,000 times larger",
            (1000 * M, 5),
            "Divide M by its norm before the first step.",
            properties=(near,),
        ),
        Case(
            "a matrix of the transposed shape",
            (rng.normal(size=(F, D)), 3),
            "The number of rows may be larger or smaller than the number of columns.",
            properties=(near,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
