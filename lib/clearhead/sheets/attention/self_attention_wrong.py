"""More wrong answers of 05.self_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _attend(weigh=softmax, seen=None, mix=lambda A, V: A @ V, scale=np.sqrt):
    """Return self_attention, in which each step can be another."""

    def answer(X, W_q, W_k, W_v):
        scores = X @ W_q @ (X @ W_k).T / scale(W_q.shape[1])
        hidden = np.zeros(scores.shape, dtype=bool) if seen is None else ~seen(len(X))
        return mix(weigh(np.where(hidden, -np.inf, scores)), X @ W_v)

    return answer


def _over_all(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


def _scaled_too_late(X, W_q, W_k, W_v):
    return softmax(X @ W_q @ (X @ W_k).T) @ (X @ W_v) / np.sqrt(W_q.shape[1])


def _repeated_once(X, W_q, W_k, W_v):
    Y = np.unique(X, axis=0)
    return softmax(X @ W_q @ (Y @ W_k).T / np.sqrt(W_q.shape[1])) @ (Y @ W_v)


MORE = (
    Mistake(
        "looks_at_others_only",
        _attend(seen=lambda T: ~np.eye(T, dtype=bool)),
        "Your tokens do not look at themselves. They may: keep all T keys.",
    ),
    Mistake(
        "looks_forwards_only",
        _attend(seen=lambda T: np.tri(T, dtype=bool).T),
        "Your tokens look at themselves and at later ones only. They look at all.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _attend(scale=lambda d: 1 / np.sqrt(d)),
        "You multiplied the scores by √d. Divide by it.",
    ),
    Mistake(
        "scaled_after_softmax",
        _scaled_too_late,
        "You scaled after the softmax. Divide the scores, before it.",
    ),
    Mistake(
        "embeddings_compared",
        lambda X, W_q, W_k, W_v: softmax(X @ X.T / np.sqrt(X.shape[1])) @ (X @ W_v),
        "You compared the embeddings themselves. Compare queries, X @ W_q, with keys, X @ W_k.",
    ),
    Mistake(
        "softmax_twice",
        _attend(lambda s: softmax(softmax(s))),
        "You took the softmax twice. The second one flattens the weights.",
    ),
    Mistake(
        "one_softmax_for_all",
        _attend(_over_all),
        "Your whole table of weights sums to 1. Each row should: softmax along the last axis.",
    ),
    Mistake(
        "best_value_alone",
        _attend(lambda s: np.eye(len(s))[s.argmax(axis=1)]),
        "Each token takes the value of the best key alone. Softmax lets the others share.",
    ),
    Mistake(
        "one_shift_for_all_rows",
        _attend(lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(axis=1, keepdims=True)),
        "You subtracted the largest score of the whole table. A row far below it then sums to 0: subtract "
        "the largest score of each row.",
    ),
    Mistake(
        "scores_clipped",
        _attend(lambda s: softmax(np.clip(s, -50, 50))),
        "You clip large scores, so two of them become equal. Subtract the largest score of each row instead: "
        "the differences stay.",
    ),
    Mistake(
        "values_alone",
        lambda X, W_q, W_k, W_v: X @ W_v,
        "These are the values. Mix them with the weights: weights @ values.",
    ),
    Mistake(
        "values_added",
        _attend(mix=lambda A, V: A @ V + V),
        "You added each token's own value. It is in the mixture already.",
    ),
    Mistake(
        "last_token_alone",
        _attend(mix=lambda A, V: (A @ V)[-1]),
        "You returned the last token's vector. Return those of all tokens.",
    ),
    Mistake(
        "mixed_twice",
        _attend(mix=lambda A, V: A @ (A @ V)),
        "You mixed twice. Once is enough: weights @ values.",
    ),
    Mistake(
        "repeated_tokens_counted_once",
        _repeated_once,
        "A token that comes twice counts once in your answer. Both are keys, and both get a weight.",
    ),
    Mistake(
        "later_scores_set_to_zero",
        lambda X, W_q, W_k, W_v: softmax(np.tril(X @ W_q @ (X @ W_k).T) / np.sqrt(W_q.shape[1])) @ (X @ W_v),
        "You set the scores of later tokens to 0. Here each token looks at all tokens, and no score is "
        "changed.",
    ),
)
