"""02.welch_bound: A limit that nobody can beat."""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.embeddings import welch_bound


def _root(top):
    return math.sqrt(max(top, 0.0))


def _welch_cases(rng):
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


EXERCISE = Exercise(
    "02.welch_bound",
    "A limit that nobody can beat",
    welch_bound,
    _welch_cases,
    hints=(
        "It is one formula and one exception. The chapter has both, under its figure.",
        "For M ≤ N all vectors can be perpendicular: return 0 before you divide.",
        "math.sqrt((M - N) / (N * (M - 1)))",
    ),
    mistakes=(
        Mistake(
            "no_root",
            lambda M, N: 0.0 if M <= N else (M - N) / (N * (M - 1)),
            "This is the squared cosine. Take the square root.",
        ),
        Mistake(
            "divided_by_M",
            lambda M, N: 0.0 if M <= N else _root((M - N) / (N * M)),
            "Each vector meets M - 1 others, not M.",
        ),
        Mistake(
            "n_and_m_swapped_below",
            lambda M, N: 0.0 if M <= N else _root((M - N) / (M * (N - 1))),
            "Below the line stands N (M - 1): M counts the vectors.",
        ),
        Mistake(
            "few_vectors_forgotten",
            lambda M, N: math.sqrt((M - N) / (N * (M - 1))),
            "With fewer vectors than dimensions, or with one, the formula breaks down. Return 0 for M ≤ N.",
        ),
        Mistake(
            "the_angle",
            lambda M, N: math.degrees(math.acos(welch_bound(M, N))),
            "This is the angle in degrees. The bound is a cosine.",
        ),
        Mistake(
            "in_degrees",
            lambda M, N: math.degrees(math.asin(welch_bound(M, N))),
            "This is an angle in degrees. The cosine itself is wanted.",
        ),
        Mistake(
            "brackets_forgotten_below",
            lambda M, N: math.sqrt((M - N) / N * (M - 1)) if M > N else 0.0,
            "a / b * c is (a / b) * c. Put N * (M - 1) in brackets, so that both stand below.",
        ),
        Mistake(
            "root_above_only",
            lambda M, N: math.sqrt(M - N) / (N * (M - 1)) if M > N else 0.0,
            "Your root reaches over the part above only. Take the root of the whole fraction.",
        ),
        Mistake(
            "one_minus_the_bound",
            lambda M, N: 1 - welch_bound(M, N),
            "You returned 1 minus the bound. Return the bound itself.",
        ),
        Mistake(
            "bracket_lost_below",
            lambda M, N: _root((M - N) / (N * M - 1)) if M > N else 0.0,
            "Your bracket below the line is lost: it is N times (M - 1), not N M - 1.",
        ),
        Mistake(
            "nan_for_few_vectors",
            lambda M, N: np.sqrt((M - N) / (N * (M - 1))),
            "With fewer vectors than dimensions the root or the division fails. Return 0 for M ≤ N.",
        ),
        Mistake(
            "spread_of_random_directions",
            lambda M, N: 1 / math.sqrt(N) if M > N else 0.0,
            "That is 1/√N, the spread of random directions. The bound also depends on M.",
        ),
        Mistake(
            "one_for_few_vectors",
            lambda M, N: welch_bound(M, N) if M > N else 1.0,
            "You return 1 for M ≤ N. So few can all be perpendicular, and their cosine is 0.",
        ),
        Mistake(
            "size_of_the_difference",
            lambda M, N: math.sqrt(abs(M - N) / (N * max(M - 1, 1))),
            "You took the size of M - N, so that no root of a negative number is left. For M < N return 0.",
        ),
        Mistake(
            "m_and_n_exchanged",
            lambda M, N: welch_bound(N, M),
            "You exchanged M and N. M counts the directions, N the dimensions.",
        ),
        Mistake(
            "condition_turned_round",
            lambda M, N: 0.0 if M >= N else math.sqrt((M - N) / (N * (M - 1))),
            "You return 0 where M is at least N. It is 0 where M is at most N.",
        ),
    ),
    alternatives=(
        lambda M, N: math.sqrt(max(M - N, 0) / (N * max(M - 1, 1))),
        lambda M, N: ((M / N - 1) / (M - 1)) ** 0.5 if M > N else 0,
    ),
    stars=1,
    minutes=5,
)
