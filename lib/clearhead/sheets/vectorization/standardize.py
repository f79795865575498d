"""Cases of 01.standardize."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, D = different_sizes(rng, 2, 4, 8)
    mean = ("each column has mean 0", lambda Z, X: np.allclose(np.mean(Z, axis=0), 0))
    std = ("each column has standard deviation 1", lambda Z, X: np.allclose(np.std(Z, axis=0), 1))
    units = 10.0 ** rng.integers(-3, 4, size=D)
    constant = rng.normal(size=(T, D))
    constant[:, 1] = -4.0
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
            "a constant column of 0.1, and 8, 8, 3 beside it",
            (np.array([[0.1, 8.0], [0.1, 8.0], [0.1, 3.0]]),),
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


EXERCISE = exercise_from_text(__file__, cases)
