"""05.attention_row: One row, and nothing else."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .attention_row_wrong import MORE
from .shared import CHAPTER, LARGE, SURVIVE, row_over, softmax_of_large, tokens_and_weights


def attention_row(X, W_q, W_k, W_v, i):
    """Return the new vector (e) of token i alone."""
    q = X[i] @ W_q
    return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)


def _row_cases(rng):
    X, *weights = tokens_and_weights(rng)
    by_hand = np.array([0.509331542, 1.447937506, 1.364812657])
    between = (
        "each number lies between the smallest and the largest of that column of V",
        lambda z, X, W_q, W_k, W_v, i: (
            np.all(z <= (X @ W_v).max(0) + 1e-9) and np.all(z >= (X @ W_v).min(0) - 1e-9)
        ),
    )
    return [
        Case(
            "z₄ of the chapter",
            (*CHAPTER, 3),
            "The section 'One row, by hand' of the chapter has every number on the way.",
            expected=by_hand,
            properties=(between,),
        ),
        Case(
            "the first token",
            (X, *weights, 0),
            "The first token sees the others, too.",
            properties=(between,),
        ),
        Case("the last token", (X, *weights, len(X) - 1), "Only the query changes from token to token."),
        Case("one token alone", (X[:1], *weights, 0), "With one key, its weight is 1, and z is its value."),
        Case("large embeddings", (*LARGE, 0), SURVIVE),
    ]


def _row_scaled_by(size):
    """Return an answer for one row that scales by the root of another size."""

    def row(X, W_q, W_k, W_v, i):
        scores = X @ W_k @ (X[i] @ W_q) / np.sqrt(size(X, W_v))
        return softmax(scores) @ (X @ W_v)

    return row


EXERCISE = Exercise(
    id="05.attention_row",
    title="One row, and nothing else",
    reference=attention_row,
    cases=_row_cases,
    hints=(
        "One query is enough, but it meets all keys and mixes all values.",
        "q = X[i] @ W_q has shape (d,). The keys X @ W_k have shape (T, d), so the keys times q has "
        "shape (T,).",
        "softmax(K @ q / np.sqrt(len(q))) gives T weights; multiply them from the left with V.",
    ),
    mistakes=(
        Mistake(
            "looks_at_others_only",
            lambda X, W_q, W_k, W_v, i: row_over(X, W_q, W_k, W_v, i, [j for j in range(len(X)) if j != i]),
            "Your token does not look at itself. It may: keep all T keys.",
        ),
        Mistake(
            "looks_back_only",
            lambda X, W_q, W_k, W_v, i: row_over(X, W_q, W_k, W_v, i, list(range(i + 1))),
            "Your token looks only at itself and at earlier tokens. That comes in chapter 9; here it "
            "looks at all.",
        ),
        Mistake(
            "column_of_the_table",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_q @ (X[i] @ W_k) / np.sqrt(W_q.shape[1])) @ (X @ W_v),
            "You let all queries meet key i, or exchanged W_q and W_k. Query i, X[i] @ W_q, meets all keys.",
        ),
        Mistake(
            "no_scale",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q)) @ (X @ W_v),
            "The scale is missing: divide the scores by the square root of d, the size of the query.",
        ),
        Mistake(
            "scaled_by_the_root_of_2",
            _row_scaled_by(lambda X, W_v: 2),
            "You divided by √2, the chapter's scale. Yours follows the size of the query: √d, W_q.shape[1].",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda X, W_q, W_k, W_v, i: (
                softmax_of_large(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1])) @ (X @ W_v)
            ),
            "Your softmax overflows for large scores. Subtract the largest score first, as in chapter 4.",
        ),
        Mistake(
            "scaled_by_number_of_tokens",
            _row_scaled_by(lambda X, W_v: len(X)),
            "You scaled by √T, the number of tokens. A score adds up d terms, the size of the query: "
            "W_q.shape[1].",
        ),
        Mistake(
            "softmax_forgotten",
            lambda X, W_q, W_k, W_v, i: X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1]) @ (X @ W_v),
            "You mixed with the scores. They do not sum to 1: softmax comes first.",
        ),
        Mistake(
            "query_made_by_W_k",
            lambda X, W_q, W_k, W_v, i: attention_row(X, W_k, W_k, W_v, i),
            "Your query is made by W_k. What token i looks for is X[i] @ W_q.",
        ),
        Mistake(
            "likeliest_value_alone",
            lambda X, W_q, W_k, W_v, i: (X @ W_v)[np.argmax(X @ W_k @ (X[i] @ W_q))],
            "You took the value with the largest weight. Every value comes in, each times its weight.",
        ),
        Mistake(
            "scaled_by_embedding_width",
            _row_scaled_by(lambda X, W_v: X.shape[1]),
            "You scaled by √D, the size of an embedding. A score adds up d terms, the size of the query: "
            "W_q.shape[1].",
        ),
        Mistake(
            "scaled_by_value_width",
            _row_scaled_by(lambda X, W_v: W_v.shape[1]),
            "You scaled by √e, the size of a value. Values do not enter the scores: take √d, the size of "
            "the query.",
        ),
        Mistake(
            "residual_added",
            lambda X, W_q, W_k, W_v, i: X[i] + attention_row(X, W_q, W_k, W_v, i),
            "You added the token's embedding. That comes in chapter 8; return the new vector z alone.",
        ),
        Mistake(
            "counts_from_one",
            lambda X, W_q, W_k, W_v, i: attention_row(X, W_q, W_k, W_v, i - 1),
            "You took the row before the one asked for, and for i = 0 the last. Python counts from 0: "
            "token i is X[i].",
        ),
        Mistake(
            "all_rows_returned",
            lambda X, W_q, W_k, W_v, i: scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0],
            "You returned all rows. Return row i alone.",
        ),
        Mistake(
            "mixes_the_embeddings",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1])) @ X,
            "You mixed the embeddings X. Mix the values, X @ W_v.",
        ),
        Mistake(
            "the_weights_themselves",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1])),
            "These are the right weights. One step is missing: mix the values with them.",
        ),
        Mistake(
            "a_table_of_one_row",
            lambda X, W_q, W_k, W_v, i: attention_row(X, W_q, W_k, W_v, i)[None],
            "The numbers are right, but in a table of one row. Index with X[i], not X[i:i+1], or "
            "return the row alone.",
        ),
        Mistake(
            "divided_by_d",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q) / W_q.shape[1]) @ (X @ W_v),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "multiplied_by_the_root",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q) * np.sqrt(W_q.shape[1])) @ (X @ W_v),
            "You multiplied the scores by √d. Divide by it.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda X, W_q, W_k, W_v, i: sum(
            a * (x @ W_v)
            for a, x in zip(softmax(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1])), X, strict=True)
        ),
        lambda X, W_q, W_k, W_v, i: scaled_dot_product_attention(X[i : i + 1] @ W_q, X @ W_k, X @ W_v)[0][0],
    ),
    stars=2,
    minutes=10,
)
