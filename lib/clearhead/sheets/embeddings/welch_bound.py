"""Cases of 02.welch_bound."""

import math

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    N = int(rng.integers(5, 40))
    M = N + int(rng.integers(2, 200))
    return [
        Case(
            "three directions in the plane, by hand",
            (3, 2),
            "(3 - 2) / (2 · 2) is a quarter, and its square root is a half. Three vectors at angles "
            "of 120° reach this bound exactly.",
            expected=0.5,
        ),
        Case(
            "10,000 vectors in 100 dimensions",
            (10_000, 100),
            "The bound is about 0.0995.",
            expected=math.sqrt(9900 / 999_900),
        ),
        Case(
            "random sizes", (M, N), "M is the number of vectors, and N is the number of their dimensions.", 2
        ),
        Case(
            "as many vectors as dimensions",
            (N, N),
            "With no more vectors than dimensions, all of them can be perpendicular, so the bound is 0.",
            expected=0.0,
        ),
        Case(
            "fewer vectors than dimensions",
            (N - 2, N),
            "With no more vectors than dimensions, all of them can be perpendicular, so the bound is 0.",
            expected=0.0,
        ),
        Case(
            "one vector",
            (1, N),
            "There is no other vector, so the bound is 0. The formula would divide by M - 1, which is 0.",
            expected=0.0,
        ),
        Case(
            "one vector in one dimension",
            (1, 1),
            "Here M - 1 is 0, so return 0 before you divide by it.",
            expected=0.0,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
