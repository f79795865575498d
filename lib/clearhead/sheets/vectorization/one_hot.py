"""Cases of 01.one_hot."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, V = different_sizes(rng, 2, 5, 12)
    ids = np.append(rng.integers(V - 1, size=T - 2), [0, 0])
    sums = ("each row sums to 1", lambda rows, ids, vocab_size: np.allclose(np.sum(rows, axis=-1), 1))
    back = (
        "the largest entry of each row is at the index given by its id",
        lambda rows, ids, vocab_size: np.array_equal(np.argmax(rows, axis=-1), ids),
    )
    return [
        Case(
            "Black, Brown and Black out of four colours, worked by hand",
            (np.array([1, 2, 1]), 4),
            "The 1 of the first row is at index 1, counted from 0.",
            expected=np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]]),
        ),
        Case(
            "the id 0 twice, and the last category not at all",
            (ids, V),
            "The number of columns is `vocab_size`, whatever the ids are.",
            2,
            properties=(sums, back),
        ),
        Case(
            "every category once",
            (rng.permutation(V), V),
            "Every row and every column has exactly one 1.",
            properties=(sums, back),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
