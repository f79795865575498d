"""Cases of 07.sinusoidal_pe."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import or_refusal
from .shared import even_number


def cases(rng):
    norm = (
        "the squares of each row sum to D/2",
        lambda P, length, d: np.allclose(np.sum(P**2, axis=1), d / 2),
    )
    offset = (
        "the dot product of two rows depends only on how far apart they are",
        lambda P, length, d: np.allclose((P @ P.T)[1:, 1:], (P @ P.T)[:-1, :-1]),
    )
    t = np.arange(3)
    by_hand = np.stack([np.sin(t), np.cos(t), np.sin(0.01 * t), np.cos(0.01 * t)], axis=1)
    return [
        Case(
            "three positions, four columns, by hand",
            (3, 4),
            "The two speeds are 1 and 0.01. Row 1 is (sin 1, cos 1, sin 0.01, cos 0.01).",
            expected=by_hand,
            properties=(norm, offset),
        ),
        Case(
            "random sizes",
            (int(rng.integers(11, 120)), even_number(rng, 3, 20)),
            "The result has the shape (length, d_model), and the sine and the cosine of a pair of "
            "columns have the same speed.",
            properties=(norm, offset),
        ),
        Case("one position", (1, 6), "At position 0, every sine is 0 and every cosine is 1."),
        Case(
            "a long sequence",
            (500, 8),
            "The code of a position does not depend on the length of the sequence.",
            properties=(norm,),
        ),
        Case(
            "an odd number of columns",
            (4, 7),
            "The columns come in pairs, so raise a ValueError for an odd `d_model`.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=or_refusal)
