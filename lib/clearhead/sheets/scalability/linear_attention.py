"""12.linear_attention: Change the brackets."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import linear_attention
from clearhead.maths.linear_attention import positive_features

from .drivers import FEW, run_linear
from .linear_attention_wrong import MORE
from .shared import attended


def _explicit(Q, K, V):
    """Return linear attention by its table of likeness."""
    likeness = positive_features(Q) @ positive_features(K).T
    return likeness / likeness.sum(axis=1, keepdims=True) @ V


def _brackets(feature_q=positive_features, feature_k=positive_features, total=None):
    """Return linear attention in which the features or the total can be changed."""

    def linear(Q, K, V):
        Q, K = feature_q(Q), feature_k(K)
        norm = Q @ K.sum(axis=0)[:, None] if total is None else total(Q, K)
        return Q @ (K.T @ V) / norm

    return linear


def _one_by_one(Q, K, V):
    memory, total = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    for k, v in zip(positive_features(K), V, strict=True):
        memory, total = memory + np.outer(k, v), total + k
    return np.array([q @ memory / (q @ total) for q in positive_features(Q)])


def _linear_cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    inside = (
        "each result lies between the values",
        lambda out, Q, K, V: (
            (np.asarray(out["Z"]) <= V.max(axis=0) + 1e-9) & (np.asarray(out["Z"]) >= V.min(axis=0) - 1e-9)
        ).all(),
    )
    long, longer = ([rng.normal(size=(T, n)) for n in (3, 3, 2)] for T in (600, 2500))
    return [
        Case(
            "one query, two keys, by hand",
            (np.array([[1.0]]), np.array([[0.0], [2.0]]), np.array([[4.0], [8.0]])),
            "φ(0) = 1 and φ(2) = 3, and φ(1) cancels: the weights are 1/4 and 3/4, so 1 + 6 = 7.",
            expected={"Z": np.array([[7.0]]), "held": FEW},
        ),
        Case("random sizes", (Q, K, V), "Divide by what the likenesses sum to.", properties=(inside,)),
        Case("negative numbers", (Q - 2, K - 2, V), "φ makes positive numbers of queries and of keys.",
             properties=(inside,)),
        Case("600 queries, 600 keys", tuple(long),
             "Z may be right, but do you build the table of 600 × 600? Move the brackets."),
        Case("2,500 queries, 2,500 keys", tuple(longer),
             "The whole table takes 50 MB. `clearhead grade` gives an answer 40.", once=True),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="12.linear_attention",
    title="Change the brackets",
    reference=linear_attention.linear_attention,
    cases=_linear_cases,
    hints=(
        "Write φ(Q) φ(K)ᵀ V with other brackets: which product is small?",
        "φ(K)ᵀ V is (d, e). The likenesses of a query sum to φ(q) · Σ φ(k): divide by that.",
        "q, k = positive_features(Q), positive_features(K); "
        "return q @ (k.T @ V) / (q @ k.sum(axis=0))[:, None]",
    ),
    mistakes=(
        Mistake(
            "table_built",
            _explicit,
            "Your Z is right, but you built the whole table of likeness. Compute φ(K)ᵀ V first.",
        ),
        Mistake(
            "softmax_attention",
            attended,
            "That is softmax attention. Here the likeness is φ(q) · φ(k), and its cost is linear.",
        ),
        Mistake(
            "not_divided",
            _brackets(total=lambda Q, K: 1.0),
            "The weights of a query do not sum to 1 yet. Divide by φ(q) · Σ φ(k).",
        ),
        Mistake(
            "keys_without_features",
            _brackets(feature_k=lambda K: K),
            "φ is missing on the keys: likenesses can be negative, and their sum can be near 0.",
        ),
        Mistake(
            "queries_without_features",
            _brackets(feature_q=lambda Q: Q),
            "φ is missing on the queries: likenesses can be negative, and their sum can be near 0.",
        ),
        Mistake(
            "no_features",
            _brackets(feature_q=lambda Q: Q, feature_k=lambda K: K),
            "φ is missing. Without it the weights of a query can sum to anything, even to 0.",
        ),
        Mistake(
            "divided_by_the_number_of_keys",
            _brackets(total=lambda Q, K: len(K)),
            "You divided by the number of keys. The likenesses of a query sum to φ(q) · Σ φ(k).",
        ),
        Mistake(
            "one_total_for_all",
            _brackets(total=lambda Q, K: (Q @ K.sum(axis=0)).sum()),
            "All queries were divided by one number. Each query has its own total.",
        ),
        Mistake(
            "scaled_queries",
            _brackets(feature_q=lambda Q: positive_features(Q / np.sqrt(Q.shape[1]))),
            "You divided the queries by the square root of d. Here nothing is scaled before φ.",
        ),
        Mistake(
            "exponentials_for_features",
            _brackets(np.exp, np.exp),
            "Your φ is e to the x everywhere. Above 0 it is x + 1: positive_features.",
        ),
        Mistake(
            "relu_for_features",
            _brackets(lambda x: np.maximum(x, 0), lambda x: np.maximum(x, 0)),
            "Your φ cuts negative numbers off. It stays above 0 everywhere: positive_features.",
        ),
        Mistake(
            "features_of_the_values",
            lambda Q, K, V: _brackets()(Q, K, positive_features(V)),
            "You took φ of the values, too. Only queries and keys are compared.",
        ),
        *MORE,
    ),
    alternatives=(_brackets(), _one_by_one),
    stars=2,
    minutes=15,
    driver=run_linear,
    returns={"Z": "the output that you return"},
    megabytes=40,
)  # fmt: skip
