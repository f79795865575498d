"""Cases of 00.to_column_convention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax
from clearhead.sheets.ingredients import different_sizes


def _weights(rng, T, S):
    """Return weights (T, S) whose rows sum to 1."""
    return softmax(rng.normal(size=(T, S)))


def cases(rng):
    T, S, e = different_sizes(rng, 3, 5, 11)
    n, width = different_sizes(rng, 2, 5, 11)
    look = "Each column of the result belongs to one query, and it is that query's row of A @ V."
    by_hand = (
        np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]),
        np.array([[2.0, 0.0, 4.0, 6.0], [8.0, 2.0, 0.0, 6.0]]),
    )
    return [
        Case(
            "three queries and two values, worked by hand",
            by_hand,
            look,
            expected=np.array([[2.0, 5.0, 8.0], [0.0, 1.0, 2.0], [4.0, 2.0, 0.0], [6.0, 6.0, 6.0]]),
        ),
        Case("other sizes, all different", (_weights(rng, T, S), rng.normal(size=(S, e))), look, 2),
        Case(
            "as many queries as keys",
            (_weights(rng, n, n), rng.normal(size=(n, width))),
            "A is square here, so products with A and with A.T have the same shape. In the row convention, "
            "the columns of A belong to the rows of V.",
            2,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
