"""Cases of 16.qk_norm_weights."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, S, d = different_sizes(rng, 3, 3, 8)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    sharp = (
        "no weight is more than e to the 2 √d times another",
        lambda A, Q, K: (A.max(axis=-1) <= A.min(axis=-1) * np.exp(2 * np.sqrt(Q.shape[1])) * 1.001).all(),
    )
    hand = np.array([[3.0, 0, 0, 0]]), np.array([[7.0, 0, 0, 0], [0, 2, 0, 0]])
    return [
        Case(
            "along and across, by hand",
            hand,
            "The rows become (2, 0, 0, 0) and (0, 2, 0, 0): the scores are 4/2 and 0.",
            expected=np.array([[np.exp(2), 1]]) / (1 + np.exp(2)),
        ),
        Case("random sizes", (Q, K), "Norm first, then the product, then √d.", properties=(sharp,)),
        Case("a thousand times longer", (1000 * Q, 50 * K), "Length must not matter.", properties=(sharp,)),
        Case(
            "a million times shorter",
            (1e-6 * Q, 1e-4 * K),
            "There is no epsilon: length must not matter.",
            properties=(sharp,),
        ),
        Case("far from 0", (Q + 4, K - 2), "RMS norm subtracts no mean.", properties=(sharp,)),
        Case("wider", (rng.normal(size=(T, 4 * d)), rng.normal(size=(S, 4 * d))), "√d grows with the width."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
