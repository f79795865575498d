"""Cases of 07.rope."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import even_number


def cases(rng):
    T, d = int(rng.integers(11, 16)), even_number(rng, 2, 4)
    Q = rng.normal(size=(T, d))
    positions = rng.permutation(3 * T)[:T]
    same, start = np.tile(Q[0], (T, 1)), int(rng.integers(5, 50))
    lengths = (
        "each row keeps its length",
        lambda out, Q, positions: np.allclose(np.linalg.norm(out, axis=1), np.linalg.norm(Q, axis=1)),
    )
    distance = (
        "the dot product of two rows depends only on the distance between their positions, "
        "because all queries are equal",
        lambda out, Q, positions: np.allclose((out @ out.T)[1:, 1:], (out @ out.T)[:-1, :-1]),
    )
    c, s = np.cos(2), np.sin(2)
    return [
        Case(
            "positions 0 and 2, by hand",
            (np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([0, 2])),
            "At position 0 nothing is rotated. At position 2, the result is (3 cos 2 - 4 sin 2, 3 sin "
            "2 + 4 cos 2).",
            expected=np.array([[3, 4], [3 * c - 4 * s, 3 * s + 4 * c]]),
            properties=(lengths,),
        ),
        Case(
            "random queries, positions in any order",
            (Q, positions),
            "Row t is at the position positions[t]. Each pair of neighbouring columns rotates at its "
            "own speed.",
            properties=(lengths,),
        ),
        Case(
            "one query at many positions",
            (same, np.arange(start, start + T)),
            "All queries are equal, so the dot product of two rows depends only on the distance "
            "between their positions.",
            properties=(lengths, distance),
        ),
        Case(
            "large positions",
            (Q, 5000 + positions),
            "The angle is position · speed, however large the position is.",
            properties=(lengths,),
        ),
        Case(
            "queries with integer entries",
            (rng.integers(-4, 5, size=(3, d)), np.array([1, 2, 4])),
            "Q holds integers here, but the rotated queries have decimals.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
