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
            "three rows and two columns, worked by hand",
            (np.array([[1.0, 20.0], [1.0, 40.0], [4.0, 60.0]]),),
            "The first column has the mean 2 and the differences -1, -1 and 2, so its standard deviation is "
            "√(6 / 3) = √2.",
            expected=np.array([[-1.0, -1.5], [-1.0, 0.0], [2.0, 1.5]]) / np.sqrt([2.0, 1.5]),
            properties=(mean, std),
        ),
        Case(
            "columns in very different units",
            (rng.normal(size=(T, D)) * units + 5 * units,),
            "Each column has its own mean and its own standard deviation.",
            2,
            properties=(mean, std),
        ),
        Case(
            "a column with a standard deviation near 0.0000001",
            (rng.normal(size=(T, 2)) * np.array([1e-7, 1.0]),),
            "A small constant that is added to the divisor is not negligible compared with the standard "
            "deviation of this column.",
            properties=(mean, std),
        ),
        Case(
            "a constant column",
            (constant,),
            "The standard deviation of this column is 0. Divide it by 1 instead, so that the column becomes "
            "zeros.",
            2,
            properties=(mean,),
        ),
        Case(
            "a constant column of 0.1",
            (np.array([[0.1, 8.0], [0.1, 8.0], [0.1, 3.0]]),),
            "In floating point, the mean of three values of 0.1 is not exactly 0.1, so np.std returns about "
            "1e-17 instead of 0.",
            properties=(mean,),
        ),
        Case(
            "a constant column of 100,000,000.1",
            (np.column_stack([np.full(rows, 100_000_000.1), rng.normal(size=rows)]),),
            "The rounding error of so large a mean can exceed a fixed threshold such as 1e-9. To find a "
            "constant column, compare its maximum with its minimum.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
