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
            "four samples, worked by hand",
            (np.array([1.0, 3.0, 5.0, 7.0]), np.array([1.0, 4.0, 4.0, 7.0])),
            "The mean is 4, and the squared distances from it sum to 9 + 1 + 1 + 9 = 20. The squared errors "
            "sum to 0 + 1 + 1 + 0 = 2.",
            expected=0.9,
        ),
        Case(
            "random predictions near y",
            (y, y + 0.3 * rng.normal(size=T)),
            "Compare the sum of the squared errors with the sum of the squared distances of y from its own "
            "mean.",
            2,
            properties=(at_most,),
        ),
        Case(
            "the mean as every prediction",
            (y, np.full(T, y.mean())),
            "A model that always predicts the mean explains none of the variation, so R² is 0.",
            expected=0.0,
        ),
        Case(
            "predictions twice as far from the mean as y",
            (y, 2 * y - y.mean()),
            "Each error is as large as the distance of y from its mean, so R² is 0.",
            expected=0.0,
        ),
        Case(
            "predictions that are all 5 too high",
            (y, y + 5),
            "The predictions are perfectly correlated with y, but each of them is 5 too high, so R² is far "
            "below 0.",
            2,
            properties=(at_most,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
