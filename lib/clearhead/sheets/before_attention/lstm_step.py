"""Cases of 03.lstm_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .drivers import by_name_lstm


def cases(rng):
    D, F = different_sizes(rng, 2, 3, 8)
    shapes = ((D,), (F,), (F,), (D, 4 * F), (F, 4 * F), (4 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2,), (1,), (2, 4), (1, 4), (4,)))
    closed = np.repeat([-40.0, 40, 0, 0], F)
    kept = (
        "with i = 0 and f = 1, the cell state stays as it was",
        lambda out, x, h, c, *weights: np.allclose(out["c"], c),
    )
    return [
        Case(
            "weights of zero, c = 3",
            (zeros[0], np.zeros(1), np.array([3]), *zeros[2:]),
            "Every gate is sigmoid(0) = 0.5 and the candidate is tanh(0) = 0, so c = 0.5 · 3 + 0.5 · "
            "0 = 1.5.",
            expected={"h": np.array([0.5 * np.tanh(1.5)]), "c": np.array([1.5])},
        ),
        Case("random weights", drawn, "The columns are in the order i, f, g, o."),
        Case(
            "a forget gate of 1 and an input gate of 0",
            (*drawn[:3], 0 * drawn[3], 0 * drawn[4], closed),
            "The forget gate f multiplies the old cell state, and the input gate i multiplies the candidate.",
            properties=(kept,),
        ),
        Case(
            "a large cell state",
            (drawn[0], drawn[1], 3 * drawn[2], *drawn[3:]),
            "The cell state c can be large. The tanh is applied to it only where h is computed.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=by_name_lstm, returns=("h", "c"))
