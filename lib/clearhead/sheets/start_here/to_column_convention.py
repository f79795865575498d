"""00.to_column_convention: The same attention, with tokens in columns."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .shared import different_sizes


def to_column_convention(A, V):
    """Return the mixed values with a column for each query, (e, T), from A (T, S) and V (S, e)."""
    return V.T @ A.T


def _weights(rng, T, S):
    """Return weights (T, S) whose rows sum to 1."""
    return softmax(rng.normal(size=(T, S)))


def _column_cases(rng):
    T, S, e = different_sizes(rng, 3)
    n, width = different_sizes(rng, 2)
    look = "each column of the result belongs to one query: (A @ V) has it as a row."
    by_hand = (
        np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]),
        np.array([[2.0, 0.0, 4.0, 6.0], [8.0, 2.0, 0.0, 6.0]]),
    )
    return [
        Case(
            "three queries and two values, worked by hand",
            by_hand,
            look,
            expected=np.array([[2.0, 5.0, 8.0], [0.0, 1.0, 2.0], [4.0, 2.0, 0.0], [6.0, 6.0, 6.0]]),
        ),
        Case("other sizes, all different", (_weights(rng, T, S), rng.normal(size=(S, e))), look, 2),
        Case(
            "as many queries as keys, where a forgotten transpose still fits",
            (_weights(rng, n, n), rng.normal(size=(n, width))),
            "the shapes fit with A and with A.T, so only the numbers can tell: which axis of A belongs to V?",
            2,
        ),
    ]


EXERCISE = Exercise(
    "00.to_column_convention",
    "The same attention, with tokens in columns",
    reference=to_column_convention,
    cases=_column_cases,
    hints=(
        "In rows the result is A @ V. In columns the same numbers stand, with rows and columns exchanged.",
        "The transpose of a product is the product of the transposes in the other order: (X @ Y).T = "
        "Y.T @ X.T.",
        "So the answer is the transpose of A @ V, written as V.T times something.",
    ),
    mistakes=(
        Mistake(
            "row_convention",
            lambda A, V: A @ V,
            "A @ V has a row for each query. Here each query must be a column: transpose everything.",
        ),
        Mistake(
            "weights_not_transposed",
            lambda A, V: V.T @ A,
            "V became columns but A did not. Write the shapes: (e, S) @ (T, S). The two inner sizes "
            "must both be S.",
        ),
        Mistake(
            "order_kept",
            lambda A, V: A.T @ V.T,
            "Both are transposed, but the order is the old one. A transpose turns the order of a "
            "product round.",
        ),
        Mistake(
            "reshaped_instead_of_transposed",
            lambda A, V: (A @ V).reshape(V.shape[1], A.shape[0]),
            "reshape reads the numbers in the old order and only breaks the lines elsewhere. .T moves them.",
        ),
        Mistake(
            "softmax_again",
            lambda A, V: V.T @ softmax(A).T,
            "A holds weights already: its rows sum to 1. A second softmax makes them too equal; "
            "leave it out.",
        ),
        Mistake(
            "last_value_alone",
            lambda A, V: V[-1][:, None] * A[:, -1],
            "Only the last value is in your result, as where a loop writes over what it had. Add up all the "
            "values, each times its weight.",
        ),
    ),
    alternatives=(lambda A, V: (A @ V).T, lambda A, V: np.einsum("ts,se->et", A, V)),
    stars=1,
    minutes=5,
)
