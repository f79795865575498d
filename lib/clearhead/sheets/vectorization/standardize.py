"""01.standardize: Every column with the same say."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise
from clearhead.maths.vectors import standardize

from .shared import sizes
from .standardize_wrong import MISTAKES


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
            "the rounding of so large a number is larger than many a fixed limit, such as 1e-9. The column "
            "becomes zeros all the same: compare the column's max with its min.",
        ),
    ]


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
    mistakes=MISTAKES,
    alternatives=(_standardize_by_loop, _above_its_rounding),
    stars=2,
    minutes=10,
)
