"""Cases of 04.nadaraya_watson."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import BETWEEN


def cases(rng):
    between = (
        (
            BETWEEN,
            lambda y, x, X, Y, bandwidth: np.all((y >= Y.min(axis=0) - 1e-9) & (y <= Y.max(axis=0) + 1e-9)),
        ),
    )
    line = np.array([[0.0], [1.0]])
    two = np.array([[0.0, 6.0, 1.0], [8.0, 2.0, 1.0]])
    far = 60 + rng.normal(size=(2, 3))
    x, X = rng.normal(size=(4, 2)), rng.normal(size=(6, 2))
    x[1] = X[4]  # a measured place among others: its own measurement is not all that counts
    return [
        Case(
            "a point half-way and a measured point, worked by hand",
            (np.array([[0.5], [0.0], [0.5]]), line, two, float(np.sqrt(1 / np.log(9)))),
            "Half-way, the weights are 1/2 and 1/2. At the point 0, the scores are 0 and −ln 3.",
            expected=np.array([[4.0, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
        Case(
            "random points and measurements",
            (
                x,
                X,
                rng.normal(size=(6, 3)),
                float(rng.uniform(0.4, 2)),
            ),
            "Every point in x is compared with every point in X, so the squared distances have the "
            "shape (T, S).",
            2,
            properties=between,
        ),
        Case(
            "a wide bandwidth",
            (rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.integers(-9, 10, size=(5, 2)), 9.0),
            "With a wide bandwidth, every prediction is close to the mean of the measurements.",
            properties=between,
        ),
        Case(
            "points far from every measurement",
            (far, rng.normal(size=(4, 3)), rng.normal(size=(4, 5)), 1.0),
            "The exponential of every score is 0 in floating point, which gives 0/0. Subtract the "
            "largest score of each row first.",
            properties=between,
        ),
        Case(
            "one near point and three far points, worked by hand",
            (
                np.array([[0.0, 0.5], [100.0, 0.5], [100.0, 0.0], [100.0, 0.5]]),
                np.array([[0.0, 0.0], [0.0, 1.0]]),
                two,
                float(np.sqrt(1 / np.log(9))),
            ),
            "Far away the scores are near −11,000, but those of one row still differ only by 0 or ln "
            "3. Subtract the largest score of each row first.",
            expected=np.array([[4.0, 4, 1], [4, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
