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
