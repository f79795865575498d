"""Cases of 14.info_nce."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _duplicates(rng, B, D):
    """Return images, and captions of which some are equal."""
    names = rng.normal(size=(3, D))
    return rng.normal(size=(B, D)), names[rng.permutation(np.arange(B) % 3)]


def cases(rng):
    B, D = int(rng.integers(4, 6)), int(rng.integers(6, 9))
    x, y = rng.normal(size=(2, B, D))
    half = np.sqrt(3) / 2
    positive = ("a loss is 0 or more", lambda loss, *_: loss > -1e-9)
    return [
        Case(
            "two pairs at an angle of 60°, by hand",
            (np.array([[2.0, 0.0], [1.0, 2 * half]]), np.array([[1.0, 0.0], [0.5, half]]), 0.5 / np.log(9)),
            "The cosines are 1 and ½. Over T: 2 ln 9 and ln 9, so the weights are 9 : 1: -ln 0.9.",
            expected=-float(np.log(0.9)),
        ),
        Case(
            "random pairs",
            (x, 3 * y + 1, 0.3),
            "Rows have other lengths: only directions count.",
            properties=(positive,),
        ),
        Case(
            "other pairs",
            (2 * x[:-1] + y[:-1], y[:-1], 0.8),
            "Rows and columns, both.",
            properties=(positive,),
        ),
        Case(
            "nothing can be told apart",
            (np.ones((B, D)), np.ones((B, D)), 0.07),
            "Then it is ln B.",
            expected=float(np.log(B)),
        ),
        Case(
            "a name twice",
            (*_duplicates(rng, B + 2, D), 0.2),
            "Equal captions need no special care.",
            properties=(positive,),
        ),
        Case("a very small temperature", (y, 2 * x + 3 * y, 0.001), "e to 1000 overflows."),
        Case(
            "two pairs, each with the wrong partner, by hand",
            (np.eye(2), np.eye(2)[::-1], 0.001),
            "The partner has the score 0, the other one 1000: so the surprise is 1000. "
            "log_softmax never takes the logarithm of 0.",
            expected=1000.0,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
