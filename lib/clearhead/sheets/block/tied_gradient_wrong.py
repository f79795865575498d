"""More wrong answers of 08.tied_gradient."""

import numpy as np

from clearhead.checks.exercise import Mistake


def from_the_start(ids, dx, V):
    """Return what the start sends back to the table (V, D)."""
    dE = np.zeros((V, dx.shape[1]))
    np.add.at(dE, ids, dx)
    return dE


def _whole_from_the_start(ids, dx, V):
    dE = np.zeros((V, dx.shape[1]), dtype=int)
    for t, word in enumerate(ids):
        dE[word] = dE[word] + dx[t]
    return dE


def _in_the_text(ids, V):
    """Return a column (V, 1) that is True for the words of the text."""
    return np.isin(np.arange(V), ids)[:, None]


def _rows_overwritten(ids, dx, h, dlogits):
    V = dlogits.shape[1]
    return np.where(_in_the_text(ids, V), from_the_start(ids, dx, V), dlogits.T @ h)


MORE = (
    Mistake(
        "only_the_start_reaches_the_words_of_the_text",
        _rows_overwritten,
        "The rows of the words in the text hold only what the start sends: what the end sends is "
        "overwritten, or left out. Add the two.",
    ),
    Mistake(
        "end_reaches_the_words_of_the_text_only",
        lambda ids, dx, h, dlogits: (
            from_the_start(ids, dx, dlogits.shape[1]) + _in_the_text(ids, dlogits.shape[1]) * (dlogits.T @ h)
        ),
        "In yours the end reaches only the words of the text. It has logits for every word: it reaches "
        "all rows.",
    ),
    Mistake(
        "end_divided_by_the_length",
        lambda ids, dx, h, dlogits: from_the_start(ids, dx, dlogits.shape[1]) + dlogits.T @ h / len(ids),
        "You divided the gradient of the end by T. dlogits holds what each place sends; add it up.",
    ),
    Mistake(
        "first_rows_in_place_of_ids",
        lambda ids, dx, h, dlogits: (
            dlogits.T @ h + from_the_start(np.arange(len(ids)) % dlogits.shape[1], dx, dlogits.shape[1])
        ),
        "You added dx to the first rows. Row t of dx belongs to the word ids[t]: add it to that row.",
    ),
    Mistake(
        "whole_numbers",
        lambda ids, dx, h, dlogits: dlogits.T @ h + _whole_from_the_start(ids, dx, dlogits.shape[1]),
        "You added dx into an array of whole numbers, which cuts off decimals. Let np.zeros make floats.",
    ),
    Mistake(
        "sum_of_dx_for_each_word",
        lambda ids, dx, h, dlogits: dlogits.T @ h + _in_the_text(ids, dlogits.shape[1]) * dx.sum(axis=0),
        "Each word of the text gets the sum of all rows of dx. It gets only those of its own places.",
    ),
)
