"""Cases of 01.r_squared."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T = int(rng.integers(6, 12))
    y = 2 + rng.normal(size=T)
    at_most = ("R² is at most 1", lambda score, y, predictions: score <= 1 + 1e-12)
    return [
        Case(
            "four numbers, worked by hand",
            (np.array([1.0, 3.0, 5.0, 7.0]), np.array([1.0, 4.0, 4.0, 7.0])),
            "the mean is 4 and the spread 9 + 1 + 1 + 9 = 20. The squared errors are 0 + 1 + 1 + 0 = 2.",
            expected=0.9,
        ),
        Case(
            "random predictions near y",
            (y, y + 0.3 * rng.normal(size=T)),
            "compare the squared errors with the squared distances of y from its own mean.",
            2,
            properties=(at_most,),
        ),
        Case(
            "always the mean",
            (y, np.full(T, y.mean())),
            "whoever always says the mean explains nothing: 0.",
            expected=0.0,
        ),
        Case(
            "every prediction twice as far from the mean as y is",
            (y, 2 * y - y.mean()),
            "each error is as large as the distance of y from its mean: 0.",
            expected=0.0,
        ),
        Case(
            "every prediction 5 too high",
            (y, y + 5),
            "the differences are right, the numbers are not. R² is far below 0.",
            2,
            properties=(at_most,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
