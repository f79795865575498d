"""More wrong answers of 04.simple_self_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax

COLUMNS = "You compared columns. Words are rows: `X @ X.T` has a row and a column for each word."


def columns_compared(X):
    """Return the weights (D, D) between the columns of X."""
    return softmax(X.T @ X)


def _mixed(X, A):
    """Return the pair (Z, A) for given weights."""
    return A @ X, A


def hard_where_large(scores):
    """Return the softmax, but weight 1 for the largest score where scores are above 300."""
    return np.eye(len(scores))[scores.argmax(axis=1)] if np.abs(scores).max() > 300 else softmax(scores)


MORE = (
    Mistake(
        "columns_compared_then_rows_mixed",
        lambda X: (columns_compared(X) @ X, columns_compared(X)),
        COLUMNS,
    ),
    Mistake(
        "columns_compared_and_mixed", lambda X: (columns_compared(X) @ X.T, columns_compared(X)), COLUMNS
    ),
    Mistake(
        "columns_compared_mixed_from_the_right",
        lambda X: (X @ columns_compared(X), columns_compared(X)),
        COLUMNS,
    ),
    Mistake(
        "later_scores_set_to_zero",
        lambda X: _mixed(X, softmax(np.tril(X @ X.T))),
        "You set the scores of later words to 0. Every word compares itself with every word, and no score is "
        "changed.",
    ),
    Mistake(
        "own_scores_set_to_zero",
        lambda X: _mixed(X, softmax(X @ X.T * (1 - np.eye(len(X))))),
        "You set the score of each word with itself to 0. Keep the diagonal as it is.",
    ),
    Mistake(
        "scaled_by_d",
        lambda X: _mixed(X, softmax(X @ X.T / X.shape[1])),
        "You divided the scores by the number of columns. Here the score is the plain dot product.",
    ),
    Mistake(
        "scaled_by_the_number_of_words",
        lambda X: _mixed(X, softmax(X @ X.T / np.sqrt(len(X)))),
        "You divided the scores by the root of the number of words. Here the score is the plain dot product.",
    ),
    Mistake(
        "hard_where_scores_are_large",
        lambda X: _mixed(X, hard_where_large(X @ X.T)),
        "Where the scores are large, you give all the weight to the best key. Two large scores can lie close "
        "together: take the softmax as always.",
    ),
    Mistake(
        "always_hard",
        lambda X: _mixed(X, np.eye(len(X))[(X @ X.T).argmax(axis=1)]),
        "Each word gives all its weight to the best key. Every word takes part, each with its weight.",
    ),
    Mistake(
        "distances_in_place_of_products",
        lambda X: _mixed(X, softmax(-((X[:, None] - X) ** 2).sum(axis=-1))),
        "You compared by distance. Here the score is the dot product: X @ X.T.",
    ),
)
