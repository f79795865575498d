"""Cases of 16.rms_norm_backward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, D = different_sizes(rng, 2, 3, 8)
    x, dy, gain = rng.normal(size=(T, D)), rng.normal(size=(T, D)), rng.normal(size=D) + 1
    across = (
        "with eps = 0, dx is perpendicular to x, because the length of x does not change y",
        lambda found, dy, x, gain, eps: np.allclose((np.asarray(found[0]) * x).sum(axis=-1), 0, atol=1e-7),
    )
    hand = np.array([[1.0, 0]]), np.array([[1.0, 1]]), np.array([1.0, 3]), 0.0
    return [
        Case(
            "a row of two ones, by hand",
            hand,
            "With r = 1, u = x / r is (1, 1) and g = dy · gain is (1, 0). The mean of g u is 1/2, so "
            "dx = (1/2, -1/2).",
            expected=(np.array([[0.5, -0.5]]), np.array([1.0, 0])),
        ),
        Case(
            "a gain of 1",
            (dy, x, np.ones(D), 0.0),
            "The root mean square r depends on every entry of x, so its derivative contributes to dx.",
            properties=(across,),
        ),
        Case(
            "a random gain",
            (dy, 3 * x, gain, 0.0),
            "The gain comes first in the backward pass: g = dy · gain.",
            properties=(across,),
        ),
        Case("a large epsilon", (dy, x, gain, 0.7), "Epsilon is part of r, and r is part of every term."),
        Case(
            "one token",
            (dy[:1], x[:1], gain, 1e-5),
            "dgain is a sum over the tokens, even if there is only one.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
