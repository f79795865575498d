"""01.r_squared: How much is explained?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import r_squared


def _squared_correlation(y, predictions):
    if np.ptp(predictions) == 0:
        return 0.0
    return np.corrcoef(y, predictions)[0, 1] ** 2


def _r_squared_by_means(y, predictions):
    return 1 - np.mean((y - predictions) ** 2) / np.var(y)


def _r_squared_cases(rng):
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


EXERCISE = Exercise(
    "01.r_squared",
    "How much is explained?",
    r_squared,
    _r_squared_cases,
    hints=(
        "Two sums of squares: how far the predictions miss y, and how far the mean of y misses y.",
        "errors = ((y - predictions) ** 2).sum(), spread = ((y - y.mean()) ** 2).sum(). Perfect must give 1.",
        "return 1 - errors / spread.",
    ),
    mistakes=(
        Mistake(
            "squared_correlation",
            _squared_correlation,
            "That is the squared correlation. It forgives predictions that are all too high or too steep; "
            "R² does not.",
        ),
        Mistake(
            "share_not_explained",
            lambda y, predictions: 1 - r_squared(y, predictions),
            "That is the share that is left over. Subtract it from 1.",
        ),
        Mistake(
            "spread_of_the_predictions",
            lambda y, predictions: 1 - np.sum((y - predictions) ** 2) / np.sum((predictions - y.mean()) ** 2),
            "You divided by the spread of the predictions around the mean of y. What must be explained is "
            "the spread of y.",
        ),
        Mistake(
            "spread_around_zero",
            lambda y, predictions: 1 - np.sum((y - predictions) ** 2) / np.sum(y**2),
            "You compared with always saying 0. Compare with always saying the mean of y.",
        ),
        Mistake(
            "errors_not_squared",
            lambda y, predictions: 1 - np.abs(y - predictions).sum() / np.abs(y - y.mean()).sum(),
            "You added absolute errors. R² adds squares, above and below.",
        ),
        Mistake(
            "constant_error_forgiven",
            lambda y, predictions: 1 - np.var(y - predictions) / np.var(y),
            "np.var subtracts the mean of the errors first, so a constant error costs nothing. It must cost.",
        ),
        Mistake(
            "mean_squared_error",
            lambda y, predictions: np.mean((y - predictions) ** 2),
            "That is the mean squared error, which has a unit. Divide it by np.var(y), and subtract that "
            "from 1.",
        ),
        Mistake(
            "explained_over_total",
            lambda y, p: ((p - y.mean()) ** 2).sum() / ((y - y.mean()) ** 2).sum(),
            "You took the spread of the predictions over that of y. The same for a fitted straight line "
            "alone: here it is 1 - (squared errors) / (squared differences from the mean).",
        ),
        Mistake(
            "ratio_upside_down",
            lambda y, p: 1 - ((y - y.mean()) ** 2).sum() / ((y - p) ** 2).sum(),
            "The ratio stands upside down: the squared errors belong on top.",
        ),
        Mistake(
            "never_below_zero",
            lambda y, p: max(0.0, r_squared(y, p)),
            "Your R² stops at 0. Predictions that are worse than the mean have an R² below 0.",
        ),
        Mistake(
            "median_in_place_of_the_mean",
            lambda y, p: 1 - ((y - p) ** 2).sum() / ((y - np.median(y)) ** 2).sum(),
            "You measured the spread of y from its median. It is measured from the mean.",
        ),
        Mistake(
            "mean_of_the_predictions",
            lambda y, p: 1 - ((y - p) ** 2).sum() / ((y - p.mean()) ** 2).sum(),
            "You measured the spread of y from the mean of the predictions. Measure it from the mean of y.",
        ),
        Mistake(
            "roots_of_the_sums",
            lambda y, p: 1 - np.sqrt(((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()),
            "You took a root, of the two sums or of their ratio. R² compares the sums of squares themselves.",
        ),
        Mistake(
            "n_minus_one_below",
            lambda y, p: 1 - ((y - p) ** 2).mean() / np.var(y, ddof=1),
            "You divided the errors by T and the spread by T - 1. Divide both by the same number, or none.",
        ),
        Mistake(
            "square_of_the_sum",
            lambda y, p: 1 - (y - p).sum() ** 2 / ((y - y.mean()) ** 2).sum(),
            "You added the errors up, then squared the sum: errors of both signs cancel. Square each "
            "error first.",
        ),
        Mistake(
            "squared_correlation_alone",
            lambda y, p: np.corrcoef(y, p)[0, 1] ** 2,
            "This is the squared correlation: it forgives a wrong level and a wrong size, and is never "
            "negative. Compare the squared errors.",
        ),
        Mistake(
            "spread_of_the_predictions_alone",
            lambda y, p: 1 - ((y - p) ** 2).sum() / ((p - p.mean()) ** 2).sum(),
            "You divided by the spread of the predictions. Divide by the spread of y, from its own mean.",
        ),
        Mistake(
            "brackets_forgotten",
            lambda y, p: (1 - ((y - p) ** 2).sum()) / ((y - y.mean()) ** 2).sum(),
            "You subtracted the errors from 1 and then divided. Divide first: 1 - (errors / spread).",
        ),
        Mistake(
            "correlation_itself",
            lambda y, p: np.corrcoef(y, p)[0, 1],
            "This is the correlation. R² compares squared errors: 1 - errors / spread.",
        ),
        Mistake(
            "mean_over_sum",
            lambda y, p: 1 - ((y - p) ** 2).mean() / ((y - y.mean()) ** 2).sum(),
            "You took a mean of the squared errors and a sum for the spread. Take sums, or means, for both.",
        ),
        Mistake(
            "corrected_for_a_straight_line",
            lambda y, p: 1 - (1 - r_squared(y, p)) * (len(y) - 1) / (len(y) - 2),
            "This is the adjusted R² of a straight line. Here R² is not corrected for the number of "
            "measurements.",
        ),
        Mistake(
            "never_below_minus_one",
            lambda y, p: max(-1.0, r_squared(y, p)),
            "Your R² stops at -1. It has no lower end: leave the limit out.",
        ),
    ),
    alternatives=(_r_squared_by_means,),
    stars=2,
    minutes=10,
)
