"""More wrong answers of 16.power_law."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _fit(
    x=np.log,
    y=lambda losses, floor: np.log(losses - floor),
    back=lambda b, a, floor: (np.exp(b), -a),
    degree=1,
):
    """Return what back(start, slope, floor) makes of the line through x(sizes) and y(losses, floor)."""

    def answer(sizes, losses, floor):
        *_, slope, start = np.polyfit(x(sizes), y(losses, floor), degree)
        return back(start, slope, floor)

    return answer


def _mean_slope(sizes, losses, floor):
    x, y = np.log(sizes), np.log(losses - floor)
    slope = np.mean(np.diff(y) / np.diff(x))
    return np.exp(y.mean() - slope * x.mean()), -slope


def _through_the_origin(sizes, losses, floor):
    x, y = np.log(sizes), np.log(losses - floor)
    return 1.0, -(x @ y) / (x @ x)


def _slope(times):
    """Return a fit whose slope is times(x, y) of the right one, and whose line goes through the means."""

    def answer(sizes, losses, floor):
        x, y = np.log(sizes), np.log(losses - floor)
        slope = np.polyfit(x, y, 1)[0] * times(x, y)
        return np.exp(y.mean() - slope * x.mean()), -slope

    return answer


def _coefficient(of):
    """Return a fit with the right exponent, and the A that of(sizes, above the floor, slope) gives."""

    def answer(sizes, losses, floor):
        slope = np.polyfit(np.log(sizes), np.log(losses - floor), 1)[0]
        return of(sizes, losses - floor, slope), -slope

    return answer


MORE = (
    Mistake(
        "correlation_for_slope",
        _slope(lambda x, y: x.std() / y.std()),
        "Your α is minus the correlation. Times the spread of ln(loss - floor), over that of ln(size), it is "
        "right.",
    ),
    Mistake(
        "one_run_less",
        _slope(lambda x, y: len(x) / (len(x) - 1)),
        "Your α is n / (n - 1) times the right one, as where np.cov divides by n - 1, and np.var by n. Give "
        "both the same ddof.",
    ),
    Mistake(
        "parabola",
        _fit(degree=2),
        "You fitted a parabola. A straight line has degree 1.",
    ),
    Mistake(
        "first_run_for_a",
        _coefficient(lambda sizes, above, slope: above[0] * sizes[0] ** -slope),
        "Your A is such that the line meets the first run. It is e to the start of the line, from all runs.",
    ),
    Mistake(
        "first_excess_for_a",
        _coefficient(lambda sizes, above, slope: above[0]),
        "Your A is the first loss, less the floor. It is e to the start of the line, where ln size is 0.",
    ),
    Mistake(
        "mean_coefficient",
        _coefficient(lambda sizes, above, slope: np.mean(above * sizes**-slope)),
        "Your A is a mean over the runs. It is e to the start of the line.",
    ),
    Mistake(
        "one_added",
        _fit(y=lambda losses, floor: np.log1p(losses - floor)),
        "np.log1p adds 1 before the logarithm. Take np.log.",
    ),
    Mistake(
        "smallest_loss_for_floor",
        _fit(y=lambda losses, floor: np.log(losses - losses.min() + 1e-9)),
        "You subtracted the smallest loss. Subtract the floor, which is given.",
    ),
    Mistake(
        "start_by_a_plus",
        _coefficient(lambda sizes, above, slope: np.exp((np.log(above) + slope * np.log(sizes)).mean())),
        "α is right. ln A is the mean of ln(loss - floor) plus α times the mean of ln(size): you have the "
        "other sign.",
    ),
    Mistake(
        "start_and_slope_exchanged",
        _fit(back=lambda start, slope, floor: (np.exp(slope), -start)),
        "You took the slope for the start. np.polyfit gives the highest power first: slope, start.",
    ),
    Mistake(
        "alpha_first",
        _fit(back=lambda start, slope, floor: (-slope, np.exp(start))),
        "You return α before A. The order is A, α.",
    ),
    Mistake(
        "no_logarithms",
        _fit(lambda sizes: sizes, lambda losses, floor: losses - floor),
        "Your line goes through the numbers themselves. Take the logarithm of both first.",
    ),
    Mistake(
        "no_logarithms_at_all",
        _fit(
            lambda sizes: sizes,
            lambda losses, floor: losses - floor,
            lambda start, slope, floor: (start, -slope),
        ),
        "You fitted a straight line to the numbers themselves. Take the logarithm of both.",
    ),
    Mistake(
        "losses_without_logarithm",
        _fit(y=lambda losses, floor: losses - floor),
        "You took no logarithm of loss - floor. Take it of both, or the law is no straight line.",
    ),
    Mistake(
        "floor_after_the_logarithm",
        _fit(y=lambda losses, floor: np.log(losses) - floor),
        "You subtracted the floor from the logarithm. Subtract it from the loss, then take the logarithm.",
    ),
    Mistake(
        "divided_by_the_floor",
        _fit(y=lambda losses, floor: np.log(losses / floor) if floor else np.log(losses)),
        "You divided by the floor. Subtract it.",
    ),
    Mistake(
        "ten_to_the_start",
        _fit(back=lambda start, slope, floor: (10**start, -slope)),
        "You took 10 to the start. With natural logarithms it is e.",
    ),
    Mistake(
        "base_two_back_by_e",
        _fit(np.log2, lambda losses, floor: np.log2(losses - floor)),
        "Your logarithms have base 2, and you took e to the start. Use one base.",
    ),
    Mistake(
        "minus_the_start",
        _fit(back=lambda start, slope, floor: (np.exp(-start), -slope)),
        "Only the slope changes its sign. A is e to the start.",
    ),
    Mistake(
        "minus_the_logarithm",
        _fit(back=lambda start, slope, floor: (-start, -slope)),
        "You return minus ln A. A is e to the start.",
    ),
    Mistake(
        "floor_in_a",
        _fit(back=lambda start, slope, floor: (np.exp(start) + floor, -slope)),
        "You added the floor to A. A is the law's own factor, above the floor.",
    ),
    Mistake(
        "one_over_the_exponent",
        _fit(back=lambda start, slope, floor: (np.exp(start), -1 / slope)),
        "You return 1 / α. The exponent is minus the slope itself.",
    ),
    Mistake(
        "e_to_the_exponent",
        _fit(back=lambda start, slope, floor: (np.exp(start), np.exp(-slope))),
        "You took e to α as well. Only A was a logarithm.",
    ),
    Mistake(
        "mean_of_the_slopes",
        _mean_slope,
        "You took the mean of the slopes from run to run. The line of least squares weighs all together.",
    ),
    Mistake(
        "through_the_origin",
        _through_the_origin,
        "Your line goes through the origin, so A is 1. The line has a start, too: np.polyfit(x, y, 1).",
    ),
    Mistake(
        "first_two_runs_alone",
        lambda sizes, losses, floor: _fit()(sizes[:2], losses[:2], floor),
        "You drew the line through the first two runs. Use all of them.",
    ),
    Mistake(
        "logarithm_of_sizes_alone",
        _fit(y=lambda losses, floor: losses - floor, back=lambda b, a, floor: (b, -a)),
        "You took the logarithm of the sizes alone. A power law is a straight line in ln(loss - floor) "
        "over ln(size).",
    ),
)
