"""Cases of 08.tied_gradient."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    T, V, D = sizes(rng, 3)
    V += 8

    def drawn(ids, scale=1.0):
        return (
            np.array(ids),
            rng.normal(size=(len(ids), D)),
            rng.normal(size=(len(ids), D)),
            scale * rng.normal(size=(len(ids), V)),
        )

    dx = np.array([[1.0, 2], [10, 20]])
    h, dlogits = np.array([[1.0, 0], [0, 3]]), np.array([[0.0, 0, 1], [0, 0, 1]])
    different, same = rng.permutation(V)[:T], int(rng.integers(V))
    return [
        Case(
            "one word that occurs twice, by hand",
            (np.array([1, 1]), dx, h, dlogits),
            "Row 1 gets (1, 2) + (10, 20) as an embedding of the input. Row 2 gets (1, 0) + (0, 3) "
            "from the logits.",
            expected=np.array([[0.0, 0], [11, 22], [1, 3]]),
        ),
        Case(
            "different words",
            drawn(different),
            "dE has the shape of E, (V, D). The row of a word in the input gets a gradient from both "
            "uses of E.",
        ),
        Case(
            "words that occur several times",
            drawn([*different, *different[:2], same, same]),
            "Every occurrence of a word in the input contributes to the gradient of its row.",
        ),
        Case(
            "a gradient of 0 for the logits",
            drawn([same, *different, same], scale=0.0),
            "Only the rows of words in the input can differ from 0 here.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
