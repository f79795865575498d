"""Cases of 16.rms_norm_backward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, D = different_sizes(rng, 2, 3, 8)
    x, dy, gain = rng.normal(size=(T, D)), rng.normal(size=(T, D)), rng.normal(size=D) + 1
    across = (
        "with eps 0 the gradient stands across the row: longer or shorter rows give the same y",
        lambda found, dy, x, gain, eps: np.allclose((np.asarray(found[0]) * x).sum(axis=-1), 0, atol=1e-7),
    )
    hand = np.array([[1.0, 0]]), np.array([[1.0, 1]]), np.array([1.0, 3]), 0.0
    return [
        Case(
            "a row of two ones, by hand",
            hand,
            "r = 1, u = x / r = (1, 1), g = dy · gain = (1, 0). The mean of g u is 1/2, so dx = (1/2, -1/2).",
            expected=(np.array([[0.5, -0.5]]), np.array([1.0, 0])),
        ),
        Case(
            "gain 1",
            (dy, x, np.ones(D), 0.0),
            "What does the root of the mean square know of x?",
            properties=(across,),
        ),
        Case(
            "random gain",
            (dy, 3 * x, gain, 0.0),
            "The gain comes first on the way back: g = dy · gain.",
            properties=(across,),
        ),
        Case("a large epsilon", (dy, x, gain, 0.7), "Epsilon stands in r, and r stands in everything."),
        Case("one token", (dy[:1], x[:1], gain, 1e-5), "dgain is a sum over tokens, also over one."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
