"""Cases of 16.power_law."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    n, m = different_sizes(rng, 2, 5, 11)
    sizes = np.sort(10 ** rng.uniform(2, 6, size=n))
    floor, alpha, A = float(rng.uniform(0.3, 2)), float(rng.uniform(0.2, 0.9)), float(rng.uniform(2, 20))
    exact = floor + A * sizes**-alpha
    noisy = floor + A * sizes**-alpha * np.exp(0.2 * rng.normal(size=n))
    other = np.sort(10 ** rng.uniform(2, 6, size=m))
    return [
        Case(
            "three runs, by hand",
            (np.array([1.0, 100, 10000]), np.array([3.0, 1.2, 1.02]), 1.0),
            "The losses are 2, 0.2 and 0.02 above the floor, so a size that is 100 times larger has a "
            "tenth of the excess.",
            expected=(2.0, 0.5),
        ),
        Case(
            "losses that follow a power law exactly",
            (sizes, exact, floor),
            "Subtract the floor before you take the logarithm.",
        ),
        Case(
            "losses with noise",
            (sizes, noisy, floor),
            "Use all the runs. Fit ln(loss - floor) as a linear function of ln(size) by least "
            "squares, and not the other way round.",
        ),
        Case("a floor of 0", (other, 5 * other**-0.3, 0.0), "With a floor of 0, nothing is subtracted."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
