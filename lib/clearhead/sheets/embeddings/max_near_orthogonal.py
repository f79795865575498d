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
        Case("10 dimensions, 5.7 degrees", (10, 5.7), "M is at most 10.98: round that down.", expected=10),
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


EXERCISE = exercise_from_text(__file__, cases)
