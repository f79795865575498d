"""More wrong answers of 06.mha_forward."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.heads import merge_heads, split_heads
from clearhead.maths.softmax import softmax


def _weighing(weigh):
    """Return a layer that makes the weights of all heads in its own way."""

    def forward(X, W_q, W_k, W_v, W_o, num_heads):
        Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
        return merge_heads(weigh(Q, K, V, Q @ K.mT / np.sqrt(Q.shape[-1])) @ V) @ W_o

    return forward


def _with_values(change):
    """Return a layer that changes the values, (H, T, e), before its right weights mix them."""

    def forward(X, W_q, W_k, W_v, W_o, num_heads):
        Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
        return merge_heads(softmax(Q @ K.mT / np.sqrt(Q.shape[-1])) @ change(V)) @ W_o

    return forward


def _one_head(X, W_q, W_k, W_v, W_o, num_heads):
    return softmax(X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1] / num_heads)) @ (X @ W_v) @ W_o


MORE = (
    Mistake(
        "scaled_by_the_size_of_a_value",
        _weighing(lambda Q, K, V, S: softmax(Q @ K.mT / np.sqrt(V.shape[-1]))),
        "You divided by √e, from the size of a value. A score adds d products, the size of a key: √d.",
    ),
    Mistake(
        "weights_of_the_first_head_for_all",
        _weighing(lambda Q, K, V, S: softmax(S)[:1]),
        "All heads use the weights of the first one. Each head has its own.",
    ),
    Mistake(
        "weights_averaged_over_heads",
        _weighing(lambda Q, K, V, S: softmax(S).mean(axis=0, keepdims=True)),
        "You averaged the weights over the heads. Each head mixes with its own.",
    ),
    Mistake(
        "looks_back_only",
        _weighing(lambda Q, K, V, S: softmax(np.where(np.tri(S.shape[-1], dtype=bool), S, -np.inf))),
        "Tokens do not see later ones. Here is no mask: each token looks at all.",
    ),
    Mistake(
        "divided_by_d",
        _weighing(lambda Q, K, V, S: softmax(S / np.sqrt(Q.shape[-1]))),
        "You divided by d. Divide by its square root.",
    ),
    Mistake(
        "softmax_forgotten",
        _weighing(lambda Q, K, V, S: S),
        "The softmax is missing: you mixed with the scores.",
    ),
    Mistake(
        "scaled_by_D_over_H",
        lambda X, W_q, W_k, W_v, W_o, H: _weighing(
            lambda Q, K, V, S: softmax(Q @ K.mT / np.sqrt(X.shape[1] / H))
        )(X, W_q, W_k, W_v, W_o, H),
        "You took D / H for the size of a head. Here d is free: after the split it is Q.shape[-1].",
    ),
    Mistake(
        "values_of_the_first_head_for_all",
        _with_values(lambda V: V[:1]),
        "All heads mix the values of the first head. Each head mixes its own.",
    ),
    Mistake(
        "only_the_first_head",
        _with_values(lambda V: V * (np.arange(len(V)) == 0)[:, None, None]),
        "Only the first head writes. Add up what all heads write; does a `return` stand inside your loop?",
    ),
    Mistake(
        "only_the_last_head",
        _with_values(lambda V: V * (np.arange(len(V)) == len(V) - 1)[:, None, None]),
        "Only the last head writes. If you have a loop: it must add what each head writes, not replace it.",
    ),
    Mistake(
        "exp_of_large_scores",
        _weighing(lambda Q, K, V, S: np.exp(S) / np.exp(S).sum(axis=-1, keepdims=True)),
        "exp of a large score is infinity, and then nan comes out. Use the softmax of the library, or "
        "subtract the largest score of each row first.",
    ),
    Mistake(
        "not_split",
        _one_head,
        "You did not split: all columns make one wide head. Each head weighs with its own d columns.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _weighing(lambda Q, K, V, S: softmax(S * Q.shape[-1])),
        "You multiplied by √d. Divide by it.",
    ),
    Mistake(
        "scaled_after_the_softmax",
        _weighing(lambda Q, K, V, S: softmax(S * np.sqrt(Q.shape[-1])) / np.sqrt(Q.shape[-1])),
        "You divided by √d after the softmax. Divide the scores, before it.",
    ),
    Mistake(
        "scaled_by_the_number_of_tokens",
        _weighing(lambda Q, K, V, S: softmax(S * np.sqrt(Q.shape[-1] / len(S.T)))),
        "You divided by √T, from the number of tokens. The scale is √d: Q.shape[-1] after the split.",
    ),
    Mistake(
        "output_matrix_transposed",
        lambda X, W_q, W_k, W_v, W_o, H: (
            _weighing(lambda Q, K, V, S: softmax(S))(X, W_q, W_k, W_v, np.eye(len(W_o)), H) @ W_o.T
        ),
        "You multiplied by W_o.T. W_o itself has one row for each column of the merged heads: take it.",
    ),
)
