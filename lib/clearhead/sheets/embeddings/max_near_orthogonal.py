"""Cases of 02.max_near_orthogonal."""

import math

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    N = int(rng.integers(20, 60))
    deg = float(rng.uniform(3, 5))
    return [
        Case("100 dimensions, one degree", (100, 1.0), "ε² is 0.0003046, so N ε² is 0.03046.", expected=103),
        Case("1,000 dimensions, one degree", (1000, 1.0), "N ε² is 0.3046.", expected=1437),
        Case(
            "10 dimensions, 5.7 degrees",
            (10, 5.7),
            "The bound is 10.98, so round it down to 10.",
            expected=10,
        ),
        Case("random sizes", (N, deg), "The angle is given in degrees, whereas np.sin expects radians.", 2),
        Case(
            "12,288 dimensions, one degree",
            (12_288, 1.0),
            "N ε² is larger than 1, so there is no limit.",
            expected=math.inf,
        ),
        Case(
            "30 dimensions, twenty degrees",
            (30, 20.0),
            "N ε² is larger than 1, so there is no limit.",
            expected=math.inf,
        ),
        Case(
            "37 dimensions, zero degrees",
            (37, 0.0),
            "If the angle is exactly 90°, at most N vectors fit.",
            expected=37,
        ),
        Case(
            "100 dimensions, 5.7 degrees",
            (100, 5.7),
            "N ε² is 0.986, so 1 − N ε² is small and every digit of ε = sin(deg) matters. The "
            "numerator is N (1 − ε²).",
            2,
        ),
        Case(
            "2 dimensions, thirty degrees",
            (2, 30.0),
            "Exactly three directions fit in the plane. In floating point the bound is "
            "2.9999999999999996, so add a small amount such as 1e-9 before you round down.",
            expected=3,
        ),
        Case(
            "4 dimensions, thirty degrees",
            (4, 30.0),
            "N ε² is exactly 1, so there is no limit. In floating point it is 0.9999999999999998, so "
            "compare it with 1 − 1e-12.",
            expected=math.inf,
        ),
        Case(
            "1 dimension, ninety degrees",
            (1, 90.0),
            "N ε² is exactly 1, so there is no limit.",
            expected=math.inf,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
