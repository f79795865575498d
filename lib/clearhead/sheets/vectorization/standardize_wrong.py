"""The wrong answers of 01.standardize."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.vectors import standardize


def _divided_by(spread):
    """Return a standardize that divides the centred columns by another spread."""
    return lambda X: (X - X.mean(axis=0)) / spread(X)


def _safe(spread):
    """Return the spreads with 1 in place of 0, so that a constant column becomes zeros."""
    return np.where(spread > 0, spread, 1)


def _min_max(X):
    return (X - X.min(axis=0)) / _safe(np.ptp(X, axis=0))


def _by_row(X):
    return (X - X.mean(axis=1, keepdims=True)) / _safe(X.std(axis=1, keepdims=True))


def _above(smallest):
    """Return a standardize that takes a spread for 0 unless it is above `smallest`."""
    return _divided_by(lambda X: np.where(X.std(axis=0) > smallest, X.std(axis=0), 1))


def _by_mean_distance(X):
    centred = np.asarray(X, dtype=float) - np.mean(X, axis=0)
    far = np.where(np.ptp(X, axis=0) > 0, np.abs(centred).mean(axis=0), 1)
    return centred / far


MISTAKES = (
    Mistake(
        "one_mean_for_the_whole_table",
        lambda X: (X - X.mean()) / X.std(),
        "You took one mean and one spread for the whole table. Each column needs its own: axis=0.",
    ),
    Mistake(
        "one_spread_for_the_whole_table",
        _divided_by(lambda X: X.std()),
        "You divided every column by one number, the standard deviation of the whole table. Each column "
        "has its own: axis=0.",
    ),
    Mistake(
        "one_spread_for_all_that_is_centred",
        _divided_by(lambda X: (X - X.mean(axis=0)).std()),
        "You divided every column by one number, the standard deviation of all that is centred. Each column "
        "has its own: axis=0.",
    ),
    Mistake(
        "along_the_rows",
        _by_row,
        "You standardized each row. A row is one thing; what must be compared is a column: axis=0.",
    ),
    Mistake(
        "n_minus_one",
        _divided_by(lambda X: _safe(X.std(axis=0, ddof=1))),
        "You divided by T - 1 inside the spread (as torch.std does). Here it is T: X.std(axis=0).",
    ),
    Mistake(
        "only_centred",
        lambda X: X - X.mean(axis=0),
        "The means are 0, but the spreads are still different. Divide by the standard deviation.",
    ),
    Mistake(
        "divided_by_the_variance",
        _divided_by(lambda X: _safe(X.var(axis=0))),
        "You divided by the variance. Its square root, the standard deviation, has the unit of the column.",
    ),
    Mistake(
        "squeezed_between_0_and_1",
        _min_max,
        "That puts every column between 0 and 1, another recipe. Here: mean 0, standard deviation 1.",
    ),
    Mistake(
        "constant_column_divides_by_zero",
        _divided_by(lambda X: X.std(axis=0)),
        "A constant column gives 0 / 0, which is NaN, or by rounding another number than 0. Divide it by "
        "1 instead.",
    ),
    Mistake(
        "rounding_taken_for_a_spread",
        _divided_by(lambda X: _safe(X.std(axis=0))),
        "A constant column does not always become zeros: by rounding, its std can be a tiny number, not 0. "
        "Compare the column's max with its min.",
    ),
    Mistake(
        "constant_column_left_alone",
        lambda X: np.where(X.max(axis=0) > X.min(axis=0), standardize(X), X),
        "You left a constant column as it was. Its mean must go, too: it becomes zeros.",
    ),
    Mistake(
        "small_number_added",
        _divided_by(lambda X: X.std(axis=0) + 1e-8),
        "A small number in the divisor avoids 0 / 0, but it changes columns whose unit is small. "
        "Put 1 only where the spread is 0, but for rounding.",
    ),
    Mistake(
        "a_fixed_limit_for_zero",
        _above(1e-9),
        "You took a spread below a fixed number for 0. The rounding of large numbers is above it: "
        "compare the column's max with its min.",
    ),
    Mistake(
        "divided_by_the_range",
        lambda X: (X - X.mean(axis=0)) / np.where((r := np.ptp(X, axis=0)) > 0, r, 1),
        "You divided by largest minus smallest. Divide by the standard deviation.",
    ),
    Mistake(
        "never_centred",
        lambda X: X / np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 1),
        "The spread is right, but the mean of a column is not 0: subtract it first.",
    ),
    Mistake(
        "divided_by_the_mean_distance",
        _by_mean_distance,
        "You divided by the mean distance from the mean. The standard deviation is the root of "
        "the mean square.",
    ),
    Mistake(
        "median_taken_away",
        lambda X: (X - np.median(X, axis=0)) / np.where(np.ptp(X, axis=0) > 0, np.std(X, axis=0), 1),
        "You subtracted the median of each column. Subtract its mean.",
    ),
    Mistake(
        "a_limit_above_a_small_unit",
        _above(1e-6),
        "You took a spread below a fixed number for 0, but a column in a tiny unit has one, too. "
        "A column is constant where its max is its min.",
    ),
)
