"""More wrong answers of 09.repair_weights."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _kept(A, mask):
    """Return what is left of the weights, and the sum of each row."""
    kept = np.where(mask, A, 0)
    return kept, kept.sum(axis=-1, keepdims=True)


def _repaired(A, mask, empty=0.0):
    kept, total = _kept(A, mask)
    return np.where(total > 0, kept / np.where(total > 0, total, 1), empty)


def _by_what_is_hidden(A, mask):
    hidden = np.where(mask, 0, A).sum(axis=-1, keepdims=True)
    return _kept(A, mask)[0] / np.where(hidden > 0, hidden, 1)


def _rest_to_the_largest(A, mask):
    kept, total = _kept(A, mask)
    largest = (kept == kept.max(axis=-1, keepdims=True)) & mask
    return kept + np.where(largest, 1 - total, 0)


def _rest_to_the_first(A, mask):
    kept, total = _kept(A, mask)
    return np.where(np.arange(A.shape[1]) == 0, kept + 1 - total, kept)


MORE = (
    Mistake(
        "divided_by_what_is_hidden",
        _by_what_is_hidden,
        "You divided by the sum of the hidden weights. Divide by the sum of what is left.",
    ),
    Mistake(
        "rest_to_the_largest",
        _rest_to_the_largest,
        "You gave what was hidden to the largest weight. All that are left keep their ratios.",
    ),
    Mistake(
        "rest_to_the_first",
        _rest_to_the_first,
        "You gave what was hidden to the first key. All that are left keep their ratios.",
    ),
    Mistake(
        "multiplied_by_the_sum",
        lambda A, mask: _kept(A, mask)[0] * _kept(A, mask)[1],
        "You multiplied by the sum of what is left. Divide by it.",
    ),
    Mistake(
        "hidden_subtracted",
        lambda A, mask: np.where(mask, A - np.where(mask, 0, A).sum(axis=-1, keepdims=True), 0),
        "You subtracted what was hidden. Divide what is left by its sum.",
    ),
    Mistake(
        "softmax_of_what_is_left",
        lambda A, mask: softmax(_kept(A, mask)[0]),
        "You took the softmax of weights, and e to the 0 of a hidden one is 1. Divide by the sum instead.",
    ),
    Mistake(
        "empty_row_equal_shares",
        lambda A, mask: _repaired(A, mask, 1 / A.shape[1]),
        "A row with nothing left got equal shares. It must be zeros.",
    ),
    Mistake(
        "empty_row_as_it_was",
        lambda A, mask: _repaired(A, mask, A),
        "A row with nothing left stays as it was. It must be zeros.",
    ),
    Mistake(
        "rounded",
        lambda A, mask: np.round(_repaired(A, mask), 2),
        "You rounded. Return the weights as they are.",
    ),
    Mistake(
        "sum_at_least_a_millionth",
        lambda A, mask: _kept(A, mask)[0] / np.maximum(_kept(A, mask)[1], 1e-6),
        "Your divisor is never below a small number, and less than that may be left. Put 1 only "
        "where the sum is 0.",
    ),
    Mistake(
        "divided_by_the_column_sums",
        lambda A, mask: (k := _kept(A, mask)[0]) / np.where(k.sum(axis=0) > 0, k.sum(axis=0), 1),
        "You divided by the sums of the columns. The weights of one query are a row: axis=-1, keepdims=True.",
    ),
    *(
        Mistake(
            f"small_number_added_{digits}",
            lambda A, mask, small=10.0**-digits: _kept(A, mask)[0] / (_kept(A, mask)[1] + small),
            "You added a small number to the sum, and the rows no longer sum to 1. Put 1 in place of the sum "
            "only where it is 0.",
        )
        for digits in (6, 7, 9, 10, 12)
    ),
)
