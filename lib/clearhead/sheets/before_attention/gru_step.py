"""Cases of 03.gru_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    D, F = different_sizes(rng, 2, 3, 8)
    shapes = ((D,), (F,), (D, 3 * F), (F, 3 * F), (3 * F,), (3 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2, 3), (1, 3), (3,), (3,)))
    stays = np.repeat([0.0, 40, 0], F)
    kept = ("where z is 1, the hidden state stays as it was", lambda out, x, h, *weights: np.allclose(out, h))
    return [
        Case(
            "weights of zero, h = 3",
            (np.zeros(2), np.array([3]), *zeros),
            "r = z = 0.5 and n = 0, so h = 0.5 · 0 + 0.5 · 3 = 1.5.",
            expected=np.array([1.5]),
        ),
        Case(
            "random weights",
            drawn,
            "The columns are in the order r, z, n, and r multiplies h @ U + d after the matrix product.",
        ),
        Case(
            "an update gate of 1",
            (*drawn[:2], 0 * drawn[2], 0 * drawn[3], stays, 0 * drawn[5]),
            "In PyTorch's convention, z is the fraction of the old hidden state that stays.",
            properties=(kept,),
        ),
        Case(
            "a large hidden state",
            (drawn[0], 2 * drawn[1], *drawn[2:]),
            "The hidden state is large here, so it matters what r multiplies: h @ U + d, and not h itself.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
