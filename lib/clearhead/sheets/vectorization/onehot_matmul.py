"""Cases of 01.onehot_matmul."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, V, d = different_sizes(rng, 3, 4, 9)
    E = rng.normal(size=(V, d))
    look_up = ("the result equals E[ids]", lambda rows, E, ids: np.allclose(rows, E[ids]))
    return [
        Case(
            "rows 1, 0, 1 and 1 of a table, worked by hand",
            (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1, 1])),
            "The one-hot vector of 1 is (0, 1, 0), which selects row 1 of the table, (3, 4).",
            expected=np.array([[3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]),
        ),
        Case(
            "a random table",
            (E, rng.integers(V, size=T)),
            "A one-hot matrix of shape (T, V) times a table of shape (V, d) has the shape (T, d).",
            2,
            properties=(look_up,),
        ),
        Case(
            "the last word, twice",
            (E, np.array([V - 1, V - 1])),
            "Both ids are the same, so both rows of the result are the last row of the table.",
            properties=(look_up,),
        ),
        Case(
            "only one word",
            (E, np.array([0])),
            "One id gives a matrix with one row, of shape (1, d).",
            properties=(look_up,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
