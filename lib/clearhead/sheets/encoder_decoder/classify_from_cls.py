"""Cases of 11.classify_from_cls."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    B, T, D, C = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    one = ("each row sums to 1", lambda p, x, W, b: np.allclose(np.sum(p, axis=-1), 1))
    x = np.array([[[1.0, 0], [5, 5], [7, -7]], [[0, 1.0], [3, 3], [-4, 4]]])
    W = np.log(np.array([[3.0, 1], [1, 4]]))

    def made(B, T, spread=1.0):
        return rng.normal(size=(B, T, D)), spread * rng.normal(size=(D, C)), spread * rng.normal(size=C)

    return [
        Case(
            "two texts, by hand",
            (x, W, np.zeros(2)),
            "Only the first token counts. The logits of the first text are ln 3 and 0, so it gets 3/4 "
            "and 1/4.",
            expected=np.array([[3 / 4, 1 / 4], [1 / 5, 4 / 5]]),
        ),
        Case(
            "random texts",
            made(B, T),
            "Multiply the first token of each text by W, add b, and take the softmax.",
            properties=(one,),
        ),
        Case(
            "other texts",
            made(B + 3, T + 2),
            "Return one row of probabilities for each text.",
            properties=(one,),
        ),
        Case(
            "one text", made(1, T), "The result is still a matrix, with one row: (1, C).", properties=(one,)
        ),
        Case(
            "large logits",
            made(B + 1, T, 900.0),
            "Exponentials of large logits overflow. Use softmax, which subtracts the largest logit of "
            "each row.",
            properties=(one,),
        ),
        Case(
            "logits near 5,000",
            (x, W, np.array([5000.0, 5000.0])),
            "Adding a constant to all logits of a text does not change its probabilities.",
            expected=np.array([[3 / 4, 1 / 4], [1 / 5, 4 / 5]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
