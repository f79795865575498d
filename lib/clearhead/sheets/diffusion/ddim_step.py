"""Cases of 20.ddim_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    N, d = different_sizes(rng, 2, 3, 8)
    x, noise = rng.normal(size=(N, d)), rng.normal(size=(N, d))
    high, low = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.55, 0.9))
    return [
        Case(
            "one pixel to the end, worked by hand",
            (np.array([[2.0]]), np.array([[2.0]]), 0.64, 1.0),
            "The predicted image is (2 − 1.2) / 0.8 = 1.",
            expected=np.array([[1.0]]),
        ),
        Case(
            "one pixel to the next level, worked by hand",
            (np.array([[2.0], [-0.4]]), np.array([[2.0], [-2.0]]), 0.36, 0.64),
            "The predicted images are (2 − 1.6) / 0.6 = 2/3 and (−0.4 + 1.6) / 0.6 = 2.",
            expected=np.array([[0.8 * 2 / 3 + 1.2], [0.4]]),
        ),
        Case(
            "random images",
            (x, noise, high, low),
            "Find the predicted image, and put image and noise together again at the next level.",
            2,
        ),
        Case(
            "a step that changes nothing",
            (x[:, :2], noise[:, :2], low, low),
            "If the level stays the same, so does x.",
            expected=x[:, :2],
        ),
        Case(
            "the noise is known exactly",
            (
                np.sqrt(high) * x[:2] + np.sqrt(1 - high) * noise[:2],
                noise[:2],
                high,
                1.0,
            ),
            "If the predicted noise is right, the last step returns the clean image.",
            expected=x[:2],
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
