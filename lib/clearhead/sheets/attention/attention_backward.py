"""Cases of 05.attention_backward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import by_name
from .shared import CHAPTER, sizes


def cases(rng):
    d, T, S, e = sizes(rng, 4)
    shapes = ((T, e), (T, d), (S, d), (S, e))
    X, W_q, W_k, W_v = CHAPTER
    dZ = np.zeros((4, 3), dtype=int)
    dZ[3, 0] = 1
    equal_values = np.ones((S, e))
    no_gradient = (
        "dQ and dK are zero, because all values are equal and the scores cannot matter",
        lambda out, *given: np.allclose(out["dQ"], 0) and np.allclose(out["dK"], 0),
    )
    drawn = [rng.normal(size=shape) for shape in shapes]
    long = np.array([[2048.0, 2, 0, 0], [-1400, 0, 0, 0]])  # the first one finds scores of 2048 and 2049
    near = np.array([[2.0, 0, 1, 0], [-1, 0, 0, 0], [2, 1, 0, 0]])
    return [
        Case(
            "the gradient of one entry of z₄, as in the chapter",
            (dZ, X @ W_q, X @ W_k, X @ W_v),
            "The section 'Backwards, by hand' of the chapter has every step.",
        ),
        Case(
            "random arrays, all sizes different",
            tuple(drawn),
            "Check the three shapes: dQ has the shape of Q, dK that of K, and dV that of V.",
        ),
        Case(
            "equal values",
            (*drawn[:3], equal_values),
            "All values are equal, so the attention weights cannot change the output. The gradients "
            "dQ and dK are therefore zero.",
            properties=(no_gradient,),
        ),
        Case(
            "long queries",
            (drawn[0], 3 * drawn[1], *drawn[2:]),
            "Longer queries give larger scores and sharper weights, through which the gradients are smaller.",
        ),
        Case(
            "very long queries",
            (drawn[0][:2], long, near, drawn[3][:3]),
            "Some scores are in the thousands, so subtract the largest score of each row before the "
            "exponential. The scores 2048 and 2049 of the first query both get a weight.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=by_name, returns=("dQ", "dK", "dV"))
