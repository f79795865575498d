"""05.self_attention: Self-attention for all tokens."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .attention_row import attention_row
from .attention_weights import attention_weights
from .self_attention_wrong import MORE
from .shared import CHAPTER, LARGE, SURVIVE, row_over, softmax_of_large, tokens_and_weights


def self_attention(X, W_q, W_k, W_v):
    """Return the new vectors Z (T, e) of all tokens."""
    return scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0]


def _self_cases(rng):
    X, *weights = tokens_and_weights(rng)
    order = rng.permutation(len(X))
    twins = np.concatenate([X, X[:1]])
    alike = (
        "the first and the last token are equal, so their new vectors are equal",
        lambda Z, X, *weights: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the four tokens of the chapter",
            CHAPTER,
            "The section 'All rows: the loop, then the matrix' shows this table.",
        ),
        Case("random tokens", (X, *weights), "Go through compare, scale, weigh, mix, and print each shape."),
        Case("the same tokens in another order", (X[order], *weights), "The rows must follow their tokens."),
        Case(
            "a token that comes twice",
            (twins, *weights),
            "Does your answer use row numbers?",
            properties=(alike,),
        ),
        Case("large embeddings", LARGE, SURVIVE),
    ]


def _self_with(weigh):
    """Return an answer that weighs queries against keys in its own way."""
    return lambda X, W_q, W_k, W_v: weigh(X @ W_q, X @ W_k) @ (X @ W_v)


EXERCISE = Exercise(
    id="05.self_attention",
    title="Self-attention for all tokens",
    reference=self_attention,
    cases=_self_cases,
    hints=(
        "You have written all the parts: projections, weights, and now the mixture.",
        "Each row of weights mixes the rows of the values. Which product does this for all rows at once?",
        "Q, K, V = qkv(X, W_q, W_k, W_v), then return attention_weights(Q, K) @ V.",
    ),
    mistakes=(
        Mistake(
            "no_scale",
            _self_with(lambda Q, K: softmax(Q @ K.T)),
            "The scale is missing: divide the scores by the square root of d, the size of one key.",
        ),
        Mistake(
            "scaled_by_number_of_tokens",
            lambda X, W_q, W_k, W_v: softmax(X @ W_q @ (X @ W_k).T / np.sqrt(len(X))) @ (X @ W_v),
            "You scaled by √T, the number of tokens. A score adds up d terms: take √d, W_k.shape[1].",
        ),
        Mistake(
            "scaled_by_the_root_of_2",
            _self_with(lambda Q, K: softmax(Q @ K.T / np.sqrt(2))),
            "You divided by √2, the chapter's scale. Yours follows the size of a key: √d, W_k.shape[1].",
        ),
        Mistake(
            "scaled_by_d",
            _self_with(lambda Q, K: softmax(Q @ K.T / Q.shape[1])),
            "You divided by d. Scores are typically as large as √d, so divide by the square root.",
        ),
        Mistake(
            "softmax_that_overflows",
            _self_with(lambda Q, K: softmax_of_large(Q @ K.T / np.sqrt(Q.shape[1]))),
            "Your softmax overflows for large scores. Subtract the largest score of each row first, "
            "as in chapter 4.",
        ),
        Mistake(
            "softmax_forgotten",
            _self_with(lambda Q, K: Q @ K.T / np.sqrt(Q.shape[1])),
            "You mixed with the scores. They do not sum to 1: softmax comes first.",
        ),
        Mistake(
            "queries_and_keys_exchanged",
            lambda X, W_q, W_k, W_v: self_attention(X, W_k, W_q, W_v),
            "W_q and W_k, or Q and K, have changed places: your keys ask. Make Q with W_q, K with W_k, and "
            "the scores Q @ K.T.",
        ),
        Mistake(
            "scaled_by_embedding_width",
            lambda X, W_q, W_k, W_v: softmax(X @ W_q @ (X @ W_k).T / np.sqrt(X.shape[1])) @ (X @ W_v),
            "You scaled by √D, the size of an embedding. A score adds up d terms, the size of a key: "
            "W_k.shape[1].",
        ),
        Mistake(
            "scaled_by_value_width",
            lambda X, W_q, W_k, W_v: softmax(X @ W_q @ (X @ W_k).T / np.sqrt(W_v.shape[1])) @ (X @ W_v),
            "You scaled by √e, the size of a value. Values do not enter the scores: take √d, W_k.shape[1].",
        ),
        Mistake(
            "residual_added",
            lambda X, W_q, W_k, W_v: X + self_attention(X, W_q, W_k, W_v),
            "You added the embeddings X. That comes in chapter 8; return the new vectors Z alone.",
        ),
        Mistake(
            "softmax_over_queries",
            _self_with(lambda Q, K: softmax((Q @ K.T / np.sqrt(Q.shape[1])).T).T),
            "Your softmax runs down the columns. Each query, a row, shares out its attention: the last axis.",
        ),
        Mistake(
            "table_transposed",
            _self_with(lambda Q, K: softmax(Q @ K.T / np.sqrt(Q.shape[1])).T),
            "You mixed with the columns of the weights. Row i of them mixes the values for token i: "
            "weights @ values, without transposing.",
        ),
        Mistake(
            "keys_made_by_W_q",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_q) @ (X @ W_v),
            "Your queries meet queries, as where keys are made by W_q. Compare Q with the keys, X @ W_k.",
        ),
        Mistake(
            "mixes_the_embeddings",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_k) @ X,
            "You mixed the embeddings X. Mix the values, X @ W_v.",
        ),
        Mistake(
            "the_weights_themselves",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_k),
            "These are the right weights. One step is missing: mix the values, X @ W_v, with them.",
        ),
        Mistake(
            "looks_back_only",
            lambda X, W_q, W_k, W_v: np.array(
                [row_over(X, W_q, W_k, W_v, i, list(range(i + 1))) for i in range(len(X))]
            ),
            "Your tokens look only at themselves and at earlier ones. That comes in chapter 9; here "
            "they look at all.",
        ),
        Mistake(
            "weights_returned_as_well",
            lambda X, W_q, W_k, W_v: scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v),
            "You returned the weights as well. Return the new vectors alone.",
        ),
        Mistake(
            "mixes_the_keys",
            lambda X, W_q, W_k, W_v: self_attention(X, W_q, W_k, W_k),
            "You mixed the keys. Keys are compared; values are mixed.",
        ),
        Mistake(
            "all_weights_equal",
            _self_with(lambda Q, K: np.full((len(Q), len(K)), 1 / len(K))),
            "Every token gets the mean of the values. Weigh them: each token asks in its own way.",
        ),
        Mistake(
            "turned_round_at_the_end",
            lambda X, W_q, W_k, W_v: self_attention(X, W_q, W_k, W_v).T,
            "The numbers are right, but rows and columns are exchanged: a row is a token.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda X, W_q, W_k, W_v: np.array([attention_row(X, W_q, W_k, W_v, i) for i in range(len(X))]),
        lambda X, W_q, W_k, W_v: softmax(X @ (W_q @ W_k.T) @ X.T / np.sqrt(W_k.shape[1])) @ X @ W_v,
    ),
    stars=2,
    minutes=10,
)
