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
            "half-way, and at a measured place, worked by hand",
            (np.array([[0.5], [0.0], [0.5]]), line, two, float(np.sqrt(1 / np.log(9)))),
            "half-way the weights are 1/2 and 1/2; at 0 the score is 0 for the one and −ln 3 for the other",
            expected=np.array([[4.0, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
        Case(
            "fresh numbers",
            (
                x,
                X,
                rng.normal(size=(6, 3)),
                float(rng.uniform(0.4, 2)),
            ),
            "each place in x meets each place in X, so the squared distances have the shape (T, S)",
            2,
            properties=between,
        ),
        Case(
            "a wide bandwidth",
            (rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.integers(-9, 10, size=(5, 2)), 9.0),
            "with a wide bandwidth every guess comes near the mean",
            properties=between,
        ),
        Case(
            "far from every measurement",
            (far, rng.normal(size=(4, 3)), rng.normal(size=(4, 5)), 1.0),
            "every e^score is 0 in the computer, and 0/0 is NaN: use the softmax that subtracts the "
            "largest score",
            properties=between,
        ),
        Case(
            "one place near, three far away, worked by hand",
            (
                np.array([[0.0, 0.5], [100.0, 0.5], [100.0, 0.0], [100.0, 0.5]]),
                np.array([[0.0, 0.0], [0.0, 1.0]]),
                two,
                float(np.sqrt(1 / np.log(9))),
            ),
            "far away the gaps between the scores are the same as near: 0, 0 and ln 3. Each row needs its "
            "own largest score",
            expected=np.array([[4.0, 4, 1], [4, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
