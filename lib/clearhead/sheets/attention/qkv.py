"""05.qkv: Three projections."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import tokens_and_weights


def qkv(X, W_q, W_k, W_v):
    """Return Q (T, d), K (T, d) and V (T, e) for tokens X (T, D)."""
    return X @ W_q, X @ W_k, X @ W_v


_X, _W_Q, _W_K, _W_V = (
    np.array(rows, dtype=float)
    for rows in (
        [[1, 0, 2], [0, 1, 0]],
        [[1, 0, 0, 1], [0, 2, 1, 0], [0, 0, 1, 0]],
        [[0, 1, 0, 0], [1, 0, 0, 3], [0, 0, 0, 1]],
        [[5], [7], [1]],
    )
)


def _qkv_cases(rng):
    by_hand = [
        np.array([[1, 0, 2, 1], [0, 2, 1, 0]]),
        np.array([[0, 1, 0, 2], [1, 0, 0, 3]]),
        np.array([[7], [7]]),
    ]
    X, *weights = tokens_and_weights(rng)
    return [
        Case(
            "two tokens, by hand",
            (_X, _W_Q, _W_K, _W_V),
            "The first query is 1 times the first row of W_q, plus 2 times its third row: (1, 0, 2, 1).",
            expected=by_hand,
        ),
        Case(
            "random tokens",
            tokens_and_weights(rng),
            "Compare the three shapes with (T, d), (T, d) and (T, e).",
        ),
        Case(
            "whole numbers",
            (np.round(3 * X).astype(int), *weights),
            "Whole tokens give queries with decimals: the weights have them.",
        ),
    ]


EXERCISE = Exercise(
    id="05.qkv",
    title="Three projections",
    reference=qkv,
    cases=_qkv_cases,
    hints=(
        "Tokens are rows. What must stand on the right of X, so that each row of X becomes a query?",
        "X has shape (T, D) and W_q has shape (D, d). X @ W_q has shape (T, d).",
        "return X @ W_q, and in the same way the other two, in the order Q, K, V.",
    ),
    mistakes=(
        Mistake(
            "tokens_as_columns",
            lambda X, W_q, W_k, W_v: (W_q.T @ X.T, W_k.T @ X.T, W_v.T @ X.T),
            "Your tokens come back as columns. In this book tokens are rows: X stands on the left, X @ W_q.",
        ),
        Mistake(
            "values_before_keys",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_v, X @ W_k),
            "All three are right, but the order is not: return Q, then K, then V.",
        ),
        Mistake(
            "keys_before_queries",
            lambda X, W_q, W_k, W_v: (X @ W_k, X @ W_q, X @ W_v),
            "All three are right, but the order is not: queries first, then keys. Return Q, K, V.",
        ),
        Mistake(
            "one_matrix_for_all",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_q, X @ W_q),
            "You used W_q three times. Each role has its own matrix.",
        ),
        Mistake(
            "values_are_embeddings",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X),
            "Your values are the embeddings themselves, as in chapter 4. Now W_v makes them: V = X W_v.",
        ),
        Mistake(
            "only_the_first_token",
            lambda X, W_q, W_k, W_v: (X[0] @ W_q, X[0] @ W_k, X[0] @ W_v),
            "You projected one token only. Leave out the index: the matrix product takes all rows at once.",
        ),
        Mistake(
            "keys_in_place_of_values",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k, X @ W_k),
            "Your values are the keys again. They come from W_v.",
        ),
        Mistake(
            "values_first_queries_last",
            lambda X, W_q, W_k, W_v: qkv(X, W_q, W_k, W_v)[::-1],
            "The right three tables, from back to front. The order is Q, K, V.",
        ),
        Mistake(
            "all_in_one_table",
            lambda X, W_q, W_k, W_v: np.hstack([X @ W_q, X @ W_k, X @ W_v]),
            "You glued the three tables into one. Return three things: Q, K and V.",
        ),
        Mistake(
            "values_forgotten",
            lambda X, W_q, W_k, W_v: (X @ W_q, X @ W_k),
            "The values are missing. Return three things: Q, K and V.",
        ),
        Mistake(
            "queries_scaled_already",
            lambda X, W_q, W_k, W_v: (X @ W_q / np.sqrt(W_q.shape[1]), X @ W_k, X @ W_v),
            "You scaled the queries here already. The scale belongs to the scores, in the next exercise.",
        ),
    ),
    alternatives=(
        lambda X, W_q, W_k, W_v: tuple(np.einsum("td,de->te", X, W) for W in (W_q, W_k, W_v)),
        lambda X, W_q, W_k, W_v: [np.array([W.T @ x for x in X]) for W in (W_q, W_k, W_v)],
    ),
    stars=1,
    minutes=5,
)
