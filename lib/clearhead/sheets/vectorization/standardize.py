"""01.standardize: Every column with the same say."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import standardize

from .shared import sizes


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


def _above_its_rounding(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 1e-12 * np.abs(X).max(axis=0), spread, 1)


def _standardize_by_loop(X):
    Z = np.zeros(X.shape)
    for j in range(X.shape[1]):
        if len(set(X[:, j])) > 1:
            Z[:, j] = (X[:, j] - X[:, j].mean()) / X[:, j].std()
    return Z


def _standardize_cases(rng):
    T, D = sizes(rng, 2, low=4)
    mean = ("each column has mean 0", lambda Z, X: np.allclose(np.mean(Z, axis=0), 0))
    std = ("each column has standard deviation 1", lambda Z, X: np.allclose(np.std(Z, axis=0), 1))
    units = 10.0 ** rng.integers(-3, 4, size=D)
    constant = rng.normal(size=(T, D))
    constant[:, 1] = 4.0
    rows = int(rng.choice([3, 6, 7]))  # so many 100,000,000.1 do not sum up exactly
    return [
        Case(
            "three things and two columns, worked by hand",
            (np.array([[1.0, 20.0], [1.0, 40.0], [4.0, 60.0]]),),
            "the first column has mean 2 and differences -1, -1, 2; its standard deviation is √(6 / 3) = √2.",
            expected=np.array([[-1.0, -1.5], [-1.0, 0.0], [2.0, 1.5]]) / np.sqrt([2.0, 1.5]),
            properties=(mean, std),
        ),
        Case(
            "columns in very different units",
            (rng.normal(size=(T, D)) * units + 5 * units,),
            "each column has a mean and a standard deviation of its own.",
            2,
            properties=(mean, std),
        ),
        Case(
            "a column in a tiny unit, with differences near 0.0000001",
            (rng.normal(size=(T, 2)) * np.array([1e-7, 1.0]),),
            "a small number added to the divisor is not small beside this column.",
            properties=(mean, std),
        ),
        Case(
            "a constant column",
            (constant,),
            "its standard deviation is 0. Divide by 1 there, so that the column becomes zeros.",
            2,
            properties=(mean,),
        ),
        Case(
            "a constant column of 0.1, and 3, 8, 3 beside it",
            (np.array([[0.1, 3.0], [0.1, 8.0], [0.1, 3.0]]),),
            "three times 0.1 is not exactly 0.3 for a computer, so std gives 0.00000000000000001 and not 0.",
            properties=(mean,),
        ),
        Case(
            "a constant column of 100,000,000.1",
            (np.column_stack([np.full(rows, 100_000_000.1), rng.normal(size=rows)]),),
            "the rounding of so large a number is larger than many a fixed limit, such as 1e-9. It becomes "
            "zeros all the same: compare the column's max with its min.",
        ),
    ]


def _by_mean_distance(X):
    centred = np.asarray(X, dtype=float) - np.mean(X, axis=0)
    far = np.where(np.ptp(X, axis=0) > 0, np.abs(centred).mean(axis=0), 1)
    return centred / far


EXERCISE = Exercise(
    "01.standardize",
    "Every column with the same say",
    standardize,
    _standardize_cases,
    hints=(
        "Two steps: move every column so that its mean is 0, then stretch it so that its spread is 1.",
        "X.mean(axis=0) is a mean for each column. X.std(axis=0) may hold a 0: what should stand there?",
        "A column is constant where its max is its min. safe = np.where(X.max(axis=0) > X.min(axis=0), "
        "X.std(axis=0), 1), and then (X - X.mean(axis=0)) / safe.",
    ),
    mistakes=(
        Mistake(
            "one_mean_for_the_whole_table",
            lambda X: (X - X.mean()) / X.std(),
            "You took one mean and one spread for the whole table. Each column needs its own: axis=0.",
        ),
        Mistake(
            "along_the_rows",
            _by_row,
            "You standardized each row. A row is one thing; what must be compared is a column: axis=0.",
        ),
        Mistake(
            "n_minus_one",
            _divided_by(lambda X: _safe(X.std(axis=0, ddof=1))),
            "You divided by n - 1 inside the spread (as torch.std does). Here it is n: X.std(axis=0).",
        ),
        Mistake(
            "only_centred",
            lambda X: X - X.mean(axis=0),
            "The means are 0, but the spreads are still different. Divide by the standard deviation.",
        ),
        Mistake(
            "divided_by_the_variance",
            _divided_by(lambda X: _safe(X.var(axis=0))),
            "You divided by the variance. Its square root, the standard deviation, has the unit of the "
            "column.",
        ),
        Mistake(
            "squeezed_between_0_and_1",
            _min_max,
            "That puts every column between 0 and 1, another recipe. Here: mean 0, standard deviation 1.",
        ),
        Mistake(
            "constant_column_divides_by_zero",
            _divided_by(lambda X: X.std(axis=0)),
            "A constant column gives 0 / 0, which is NaN. Divide it by 1 instead.",
        ),
        Mistake(
            "rounding_taken_for_a_spread",
            _divided_by(lambda X: _safe(X.std(axis=0))),
            "A constant column does not become zeros: by rounding, its std can be a tiny number and not 0. "
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
            "Put 1 only where the spread is 0.",
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
    ),
    alternatives=(_standardize_by_loop, _above_its_rounding),
    stars=2,
    minutes=10,
)
