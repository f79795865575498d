"""Cases of 01.onehot_matmul."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, V, d = different_sizes(rng, 3, 4, 9)
    E = rng.normal(size=(V, d))
    look_up = ("it equals the look-up E[ids]", lambda rows, E, ids: np.allclose(rows, E[ids]))
    return [
        Case(
            "the middle row, the first row, the middle row, worked by hand",
            (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1, 1])),
            "the one-hot of 1 is (0, 1, 0): it keeps row 1 of the table, (3, 4).",
            expected=np.array([[3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]),
        ),
        Case(
            "a random table",
            (E, rng.integers(V, size=T)),
            "(T, V) times (V, d) gives (T, d).",
            2,
            properties=(look_up,),
        ),
        Case(
            "the last word, twice",
            (E, np.array([V - 1, V - 1])),
            "the same word has the same row, each time.",
            properties=(look_up,),
        ),
        Case(
            "one word only",
            (E, np.array([0])),
            "one word still gives a table of one row: shape (1, d).",
            properties=(look_up,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
