"""01.onehot_matmul: A product that is a look-up."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import one_hot

from .shared import sizes


def onehot_matmul(E, ids):
    """Return the rows (T, d) of the table E (V, d) that the ids (T) name, by a product with one-hots."""
    return one_hot(ids, len(E)) @ E


def _product_by_loop(E, ids):
    found = np.zeros((len(ids), E.shape[1]))
    for place, id in enumerate(ids):
        for v in range(len(E)):
            found[place] += (v == id) * E[v]
    return found


def _matmul_cases(rng):
    T, V, d = sizes(rng, 3, low=4, high=9)
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


EXERCISE = Exercise(
    "01.onehot_matmul",
    "A product that is a look-up",
    onehot_matmul,
    _matmul_cases,
    hints=(
        "Make the one-hot vectors of the ids first. How many places does each need?",
        "The table has len(E) rows, so each one-hot has len(E) places. Then (T, V) meets (V, d).",
        "one_hot(ids, len(E)) @ E.",
    ),
    mistakes=(
        Mistake(
            "counted_from_one",
            lambda E, ids: E[ids - 1],
            "You took the row above the right one, and for id 0 the last row. The ids count from 0.",
        ),
        Mistake(
            "words_added_up",
            lambda E, ids: one_hot(ids, len(E)).sum(axis=0) @ E,
            "You added all words up. Each word keeps a row of its own: no sum.",
        ),
        Mistake(
            "one_vector_for_all",
            lambda E, ids: np.isin(np.arange(len(E)), ids) @ E,
            "You made one vector for all ids, and got one sum of rows. Each id has a one-hot of its own: "
            "(T, V) @ (V, d).",
        ),
        Mistake(
            "each_word_once",
            lambda E, ids: E[np.unique(ids)],
            "You gave each different word once, in order. A word that comes twice must come twice, in its "
            "place.",
        ),
        Mistake(
            "one_hots_returned",
            lambda E, ids: one_hot(ids, len(E)),
            "Those are the one-hot vectors. Multiply them by the table: (T, V) @ (V, d).",
        ),
        Mistake(
            "words_in_columns",
            lambda E, ids: E.T @ one_hot(ids, len(E)).T,
            "The right vectors, but in columns. Rows are words: one-hots times E, and no transpose.",
        ),
    ),
    alternatives=(_product_by_loop, lambda E, ids: E[ids], lambda E, ids: np.take(E, ids, axis=0)),
    stars=2,
    minutes=10,
)
