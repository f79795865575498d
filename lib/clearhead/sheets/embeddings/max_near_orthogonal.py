"""02.max_near_orthogonal: How many nearly perpendicular directions?"""

import math

from clearhead.checks.exercise import Case, Exercise
from clearhead.maths.embeddings import max_near_orthogonal, welch_bound

from .max_near_orthogonal_wrong import MISTAKES, most_vectors


def _most_cases(rng):
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
    mistakes=MISTAKES,
    alternatives=(
        lambda N, deg: _by_search(N, math.sin(math.radians(deg))),
        lambda N, deg: most_vectors(N, 1 - math.cos(math.radians(deg)) ** 2, lambda x: math.floor(x + 1e-9)),
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
