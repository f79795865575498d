"""16.power_law: A straight line above a floor."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import losses as library

from .power_law_wrong import MORE
from .shared import different


def power_law(sizes, losses, floor):
    """Return A and the exponent α of loss = floor + A / size**α: least squares of the logarithms."""
    return library.power_law(sizes, losses, floor)


def _with(
    x=np.log, y=lambda losses, floor: np.log(losses - floor), back=lambda A, slope: (np.exp(A), -slope)
):
    """Return a straight line through x(sizes) and y(losses, floor), and what back makes of it."""

    def fit(sizes, losses, floor):
        slope, start = np.polyfit(x(sizes), y(losses, floor), 1)
        return back(start, slope)

    return fit


def _by_system(sizes, losses, floor):
    table = np.stack([np.ones(len(sizes)), np.log(sizes)], axis=1)
    (start, slope), *_ = np.linalg.lstsq(table, np.log(losses - floor))
    return np.exp(start), -slope


def _ends_only(sizes, losses, floor):
    x, y = np.log(sizes), np.log(losses - floor)
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    return np.exp(y[0] - slope * x[0]), -slope


def _turned_round(sizes, losses, floor):
    slope, start = np.polyfit(np.log(losses - floor), np.log(sizes), 1)
    return np.exp(-start / slope), -1 / slope


def _cases(rng):
    n, m = different(rng, 2, 5, 12)
    sizes = np.sort(10 ** rng.uniform(2, 6, size=n))
    floor, alpha, A = float(rng.uniform(0.3, 2)), float(rng.uniform(0.2, 0.9)), float(rng.uniform(2, 20))
    exact = floor + A * sizes**-alpha
    noisy = floor + A * sizes**-alpha * np.exp(0.2 * rng.normal(size=n))
    other = np.sort(10 ** rng.uniform(2, 6, size=m))
    return [
        Case(
            "three runs, by hand",
            (np.array([1.0, 100, 10000]), np.array([3.0, 1.2, 1.02]), 1.0),
            "Above the floor stand 2, 0.2 and 0.02: a hundred times the size, a tenth of the excess.",
            expected=(2.0, 0.5),
        ),
        Case("runs that lie on a law", (sizes, exact, floor), "Subtract the floor before the logarithm."),
        Case(
            "runs with noise",
            (sizes, noisy, floor),
            "Use all the runs: the line of least squares of ln(loss - floor) over ln(size), and not of "
            "ln(size) over it.",
        ),
        Case("no floor", (other, 5 * other**-0.3, 0.0), "With a floor of 0 nothing is subtracted."),
    ]


EXERCISE = Exercise(
    id="16.power_law",
    title="A straight line above a floor",
    reference=power_law,
    cases=_cases,
    hints=(
        "The logarithm of A / sizeᵅ is ln A - α ln size: a straight line in ln size.",
        "np.polyfit(x, y, 1) returns slope and start of the line of least squares. Here x is ln size, and y "
        "is ln(loss - floor).",
        "slope, start = np.polyfit(np.log(sizes), np.log(losses - floor), 1); return np.exp(start), -slope",
    ),
    mistakes=(
        Mistake(
            "floor_forgotten",
            _with(y=lambda losses, floor: np.log(losses)),
            "You did not subtract the floor. Where it is above 0 the line bends, and your α is too small.",
        ),
        Mistake(
            "slope_for_exponent",
            _with(back=lambda start, slope: (np.exp(start), slope)),
            "You return the slope for α. The line falls: α is minus the slope.",
        ),
        Mistake(
            "logarithm_for_coefficient",
            _with(back=lambda start, slope: (start, -slope)),
            "You return ln A. Take e to it.",
        ),
        Mistake(
            "sizes_without_logarithm",
            _with(x=lambda sizes: sizes),
            "You took the logarithm of the losses only: that fits e to the minus size. Take it of both.",
        ),
        Mistake(
            "base_ten_and_e",
            _with(x=np.log10),
            "Your sizes have the logarithm of base 10, your losses that of base e. Take the same.",
        ),
        Mistake(
            "base_ten_back_by_e",
            _with(x=np.log10, y=lambda losses, floor: np.log10(losses - floor)),
            "With logarithms of base 10, A is 10 to the start of the line, and not e to it.",
        ),
        Mistake(
            "first_and_last_only",
            _ends_only,
            "You drew the line through the first and the last run. Noise in these two decides then: use all.",
        ),
        Mistake(
            "axes_exchanged",
            lambda sizes, losses, floor: _with()(np.exp(np.log(losses - floor)), sizes + floor, floor),
            "You fitted the sizes to the losses. The losses are what has noise.",
        ),
        Mistake(
            "line_turned_round",
            _turned_round,
            "You fitted ln(size) over ln(loss - floor), and turned the line round. Fit ln(loss - floor) over "
            "ln(size): with noise that is another line.",
        ),
        Mistake(
            "floor_added",
            _with(y=lambda losses, floor: np.log(losses + floor)),
            "You added the floor. What lies above it is loss minus floor.",
        ),
        *MORE,
    ),
    alternatives=(_by_system, _with()),
    stars=2,
    minutes=15,
)
