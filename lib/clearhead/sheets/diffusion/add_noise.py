"""Cases of 20.add_noise."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    N, d = different_sizes(rng, 2, 3, 7)
    x, noise = rng.normal(size=(N, d)), rng.normal(size=(N, d))
    return [
        Case(
            "one pixel, worked by hand",
            (np.array([[1.0]]), np.array([[2.0]]), 0.64),
            "0.8 · 1 + 0.6 · 2 = 2.",
            expected=np.array([[2.0]]),
        ),
        Case(
            "no noise",
            (x[:2], noise[:2], 1.0),
            "With ᾱ = 1, the image stays as it is.",
            expected=x[:2],
        ),
        Case(
            "only noise",
            (x[:, :2], noise[:, :2], 0.0),
            "With ᾱ = 0, only the noise is left.",
            expected=noise[:, :2],
        ),
        Case(
            "random images",
            (x, noise, float(rng.uniform(0.2, 0.45))),
            "The image is multiplied by √ᾱ and the noise by √(1 − ᾱ).",
            2,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
