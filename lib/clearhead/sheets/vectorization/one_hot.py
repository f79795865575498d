"""01.one_hot: One place for each category."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import one_hot

from .shared import sizes


def _one_hot_by_loop(ids, vocab_size):
    rows = np.zeros((len(ids), vocab_size))
    for place, id in enumerate(ids):
        rows[place, id] = 1
    return rows


def _ids_in_place_of_ones(ids, vocab_size):
    return one_hot(ids, vocab_size) * ids[:, None]


def _whole_columns(ids, vocab_size):
    rows = np.zeros((len(ids), vocab_size))
    rows[:, ids] = 1
    return rows


def _one_hot_cases(rng):
    T, V = sizes(rng, 2, low=5, high=12)
    ids = np.append(rng.integers(V - 1, size=T - 2), [0, 0])
    sums = ("each row sums to 1", lambda rows, ids, vocab_size: np.allclose(np.sum(rows, axis=-1), 1))
    back = (
        "the largest entry of each row stands at its id",
        lambda rows, ids, vocab_size: np.array_equal(np.argmax(rows, axis=-1), ids),
    )
    return [
        Case(
            "Black, Brown, Black of four colours, worked by hand",
            (np.array([1, 2, 1]), 4),
            "the 1 of the first row stands in place 1, counted from 0.",
            expected=np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]]),
        ),
        Case(
            "a list where the last category never comes, and 0 comes twice",
            (ids, V),
            "the number of columns is vocab_size, whatever the ids are.",
            2,
            properties=(sums, back),
        ),
        Case(
            "every category once",
            (rng.permutation(V), V),
            "each row and each column holds one 1.",
            properties=(sums, back),
        ),
    ]


EXERCISE = Exercise(
    "01.one_hot",
    "One place for each category",
    one_hot,
    _one_hot_cases,
    hints=(
        "Begin with zeros of shape (T, V). In each row one number must become 1. Which one?",
        "np.eye(vocab_size) is the table of all one-hot vectors, in order. You need some of its rows.",
        "Index it with all ids at once: np.eye(vocab_size)[ids].",
    ),
    mistakes=(
        Mistake(
            "counted_from_one",
            lambda ids, vocab_size: np.eye(vocab_size)[ids - 1],
            "Your 1s stand one place too far to the left, that of id 0 in the last place. In Python the "
            "first place is 0.",
        ),
        Mistake(
            "words_in_columns",
            lambda ids, vocab_size: one_hot(ids, vocab_size).T,
            "Your one-hot vectors stand in columns. In this book one row is one thing: shape (T, V).",
        ),
        Mistake(
            "size_taken_from_the_data",
            lambda ids, vocab_size: np.eye(ids.max() + 1)[ids],
            "The width comes from the list, not from vocab_size. Another list can then get another width: "
            "use vocab_size.",
        ),
        Mistake(
            "all_in_one_vector",
            lambda ids, vocab_size: one_hot(ids, vocab_size).sum(axis=0),
            "You put all words into one vector. It counts them, and their order is lost. Give each its own "
            "row.",
        ),
        Mistake(
            "ids_in_place_of_ones",
            _ids_in_place_of_ones,
            "You wrote the id itself into its place. Write a 1: the place says which category it is.",
        ),
        Mistake(
            "whole_columns_filled",
            _whole_columns,
            "o[:, ids] = 1 fills whole columns. Each row gets its own place: o[np.arange(len(ids)), "
            "ids] = 1.",
        ),
        Mistake(
            "one_place_too_many",
            lambda ids, vocab_size: np.eye(vocab_size + 1)[ids],
            "You have one column too many. The ids go from 0 to vocab_size - 1, so vocab_size columns"
            " are enough.",
        ),
        Mistake(
            "ones_up_to_the_id",
            lambda ids, vocab_size: 1.0 * (np.arange(vocab_size) <= np.asarray(ids)[:, None]),
            "You wrote ones in all places up to the id, which brings the order back. Write one 1, in "
            "the place of the id.",
        ),
        Mistake(
            "numbered_among_those_that_occur",
            lambda ids, vocab_size: np.eye(vocab_size)[np.unique(ids, return_inverse=True)[1].ravel()],
            "You numbered only the ids that occur in the list. The place is the id itself, whatever else "
            "occurs.",
        ),
    ),
    alternatives=(
        _one_hot_by_loop,
        lambda ids, vocab_size: (ids[:, None] == np.arange(vocab_size)) * 1.0,
    ),
    stars=1,
    minutes=5,
)
