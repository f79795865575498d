"""Cases of 07.shift_matrix."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.positions import frequencies, sinusoidal_shift

from .shared import even_number


def at(times, d_model):
    """Return the encoding at any positions, including negative ones."""
    angles = np.asarray(times)[:, None] * frequencies(d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d_model)


def cases(rng):
    rotation = ("R Rᵀ is the identity", lambda R, s, d: np.allclose(R @ R.T, np.eye(d)))
    moves = (
        "the code of position t times R is the code of position t + offset",
        lambda R, s, d: np.allclose(at(range(9), d) @ R, at(np.arange(9) + s, d)),
    )
    halves = (
        "R times R is the matrix for twice the offset",
        lambda R, s, d: np.allclose(R @ R, sinusoidal_shift(2 * s, d)),
    )
    both, c, s = (rotation, moves, halves), np.cos(1), np.sin(1)
    return [
        Case(
            "an offset of 1 and one pair of columns, by hand",
            (1, 2),
            "The block is [[cos 1, -sin 1], [sin 1, cos 1]]. The code is a row, which is multiplied "
            "by this block on its right.",
            expected=np.array([[c, -s], [s, c]]),
            properties=both,
        ),
        Case(
            "a random offset",
            (int(rng.integers(2, 300)), even_number(rng)),
            "There is one block for each pair of columns, and each block has its own speed.",
            properties=both,
        ),
        Case(
            "a negative offset",
            (-int(rng.integers(2, 300)), 6),
            "With a negative offset, the codes move to earlier positions.",
            properties=both,
        ),
        Case(
            "an offset of 0",
            (0, 8),
            "An offset of 0 changes nothing, so the matrix is the identity.",
            expected=np.eye(8),
        ),
        Case(
            "a large offset",
            (700, 4),
            "The matrix consists of the sines and cosines of offset · speed, and of zeros.",
            properties=both,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
