"""Cases of 07.shift_matrix."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.positions import frequencies, sinusoidal_shift

from .shared import even_number


def at(times, d_model):
    """Return the code at any times, also negative ones."""
    angles = np.asarray(times)[:, None] * frequencies(d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d_model)


def cases(rng):
    rotation = ("R Rᵀ is the identity", lambda R, s, d: np.allclose(R @ R.T, np.eye(d)))
    moves = (
        "code of position t, times R, is the code of position t + offset",
        lambda R, s, d: np.allclose(at(range(9), d) @ R, at(np.arange(9) + s, d)),
    )
    halves = (
        "two steps of offset are one step of twice the offset",
        lambda R, s, d: np.allclose(R @ R, sinusoidal_shift(2 * s, d)),
    )
    both, c, s = (rotation, moves, halves), np.cos(1), np.sin(1)
    return [
        Case(
            "one step, one pair, by hand",
            (1, 2),
            "The block is [[cos 1, -sin 1], [sin 1, cos 1]]: the rows of the code stand on the left of it.",
            expected=np.array([[c, -s], [s, c]]),
            properties=both,
        ),
        Case(
            "a random step",
            (int(rng.integers(2, 300)), even_number(rng)),
            "One block for each pair of columns, each with its own speed.",
            properties=both,
        ),
        Case("back", (-int(rng.integers(2, 300)), 6), "A negative offset walks back.", properties=both),
        Case("no step", (0, 8), "At offset 0 nothing changes: the identity.", expected=np.eye(8)),
        Case("far away", (700, 4), "Only sine and cosine of offset · speed come in.", properties=both),
    ]


EXERCISE = exercise_from_text(__file__, cases)
