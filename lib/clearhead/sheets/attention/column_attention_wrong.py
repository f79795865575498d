"""More wrong answers of 05.column_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _columns(weigh=softmax, scale=np.sqrt, after=1):
    """Return column_attention, in which the scale or the softmax can be another; scores are (T, T) rows."""

    def answer(X, M_q, M_k, M_v):
        scores = (M_q @ X).T @ (M_k @ X) / scale(len(M_q))
        return M_v @ X @ weigh(scores).T / len(M_q) ** (after - 1)

    return answer


def _past_alone(scores):
    return softmax(np.where(np.tri(len(scores), dtype=bool), scores, -np.inf))


def _over_all(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


MORE = (
    Mistake(
        "looks_back_only",
        _columns(_past_alone),
        "Your tokens look only at themselves and at earlier ones. That comes in chapter 9; here they "
        "look at all.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _columns(scale=lambda d: 1 / np.sqrt(d)),
        "You multiplied the scores by √d. Divide by it.",
    ),
    Mistake(
        "scaled_after_softmax",
        _columns(scale=lambda d: 1, after=1.5),
        "You scaled after the softmax. Divide the scores, before it.",
    ),
    Mistake(
        "one_softmax_for_all",
        _columns(_over_all),
        "Your whole table of weights sums to 1. The weights of each query should.",
    ),
    Mistake(
        "best_value_alone",
        _columns(lambda s: np.eye(len(s))[s.argmax(axis=1)]),
        "Each token takes the value of the best key alone. Softmax lets the others share.",
    ),
    Mistake(
        "embeddings_compared",
        lambda X, M_q, M_k, M_v: M_v @ X @ softmax(X.T @ X / np.sqrt(len(M_q))).T,
        "You compared the embeddings themselves. Compare queries, M_q @ X, with keys, M_k @ X.",
    ),
    Mistake(
        "values_alone",
        lambda X, M_q, M_k, M_v: M_v @ X,
        "These are the values. Mix them with the weights of each query.",
    ),
    Mistake(
        "values_added",
        lambda X, M_q, M_k, M_v: _columns()(X, M_q, M_k, M_v) + M_v @ X,
        "You added each token's own value. It is in the mixture already.",
    ),
    Mistake(
        "residual_added",
        lambda X, M_q, M_k, M_v: X + _columns()(X, M_q, M_k, M_v),
        "You added the embeddings X. That comes in chapter 8; return the new vectors alone.",
    ),
    Mistake(
        "embeddings_mixed",
        lambda X, M_q, M_k, M_v: X @ softmax((M_q @ X).T @ (M_k @ X) / np.sqrt(len(M_q))).T,
        "You mixed the embeddings X. Mix the values, M_v @ X.",
    ),
    Mistake(
        "the_weights_themselves",
        lambda X, M_q, M_k, M_v: softmax((M_q @ X).T @ (M_k @ X) / np.sqrt(len(M_q))).T,
        "These are the weights. One step is missing: the values, M_v @ X, stand on their left.",
    ),
)
