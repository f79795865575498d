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
            "(3 - 2) / (2 · 2) is a quarter. Three arrows at 120° meet it exactly.",
            expected=0.5,
        ),
        Case(
            "10,000 vectors in 100 dimensions",
            (10_000, 100),
            "About 0.0995.",
            expected=math.sqrt(9900 / 999_900),
        ),
        Case("random sizes", (M, N), "M counts the vectors, N the numbers in each.", 2),
        Case("as many vectors as dimensions", (N, N), "They can all be perpendicular.", expected=0.0),
        Case("fewer vectors than dimensions", (N - 2, N), "They can all be perpendicular.", expected=0.0),
        Case("one vector", (1, N), "It meets nobody. Beware of dividing by M - 1.", expected=0.0),
        Case("one vector on a line", (1, 1), "M ≤ N, so it is 0: return before you divide.", expected=0.0),
    ]


EXERCISE = exercise_from_text(__file__, cases)
