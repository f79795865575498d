"""More wrong answers of 12.linear_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.linear_attention import positive_features
from clearhead.maths.softmax import softmax


def _linear(
    feature=positive_features, total=lambda Q, K: (Q @ K.sum(axis=0))[:, None], back=lambda Z, Q, V: Z
):
    """Return linear attention with another feature, another total, or something done at the end."""

    def answer(Q, K, V):
        q, k = feature(Q), feature(K)
        return back(q @ (k.T @ V) / total(q, k), Q, V)

    return answer


def _of_the_scores(Q, K, V):
    A = positive_features(Q @ K.T)
    return A / A.sum(axis=1, keepdims=True) @ V


def _over_queries(Q, K, V):
    A = positive_features(Q) @ positive_features(K).T
    return A / A.sum(axis=0) @ V


def _efficient(Q, K, V):
    return softmax(Q) @ (softmax(K.T) @ V)


def _shares(Q, K, V):
    q, k = positive_features(Q), positive_features(K)
    return q / q.sum(axis=1, keepdims=True) @ ((k / k.sum(axis=0)).T @ V)


def _feature_by_feature(Q, K, V):
    k = positive_features(K)
    return positive_features(Q) @ ((k / k.sum(axis=0)).T @ V)


def _causal(Q, K, V):
    q, k = positive_features(Q), positive_features(K)
    last = np.minimum(np.arange(len(q)), len(k) - 1)
    memory = np.cumsum(k[:, :, None] * V[:, None], axis=0)[last]
    return np.einsum("td,tde->te", q, memory) / (q * np.cumsum(k, axis=0)[last]).sum(1, keepdims=True)


def _features_as_shares(Q, K, V):
    q, k = (x / x.sum(axis=1, keepdims=True) for x in map(positive_features, (Q, K)))
    return q @ (k.T @ V)


MORE = (
    Mistake(
        "features_of_the_scores",
        _of_the_scores,
        "You took φ of the scores q · k. φ is taken of q and of k, each by itself: φ(q) · φ(k).",
    ),
    Mistake(
        "shared_over_queries",
        _over_queries,
        "You divided by the sums over the queries. The weights of one query sum to 1: over the keys.",
    ),
    Mistake(
        "softmax_for_features",
        _efficient,
        "You took softmax of queries and keys for φ. Here φ is positive_features.",
    ),
    Mistake(
        "each_side_divided",
        _shares,
        "You divided queries and keys each by their own sums. Divide once, by φ(q) · Σ φ(k).",
    ),
    Mistake(
        "memory_divided_feature_by_feature",
        _feature_by_feature,
        "You divided each feature of the keys, or of φ(K)ᵀ V, by its sum over the keys. φ(q) does not cancel "
        "then: divide the result of each query by φ(q) · Σ φ(k).",
    ),
    Mistake(
        "mean_of_the_keys",
        _linear(total=lambda Q, K: (Q @ K.mean(axis=0))[:, None]),
        "You divided by φ(q) times the mean of φ(k). It is the sum over all keys.",
    ),
    Mistake(
        "product_of_sums",
        _linear(total=lambda Q, K: Q.sum(axis=1, keepdims=True) * K.sum()),
        "You divided by a product of two sums. It is φ(q) · Σ φ(k): multiply column by column, then add.",
    ),
    Mistake(
        "sum_of_the_keys",
        _linear(total=lambda Q, K: K.sum()),
        "You divided by the sum of all φ(k). Each query has its own total: φ(q) · Σ φ(k).",
    ),
    Mistake(
        "divided_by_the_root",
        _linear(back=lambda Z, Q, V: Z / np.sqrt(Q.shape[1])),
        "You divided by √d at the end. Here there is no square root.",
    ),
    Mistake(
        "features_less_one",
        _linear(lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)),
        "Your φ lacks the 1, so it is not always above 0. Use positive_features.",
    ),
    Mistake(
        "features_twice",
        _linear(lambda x: positive_features(positive_features(x))),
        "You took φ of φ. Once is enough.",
    ),
    Mistake(
        "features_of_the_sum",
        lambda Q, K, V: (
            positive_features(Q)
            @ (positive_features(K).T @ V)
            / (positive_features(Q) @ positive_features(K.sum(axis=0)))[:, None]
        ),
        "In the total you took φ of the sum of the keys. Take the sum of φ of each key.",
    ),
    Mistake(
        "causal",
        _causal,
        "Each query sees the keys up to its own place alone. There is no mask: every query sees all keys.",
    ),
    Mistake(
        "queries_and_keys_scaled",
        lambda Q, K, V: _linear()(Q / Q.shape[1] ** 0.25, K / K.shape[1] ** 0.25, V),
        "You divided queries and keys by a root of a root of d. Here nothing is scaled before φ.",
    ),
    Mistake(
        "both_scaled_by_the_root",
        lambda Q, K, V: _linear()(Q / np.sqrt(Q.shape[1]), K / np.sqrt(K.shape[1]), V),
        "You divided queries and keys by the square root of d. Here nothing is scaled before φ.",
    ),
    Mistake(
        "features_sum_to_one",
        _features_as_shares,
        "You divided φ(q) and φ(k) each by the sum of its own numbers. Divide once, by φ(q) · Σ φ(k).",
    ),
    Mistake(
        "no_one_above_zero",
        _linear(lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)))),
        "Your φ lacks the 1 above 0: it is x + 1 there. Use positive_features.",
    ),
    Mistake(
        "mixtures_divided_by_their_sum",
        lambda Q, K, V: (
            (Z := positive_features(Q) @ (positive_features(K).T @ V)) / Z.sum(axis=1, keepdims=True)
        ),
        "You divided each mixture by its own sum, so its numbers sum to 1. Divide by φ(q) · Σ φ(k).",
    ),
    Mistake(
        "sum_of_the_query",
        _linear(total=lambda Q, K: Q.sum(axis=1, keepdims=True)),
        "You divided by the sum of φ(q) alone. The likenesses of a query sum to φ(q) · Σ φ(k).",
    ),
    Mistake(
        "sign_dropped",
        _linear(np.abs),
        "Your φ drops the sign. It is x + 1 above 0 and e to the x below: positive_features.",
    ),
)
