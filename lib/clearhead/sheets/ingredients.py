"""Functions from which cases and wrong answers of several sheets are made."""

import numpy as np

from clearhead.maths.softmax import softmax


def different_sizes(rng, count, low, high):
    """Return `count` different integers from `low` to `high` in random order: no two axes are equal."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


def unit_rows(rows):
    """Return each row divided by its length; a row of zeros becomes NaN."""
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def unit_rows_or_zeros(rows):
    """Return each row divided by its length; a row of zeros stays as it is."""
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-300)


def divided_by_row_sums(rows):
    """Return each row divided by its sum, whatever the sum is."""
    return rows / rows.sum(axis=-1, keepdims=True)


def softmax_that_overflows(scores):
    """Return the softmax along the last axis without subtracting the maximum: e^710 is infinite."""
    return divided_by_row_sums(np.exp(scores))


def softmax_or_argmax_where_large(scores):
    """Return the softmax, or a one-hot vector for the largest score if any score exceeds 300."""
    if np.abs(scores).max() <= 300:
        return softmax(scores)
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def softmax_over_everything(scores):
    """Return e^score divided by the sum over the whole array, instead of each row."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
