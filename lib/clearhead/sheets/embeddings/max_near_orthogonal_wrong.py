"""The wrong answers of 02.max_near_orthogonal."""

import math

from clearhead.checks.exercise import Mistake


def _down(most):
    return math.floor(most + 1e-9)  # 2.9999999999999996 is 3


def most_vectors(N, squared, rounded=_down, limit=1 - 1e-12):
    return math.inf if N * squared >= limit else rounded(N * (1 - squared) / (1 - N * squared))


def _sine(deg):
    return math.sin(math.radians(deg))


def _no_limit(N, squared):
    return _down(N * (1 - squared) / (1 - N * squared))


MISTAKES = (
    Mistake(
        "the_limit_is_lost_by_rounding",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, limit=1),
        "N ε² is 1 here, and a computer finds 0.9999999999999998. Compare with 1 - 1e-12.",
    ),
    Mistake(
        "degrees_taken_for_radians",
        lambda N, deg: most_vectors(N, math.sin(deg) ** 2),
        "math.sin wants radians. Convert with math.radians(deg).",
    ),
    Mistake(
        "radians_taken_for_the_sine",
        lambda N, deg: most_vectors(N, math.radians(deg) ** 2),
        "You took the angle for its sine. Small ones are close, not equal: ε = math.sin(math.radians(deg)).",
    ),
    Mistake(
        "above_the_line_N_alone",
        lambda N, deg: math.inf if N * _sine(deg) ** 2 >= 1 else _down(N / (1 - N * _sine(deg) ** 2)),
        "Above the line stands N (1 - ε²): when you bring M to one side, - N ε² stays on the other.",
    ),
    Mistake(
        "above_the_line_N_alone_else_careful",
        lambda N, deg: math.inf if N * _sine(deg) ** 2 >= 1 - 1e-12 else _down(N / (1 - N * _sine(deg) ** 2)),
        "Above the line stands N (1 - ε²): when you bring M to one side, - N ε² stays on the other.",
    ),
    Mistake(
        "epsilon_not_squared",
        lambda N, deg: most_vectors(N, math.sin(math.radians(deg))),
        "ε must be squared, in the formula and where you ask whether there is a limit.",
    ),
    Mistake(
        "the_formula_of_the_source",
        lambda N, deg: math.floor(math.exp(min(math.sin(math.radians(deg)) * N, 500))),
        "This is e^(εN), which the chapter corrects. Solve the Welch bound for M.",
    ),
    Mistake(
        "rounded_up",
        lambda N, deg: most_vectors(N, math.sin(math.radians(deg)) ** 2, math.ceil),
        "You rounded up. M vectors that exceed the bound cannot exist, so round down.",
    ),
    Mistake(
        "not_rounded",
        lambda N, deg: most_vectors(N, math.sin(math.radians(deg)) ** 2, float),
        "Vectors come in whole numbers. Round down.",
    ),
    Mistake(
        "no_limit_forgotten",
        lambda N, deg: math.floor(
            N * (1 - math.sin(math.radians(deg)) ** 2) / (1 - N * math.sin(math.radians(deg)) ** 2)
        ),
        "Where N ε² is 1 or more, what the division gives is no limit, or it fails. Return math.inf there.",
    ),
    Mistake(
        "cosine_of_the_angle",
        lambda N, deg: most_vectors(N, math.cos(math.radians(deg)) ** 2),
        "The angles are near 90°, not near 0: the largest cosine is cos(90° - deg) = sin(deg).",
    ),
    Mistake(
        "rounding_lost_one",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, math.floor),
        "Where 3 should come out, a computer may find 2.9999999999999996, and rounding down makes 2 "
        "of it. Add a little, such as 1e-9, first.",
    ),
    Mistake(
        "no_limit_only_above_1",
        lambda N, deg: (
            math.inf
            if N * _sine(deg) ** 2 > 1
            else _down(N * (1 - _sine(deg) ** 2) / (1 - N * _sine(deg) ** 2))
        ),
        "N ε² = 1 has no limit either: there you divide by zero, or nearly. Compare with 1 - 1e-12.",
    ),
    Mistake(
        "one_added",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2) + 1,
        "Your number is one too large. The largest whole number that the bound allows is rounded "
        "down, and no more.",
    ),
    Mistake(
        "rounded_to_the_nearest",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, round),
        "You rounded to the nearest whole number. What lies above the bound cannot exist: round down.",
    ),
    Mistake(
        "tangent_for_sine",
        lambda N, deg: most_vectors(N, math.tan(math.radians(min(deg, 89))) ** 2),
        "You took the tangent. ε is the sine of the angle.",
    ),
    Mistake(
        "half_the_angle",
        lambda N, deg: most_vectors(N, _sine(deg / 2) ** 2),
        "You took the sine of half the angle. deg lies on each side of 90° already.",
    ),
    Mistake(
        "twice_the_angle",
        lambda N, deg: most_vectors(N, _sine(2 * deg) ** 2),
        "You took the sine of twice the angle. deg is how far an angle may lie from 90°, to each side.",
    ),
    Mistake(
        "rounding_forgotten_twice",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, math.floor, limit=1),
        "A computer is off by a little: it finds 2.9999999999999996 for 3, and 0.9999999999999998 for 1. "
        "Add a little before you round down, and compare N ε² with a little less than 1.",
    ),
    Mistake(
        "no_limit_forgotten_else_careful",
        lambda N, deg: _no_limit(N, _sine(deg) ** 2),
        "Where N ε² is 1 or more, what the division gives is no limit, or it fails. Return math.inf there.",
    ),
    Mistake(
        "less_than_the_bound",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, lambda most: math.ceil(most - 1e-9) - 1),
        "Where the division gives a whole number you return one less. The bound itself can be reached.",
    ),
    Mistake(
        "limit_without_the_square",
        lambda N, deg: math.inf if N * _sine(deg) >= 1 else most_vectors(N, _sine(deg) ** 2),
        "You return inf where N ε is 1 or more. It is N ε² that must be 1 or more.",
    ),
    Mistake(
        "plus_below",
        lambda N, deg: (
            math.inf
            if N * _sine(deg) ** 2 >= 1 - 1e-12
            else _down(N * (1 - _sine(deg) ** 2) / (1 + N * _sine(deg) ** 2))
        ),
        "Below the line stands 1 - N ε², with a minus. Bring all M to one side once more.",
    ),
    Mistake(
        "plus_above",
        lambda N, deg: (
            math.inf
            if N * _sine(deg) ** 2 >= 1 - 1e-12
            else _down(N * (1 + _sine(deg) ** 2) / (1 - N * _sine(deg) ** 2))
        ),
        "Above the line stands N (1 - ε²), with a minus. Bring all M to one side once more.",
    ),
    Mistake(
        "too_much_added",
        lambda N, deg: most_vectors(N, _sine(deg) ** 2, lambda most: math.floor(most + 0.1)),
        "You added too much before you round down, and 10.98 becomes 11. Add no more than 1e-9.",
    ),
)
