"""02.max_near_orthogonal: How many nearly perpendicular directions?"""

import math

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.embeddings import max_near_orthogonal, welch_bound


def _down(most):
    return math.floor(most + 1e-9)  # 2.9999999999999996 is 3


def _most(N, squared, rounded=_down, limit=1 - 1e-12):
    return math.inf if N * squared >= limit else rounded(N * (1 - squared) / (1 - N * squared))


def _sine(deg):
    return math.sin(math.radians(deg))


def _most_cases(rng):
    N = int(rng.integers(20, 60))
    deg = float(rng.uniform(3, 5))
    return [
        Case("100 dimensions, one degree", (100, 1.0), "ε² is 0.0003046, so N ε² is 0.03046.", expected=103),
        Case("1,000 dimensions, one degree", (1000, 1.0), "N ε² is 0.3046.", expected=1437),
        Case("10 dimensions, five degrees", (10, 5.0), "ε = sin 5° = 0.0872.", expected=10),
        Case("random", (N, deg), "Angles are given in degrees.", 2),
        Case("12,288 dimensions, one degree", (12_288, 1.0), "N ε² is above 1: no limit.", expected=math.inf),
        Case("30 dimensions, twenty degrees", (30, 20.0), "N ε² is above 1: no limit.", expected=math.inf),
        Case("exactly perpendicular", (37, 0.0), "Then exactly N vectors fit.", expected=37),
        Case(
            "100 dimensions, 5.7 degrees",
            (100, 5.7),
            "N ε² is 0.986, so near to 1 that every digit counts: ε = sin(deg), and N (1 - ε²) stands above.",
            2,
        ),
        Case(
            "2 dimensions, thirty degrees",
            (2, 30.0),
            "Three directions fit in the plane. A computer finds 2.9999999999999996: add a little, such as "
            "1e-9, before you round down.",
            expected=3,
        ),
        Case(
            "4 dimensions, thirty degrees",
            (4, 30.0),
            "N ε² is 1: no limit. A computer finds 0.9999999999999998: compare with 1 - 1e-12.",
            expected=math.inf,
        ),
        Case("1 dimension, ninety degrees", (1, 90.0), "N ε² is 1: no limit.", expected=math.inf),
    ]


EXERCISE = Exercise(
    "02.max_near_orthogonal",
    "How many nearly perpendicular directions?",
    max_near_orthogonal,
    _most_cases,
    hints=(
        "Angles within deg of 90° mean cosines of at most ε = sin(deg). Put ε into the Welch bound and "
        "solve for M.",
        "ε² N (M - 1) ≥ M - N. Bring all M to one side: M (1 - N ε²) ≤ N (1 - ε²). When may you divide?",
        "squared = math.sin(math.radians(deg)) ** 2; math.inf if N * squared > 1 - 1e-12, else math.floor(N "
        "* (1 - squared) / (1 - N * squared) + 1e-9). The small numbers make 0.9999999999999998 a 1.",
    ),
    mistakes=(
        Mistake(
            "the_limit_is_lost_by_rounding",
            lambda N, deg: _most(N, _sine(deg) ** 2, limit=1),
            "N ε² is 1 here, and a computer finds 0.9999999999999998. Compare with 1 - 1e-12.",
        ),
        Mistake(
            "degrees_taken_for_radians",
            lambda N, deg: _most(N, math.sin(deg) ** 2),
            "math.sin wants radians. Convert with math.radians(deg).",
        ),
        Mistake(
            "radians_taken_for_the_sine",
            lambda N, deg: _most(N, math.radians(deg) ** 2),
            "You took the angle for its sine. They are close, not equal: ε = math.sin(math.radians(deg)).",
        ),
        Mistake(
            "above_the_line_N_alone",
            lambda N, deg: math.inf if N * _sine(deg) ** 2 >= 1 else _down(N / (1 - N * _sine(deg) ** 2)),
            "Above the line stands N (1 - ε²): when you bring M to one side, - N ε² stays on the other.",
        ),
        Mistake(
            "epsilon_not_squared",
            lambda N, deg: _most(N, math.sin(math.radians(deg))),
            "ε must be squared: the bound holds squared cosines.",
        ),
        Mistake(
            "the_formula_of_the_source",
            lambda N, deg: math.floor(math.exp(min(math.sin(math.radians(deg)) * N, 500))),
            "This is e^(εN), which the chapter corrects. Solve the Welch bound for M.",
        ),
        Mistake(
            "rounded_up",
            lambda N, deg: _most(N, math.sin(math.radians(deg)) ** 2, math.ceil),
            "You rounded up. M vectors that exceed the bound cannot exist, so round down.",
        ),
        Mistake(
            "not_rounded",
            lambda N, deg: _most(N, math.sin(math.radians(deg)) ** 2, float),
            "Vectors come in whole numbers. Round down.",
        ),
        Mistake(
            "no_limit_forgotten",
            lambda N, deg: math.floor(
                N * (1 - math.sin(math.radians(deg)) ** 2) / (1 - N * math.sin(math.radians(deg)) ** 2)
            ),
            "Where N ε² is 1 or more, the division turns the sign round. The bound says nothing there: "
            "return math.inf.",
        ),
        Mistake(
            "cosine_of_the_angle",
            lambda N, deg: _most(N, math.cos(math.radians(deg)) ** 2),
            "The angles are near 90°, not near 0: the largest cosine is cos(90° - deg) = sin(deg).",
        ),
        Mistake(
            "rounding_lost_one",
            lambda N, deg: _most(N, _sine(deg) ** 2, math.floor),
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
            "N ε² = 1 has no limit either: there you divide by zero. Ask whether it is 1 or more.",
        ),
        Mistake(
            "one_added",
            lambda N, deg: _most(N, _sine(deg) ** 2) + 1,
            "Your number is one too large. The largest whole number that the bound allows is rounded "
            "down, and no more.",
        ),
        Mistake(
            "rounded_to_the_nearest",
            lambda N, deg: _most(N, _sine(deg) ** 2, round),
            "You rounded to the nearest whole number. What lies above the bound cannot exist: round down.",
        ),
        Mistake(
            "tangent_for_sine",
            lambda N, deg: _most(N, math.tan(math.radians(min(deg, 89))) ** 2),
            "You took the tangent. ε is the sine of the angle.",
        ),
        Mistake(
            "half_the_angle",
            lambda N, deg: _most(N, _sine(deg / 2) ** 2),
            "You took the sine of half the angle. deg lies on each side of 90° already.",
        ),
        Mistake(
            "twice_the_angle",
            lambda N, deg: _most(N, _sine(2 * deg) ** 2),
            "You took the sine of twice the angle. deg is how far an angle may lie from 90°, to each side.",
        ),
    ),
    alternatives=(
        lambda N, deg: _by_search(N, math.sin(math.radians(deg))),
        lambda N, deg: _most(N, 1 - math.cos(math.radians(deg)) ** 2, lambda x: math.floor(x + 1e-9)),
    ),
    stars=3,
    minutes=15,
)


def _by_search(N, epsilon):
    """Return the most vectors by trying: one more as long as the Welch bound allows it."""
    if N * epsilon**2 > 1 - 1e-12:
        return math.inf
    M = N
    while welch_bound(M + 1, N) <= epsilon + 1e-12:
        M += 1
    return M
