"""Cases of 14.info_nce."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _duplicates(rng, B, D):
    """Return images, and captions some of which are equal."""
    names = rng.normal(size=(3, D))
    return rng.normal(size=(B, D)), names[rng.permutation(np.arange(B) % 3)]


def cases(rng):
    B, D = int(rng.integers(4, 6)), int(rng.integers(6, 9))
    x, y = rng.normal(size=(2, B, D))
    half = np.sqrt(3) / 2
    positive = ("the loss is not negative", lambda loss, *_: loss > -1e-9)
    return [
        Case(
            "two pairs at an angle of 60°, by hand",
            (np.array([[2.0, 0.0], [1.0, 2 * half]]), np.array([[1.0, 0.0], [0.5, half]]), 0.5 / np.log(9)),
            "The cosines are 1 and ½. Divided by the temperature, they are 2 ln 9 and ln 9, so the "
            "weights are 0.9 and 0.1, and the loss is -ln 0.9.",
            expected=-float(np.log(0.9)),
        ),
        Case(
            "random pairs",
            (x, 3 * y + 1, 0.3),
            "The rows have different lengths, but only their directions count.",
            properties=(positive,),
        ),
        Case(
            "other pairs",
            (2 * x[:-1] + y[:-1], y[:-1], 0.8),
            "The loss is a mean over both directions, from images to captions and from captions to images.",
            properties=(positive,),
        ),
        Case(
            "equal images and equal captions",
            (np.ones((B, D)), np.ones((B, D)), 0.07),
            "No pair can be told apart from the others, so the loss is ln B.",
            expected=float(np.log(B)),
        ),
        Case(
            "captions that occur several times",
            (*_duplicates(rng, B + 2, D), 0.2),
            "Equal captions are treated like all others.",
            properties=(positive,),
        ),
        Case(
            "a very small temperature",
            (y, 2 * x + 3 * y, 0.001),
            "Divided by a temperature of 0.001, the scores are so large that exponentials overflow. "
            "Subtract the largest score first.",
        ),
        Case(
            "two pairs with the wrong partners, by hand",
            (np.eye(2), np.eye(2)[::-1], 0.001),
            "The partner has the score 0 and the other caption has 1000, so the surprisal is 1000. "
            "With log_softmax, you never take the logarithm of 0.",
            expected=1000.0,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
