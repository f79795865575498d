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
        "the result equals the flattened tokens times the Toeplitz matrix",
        lambda y, x, weight: np.allclose(
            y.ravel(), x.ravel() @ recurrent.toeplitz(np.asarray(weight), len(x))
        ),
    )
    return [
        Case(
            "the four tokens of the chapter",
            (chapter, tiny),
            "Output 0 is the first entry of token 0 plus the second entry of token 1: 1 + 1.",
            expected=np.array([[2.0], [1], [1]]),
        ),
        Case(
            "random tokens",
            (x, weight),
            "W, D and F are different here, and the result has the shape (T-W+1, F).",
            properties=(toeplitz,),
        ),
        Case(
            "a window as long as the sequence",
            (x[:W], weight),
            "There is only one window here, so the result has one row.",
            properties=(toeplitz,),
        ),
        Case(
            "a window of one token, over integers",
            (np.round(3 * x).astype(int), weight[:1]),
            "Here W is 1, so the result is x @ weight[0], which has decimals although x has none.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
