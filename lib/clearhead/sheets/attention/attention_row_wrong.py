"""More wrong answers of 05.attention_row."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _row(X, W_q, W_k, W_v, asks, seen=slice(None)):
    """Return what one token takes from those that it may see."""
    scores = X[seen] @ W_k @ (X[asks] @ W_q) / np.sqrt(W_q.shape[1])
    return softmax(scores) @ (X[seen] @ W_v)


def _table(X, W_q, W_k):
    return softmax(X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1]))


MORE = (
    Mistake(
        "first_token_asks",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, 0),
        "The first token asks, whatever i is. Take the query of X[i].",
    ),
    Mistake(
        "counted_from_the_end",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, -i),
        "You took X[-i], which counts from the end. Take X[i].",
    ),
    Mistake(
        "one_row_further",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, i + 1),
        "You took X[i + 1], the row after the one asked for. Token i is X[i].",
    ),
    Mistake(
        "scaled_after_softmax",
        lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q)) @ (X @ W_v) / np.sqrt(W_q.shape[1]),
        "You scaled after the softmax. Divide the scores, before it.",
    ),
    Mistake(
        "scores_clipped",
        lambda X, W_q, W_k, W_v, i: (
            softmax(np.clip(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1]), -700, 700)) @ (X @ W_v)
        ),
        "You clip large scores, so two of them become equal. Subtract the largest score instead: the "
        "differences stay.",
    ),
    Mistake(
        "looks_forwards_only",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, i, slice(i, None)),
        "Token i looks at itself and at later tokens only. It looks at all of them.",
    ),
    Mistake(
        "mean_of_all_values",
        lambda X, W_q, W_k, W_v, i: (X @ W_v).mean(axis=0),
        "That is the mean of all values, whatever is asked. Weigh them.",
    ),
    Mistake(
        "own_value_alone",
        lambda X, W_q, W_k, W_v, i: X[i] @ W_v,
        "That is the value of token i alone. It mixes the values of all tokens.",
    ),
    Mistake(
        "mixes_the_keys",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_k, i),
        "You mixed the keys. Keys are compared; values are mixed.",
    ),
    Mistake(
        "column_of_the_weights",
        lambda X, W_q, W_k, W_v, i: _table(X, W_q, W_k)[:, i] @ (X @ W_v),
        "You took column i of the weights: how much each token looks at token i. Take row i.",
    ),
    Mistake(
        "last_token_asks",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, -1),
        "The last token asks, whatever i is. Take the query of X[i].",
    ),
    Mistake(
        "mean_of_all_rows",
        lambda X, W_q, W_k, W_v, i: (_table(X, W_q, W_k) @ (X @ W_v)).mean(axis=0),
        "That is the mean of all new vectors. Return the one of token i.",
    ),
    Mistake(
        "sum_of_all_rows",
        lambda X, W_q, W_k, W_v, i: (_table(X, W_q, W_k) @ (X @ W_v)).sum(axis=0),
        "That is the sum of all new vectors. Return the one of token i.",
    ),
    Mistake(
        "shared_without_exponentials",
        lambda X, W_q, W_k, W_v, i: (lambda s: s / s.sum())(X @ W_k @ (X[i] @ W_q)) @ (X @ W_v),
        "You divided the scores by their sum. Raise e to them first, as softmax does.",
    ),
    Mistake(
        "own_value_added",
        lambda X, W_q, W_k, W_v, i: _row(X, W_q, W_k, W_v, i) + X[i] @ W_v,
        "You added the value of token i. It is in the mixture already.",
    ),
)
