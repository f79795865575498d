"""Cases of 03.conv1d."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import recurrent
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    W, D, F, more = different_sizes(rng, 4, 3, 8)
    x, weight = rng.normal(size=(W + more, D)), rng.normal(size=(W, D, F))
    chapter = np.array([[1.0, 0], [0, 1], [1, 1], [2, 0]])
    tiny = np.array([[[1.0], [0]], [[0], [1]]])
    toeplitz = (
        "it equals one row times the Toeplitz matrix",
        lambda y, x, weight: np.allclose(
            y.ravel(), x.ravel() @ recurrent.toeplitz(np.asarray(weight), len(x))
        ),
    )
    return [
        Case(
            "the four tokens of the chapter",
            (chapter, tiny),
            "Output 0 is the first number of token 0 plus the second number of token 1: 1 + 1.",
            expected=np.array([[2.0], [1], [1]]),
        ),
        Case(
            "random tokens", (x, weight), "W, D and F differ; check the shape first.", properties=(toeplitz,)
        ),
        Case(
            "the window is the sentence", (x[:W], weight), "How many windows fit now?", properties=(toeplitz,)
        ),
        Case(
            "a window of one, over whole numbers",
            (np.round(3 * x).astype(int), weight[:1]),
            "Each token alone: x @ weight[0].",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
