"""Cases of 20.score_from_denoiser."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    N, d = different_sizes(rng, 2, 3, 8)
    x = rng.normal(size=(N, d))
    return [
        Case(
            "two images of two pixels, worked by hand",
            (
                np.array([[5.0, 1.0], [5.0, 1.0]]),
                np.array([[3.0, 1.0], [3.0, 1.5]]),
                np.array([2.0, 0.5]),
            ),
            "−2 / 4 is −0.5, and −2 / 0.25 is −8.",
            expected=np.array([[-0.5, 0.0], [-8.0, 2.0]]),
        ),
        Case(
            "random images, each with its own noise level",
            (x, rng.normal(size=(N, d)), rng.uniform(0.2, 4, size=N)),
            "Each row is divided by the square of its own noise level.",
            2,
        ),
        Case(
            "images without noise in their density",
            (x[:2, :2], x[:2, :2].copy(), np.array([3.0, 0.1])),
            "Where the denoised image is the image itself, the score is 0.",
            expected=np.zeros((2, 2)),
        ),
        Case(
            "a single image",
            (rng.normal(size=(1, d + 1)), rng.normal(size=(1, d + 1)), rng.uniform(0.3, 0.7, size=1)),
            "One image, one noise level.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
