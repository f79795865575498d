"""More wrong answers of 16.qk_norm_weights."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _rms(x, axis=-1, epsilon=0.0):
    return np.sqrt((x**2).mean(axis=axis, keepdims=True) + epsilon)


def _weights(norm=_rms, scale=lambda Q, K: np.sqrt(Q.shape[1]), bend=softmax):
    """Return attention weights with another norm, scale or softmax."""
    return lambda Q, K: bend(Q / norm(Q) @ (K / norm(K)).T / scale(Q, K))


MORE = (
    Mistake(
        "one_norm_for_all_rows",
        _weights(lambda x: np.sqrt((x**2).mean())),
        "You divided the whole of Q, and of K, by one number. Each row has its own: axis=-1, keepdims=True.",
    ),
    Mistake(
        "root_forgotten",
        _weights(lambda x: (x**2).mean(axis=-1, keepdims=True)),
        "You divided by the mean square. Divide by its root.",
    ),
    Mistake(
        "mean_size",
        _weights(lambda x: np.abs(x).mean(axis=-1, keepdims=True)),
        "You divided by the mean of the sizes. It is the root of the mean of the squares.",
    ),
    Mistake(
        "divided_by_the_spread",
        _weights(lambda x: x.std(axis=-1, keepdims=True)),
        "You divided by the spread, which is measured from the mean. RMS norm measures from 0.",
    ),
    Mistake(
        "largest_number",
        _weights(lambda x: np.abs(x).max(axis=-1, keepdims=True)),
        "You divided by the largest number of the row, signs aside. Divide by its root mean square.",
    ),
    Mistake(
        "epsilon_added",
        _weights(lambda x: _rms(x, epsilon=1e-5)),
        "You added an epsilon of 1e-5 under the root. Here there is none.",
    ),
    Mistake(
        "softmax_over_queries",
        _weights(bend=lambda scores: softmax(scores.T).T),
        "Your columns sum to 1, so the queries compete. The keys of one query compete: along a row.",
    ),
    Mistake(
        "axes_not_kept",
        _weights(lambda x: np.sqrt((x**2).mean(axis=-1))),
        "A mean over each row of Q is (T,), and Q is (T, d). Keep the axis by keepdims=True: (T, 1).",
    ),
    Mistake(
        "always_divided_by_2",
        _weights(scale=lambda Q, K: 2),
        "You always divide by 2, as in the example with d = 4. Divide by √d: d is Q.shape[1].",
    ),
    Mistake(
        "keys_not_turned",
        lambda Q, K: Q @ K,
        "Your product does not fit: keys are rows, too. Turn them: Q @ K.T gives (T, S).",
    ),
    Mistake(
        "masked",
        _weights(bend=lambda scores: softmax(np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf))),
        "You hid later keys by a mask. Here there is none: each query sees all keys.",
    ),
    Mistake(
        "scores_returned",
        _weights(bend=lambda scores: scores),
        "These are the scores. Weights come out of their softmax.",
    ),
    Mistake(
        "scaled_by_the_number_of_keys",
        _weights(scale=lambda Q, K: np.sqrt(len(K))),
        "You divided by the root of the number of keys. It is the root of their width d: Q.shape[1].",
    ),
    Mistake(
        "scaled_by_the_number_of_queries",
        _weights(scale=lambda Q, K: np.sqrt(len(Q))),
        "You divided by the root of the number of queries. It is the root of their width d: Q.shape[1].",
    ),
    Mistake(
        "multiplied_by_the_root",
        _weights(scale=lambda Q, K: 1 / np.sqrt(Q.shape[1])),
        "You multiplied the scores by √d. Divide.",
    ),
    Mistake(
        "divided_after_softmax",
        lambda Q, K: _weights(scale=lambda Q, K: 1)(Q, K) / np.sqrt(Q.shape[1]),
        "You divided the weights by √d. Divide the scores, before the softmax.",
    ),
    Mistake(
        "multiplied_by_the_norm",
        lambda Q, K: softmax(Q * _rms(Q) @ (K * _rms(K)).T / np.sqrt(Q.shape[1])),
        "You multiplied by the root mean square. Divide by it, so that it becomes 1.",
    ),
)
