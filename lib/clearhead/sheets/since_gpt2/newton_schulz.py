"""Cases of 16.newton_schulz."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

a, b, c = 3.4445, -4.7750, 2.0315


def cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    M = rng.normal(size=(D, F))
    near = (
        "the largest strength (singular value) is between 0.6 and 1.3",
        lambda X, M, steps: np.isfinite(X).all() and 0.6 < np.linalg.norm(X, 2) < 1.3,
    )
    s = 0.6 * a + 0.6**3 * b + 0.6**5 * c, 0.8 * a + 0.8**3 * b + 0.8**5 * c
    return [
        Case(
            "no step, by hand",
            (np.diag([3.0, 4]), 0),
            "Only divided: the length is 5.",
            expected=np.diag([0.6, 0.8]),
        ),
        Case(
            "one step, by hand",
            (np.diag([3.0, 4]), 1),
            "Each strength s becomes a s + b s³ + c s⁵.",
            expected=np.diag(s),
        ),
        Case("five steps", (M, 5), "X X^T is new in each step.", properties=(near,)),
        Case("a thousand times larger", (1000 * M, 5), "Bring M to length 1 first.", properties=(near,)),
        Case(
            "of another shape",
            (rng.normal(size=(F, D)), 3),
            "Rows and columns may be of any number.",
            properties=(near,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
