"""Sheet 05, scaled dot-product attention (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.gradients import attention_gradients, softmax_gradient
from clearhead.maths.softmax import softmax

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count):
    """Return d, then other sizes from 2 to 8. No d is 2, as in the chapter, or 4, whose root is whole."""
    d = int(rng.choice([3, 5, 6, 7, 8]))
    return [d, *(int(size) for size in rng.permutation(np.setdiff1d(np.arange(2, 9), d))[: count - 1])]


def _tokens_and_weights(rng):
    """Return X (T, D), W_q (D, d), W_k (D, d), W_v (D, e), all sizes different and scores of about 1."""
    d, T, D, e = _sizes(rng, 4)
    weights = (rng.normal(size=(D, size)) / np.sqrt(D) for size in (d, d, e))
    return rng.normal(size=(T, D)), *weights


def _softmax_of_large(scores):
    """Return softmax without the shift: it overflows."""
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


def _shared(scores):
    """Return each row divided by its sum."""
    with np.errstate(all="ignore"):
        return scores / scores.sum(axis=-1, keepdims=True)


def _unit(rows):
    """Return each row divided by its length."""
    with np.errstate(all="ignore"):
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


# qkv -------------------------------------------------------------------------------------------------------


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
    return [
        Case(
            "two tokens, by hand",
            (_X, _W_Q, _W_K, _W_V),
            "The first query is 1 times the first row of W_q, plus 2 times its third row: (1, 0, 2, 1).",
            expected=by_hand,
        ),
        Case(
            "random tokens",
            _tokens_and_weights(rng),
            "Compare the three shapes with (T, d), (T, d) and (T, e).",
        ),
        Case("other sizes", _tokens_and_weights(rng), "Nothing may depend on how many tokens there are."),
    ]


QKV = Exercise(
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
    ),
    alternatives=(
        lambda X, W_q, W_k, W_v: tuple(np.einsum("td,de->te", X, W) for W in (W_q, W_k, W_v)),
        lambda X, W_q, W_k, W_v: [np.array([W.T @ x for x in X]) for W in (W_q, W_k, W_v)],
    ),
    stars=1,
    minutes=5,
)

# attention_weights -----------------------------------------------------------------------------------------


def attention_weights(Q, K):
    """Return the weights A (T, S) of queries Q (T, d) over keys K (S, d)."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]))


def _weights_cases(rng):
    d, T, S = _sizes(rng, 3)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    tiny_Q = np.array([[1.0, 1, 0, 0], [0, 0, 0, 0]])
    tiny_K = np.array([[0.0, 0, 5, 0], [2, 0, 0, 1], [1, 3, 0, 0]])
    by_hand = np.array([np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum(), [1 / 3, 1 / 3, 1 / 3]])
    sums_to_one = ("each row sums to 1", lambda A, Q, K: np.allclose(np.sum(A, axis=-1), 1))
    return [
        Case(
            "two queries, three keys, by hand",
            (tiny_Q, tiny_K),
            "The raw scores of the first query are 0, 2 and 4. Divided by √4 they are 0, 1 and 2.",
            expected=by_hand,
            properties=(sums_to_one,),
        ),
        Case("random queries and keys", (Q, K), "Each row belongs to one query.", properties=(sums_to_one,)),
        Case(
            "vectors of 300 numbers",
            (rng.normal(size=(3, 300)), rng.normal(size=(5, 300))),
            "Look at the scale, √d.",
        ),
        Case(
            "scores of thousands, by hand",
            (
                3000 * np.array([[1.0, 0, 0, 0], [-1, 0, 0, 0]]),
                np.array([[2.0, 0, 1, 0], [1, 0, 0, 0], [3, 1, 0, 0]]),
            ),
            "The largest score takes everything. Does softmax survive large scores? Chapter 4 shifts them.",
            expected=np.array([[0.0, 0, 1], [0, 1, 0]]),
        ),
    ]


ATTENTION_WEIGHTS = Exercise(
    id="05.attention_weights",
    title="Weights from queries and keys",
    reference=attention_weights,
    cases=_weights_cases,
    hints=(
        "Three of the four steps: compare, scale, weigh. The values do not come in yet.",
        "Q @ K.T holds all scores, one row a query. The scale is the square root of the size of a query, d.",
        "softmax(Q @ K.T / np.sqrt(Q.shape[-1])): the library's softmax works along the last axis.",
    ),
    mistakes=(
        Mistake(
            "softmax_over_queries",
            lambda Q, K: softmax((Q @ K.T / np.sqrt(Q.shape[-1])).T).T,
            "Your columns sum to 1, not your rows. Each query shares its attention among the keys: "
            "the last axis.",
        ),
        Mistake(
            "no_scale",
            lambda Q, K: softmax(Q @ K.T),
            "The scale is missing: divide the scores by the square root of d before the softmax.",
        ),
        Mistake(
            "scaled_by_d_k",
            lambda Q, K: softmax(Q @ K.T / Q.shape[-1]),
            "You divided by d. Scores are typically as large as √d, so divide by the square root.",
        ),
        Mistake(
            "root_cut_to_a_whole_number",
            lambda Q, K: softmax(Q @ K.T / int(np.sqrt(Q.shape[-1]))),
            "You cut the root of d to a whole number. Divide by the root itself, with its decimals.",
        ),
        Mistake(
            "multiplied_by_the_root",
            lambda Q, K: softmax(Q @ K.T * np.sqrt(Q.shape[-1])),
            "You multiplied by the square root of d. The scale makes large scores smaller: divide.",
        ),
        Mistake(
            "softmax_forgotten",
            lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]),
            "These are the scaled scores. One step is missing: weigh, with softmax.",
        ),
        Mistake(
            "shared_without_exponentials",
            lambda Q, K: _shared(Q @ K.T),
            "You divided the scores by their sum. Some are negative: raise e to them first, as softmax does.",
        ),
        Mistake(
            "cosines",
            lambda Q, K: softmax(_unit(Q) @ _unit(K).T),
            "You divided by the lengths of the vectors, as a cosine does. Attention divides by the "
            "square root of d, the same number for all.",
        ),
        Mistake(
            "scaled_by_number_of_keys",
            lambda Q, K: softmax(Q @ K.T / np.sqrt(len(K))),
            "You took the root of the number of keys. What counts is how many terms a dot product "
            "adds up: d.",
        ),
        Mistake(
            "scaled_by_number_of_queries",
            lambda Q, K: softmax(Q @ K.T / np.sqrt(len(Q))),
            "You took the root of the number of queries. What counts is how many numbers one query has: "
            "Q.shape[-1].",
        ),
        Mistake(
            "scaled_after_softmax",
            lambda Q, K: softmax(Q @ K.T) / np.sqrt(Q.shape[-1]),
            "You scaled the weights instead of the scores, so a row no longer sums to 1. Scale before"
            " the softmax.",
        ),
        Mistake(
            "keys_ask_queries",
            lambda Q, K: softmax(K @ Q.T / np.sqrt(Q.shape[-1])),
            "Your rows are keys and your columns are queries. Begin with Q: Q @ K.T.",
        ),
        Mistake(
            "softmax_over_everything",
            lambda Q, K: np.exp((S := Q @ K.T / np.sqrt(Q.shape[-1])) - S.max()) / np.exp(S - S.max()).sum(),
            "The whole table sums to 1. Each row should: sum over the last axis, with keepdims=True.",
        ),
        Mistake(
            "one_shift_for_all_rows",
            lambda Q, K: _softmax_of_large((S := Q @ K.T / np.sqrt(Q.shape[-1])) - S.max()),
            "You subtracted the largest score of the whole table. A row far below it then sums to 0: "
            "subtract the largest score of each row.",
        ),
        Mistake(
            "scores_clipped",
            lambda Q, K: _softmax_of_large(np.clip(Q @ K.T / np.sqrt(Q.shape[-1]), -700, 700)),
            "You clipped the scores, so two large ones become equal. Subtract the largest score of each row "
            "instead: the differences stay.",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda Q, K: _softmax_of_large(Q @ K.T / np.sqrt(Q.shape[-1])),
            "Your softmax overflows for large scores. Subtract the largest score of each row first, "
            "as in chapter 4.",
        ),
    ),
    alternatives=(
        lambda Q, K: softmax((Q / np.sqrt(Q.shape[1])) @ K.T),
        lambda Q, K: np.array([softmax(K @ q / len(q) ** 0.5) for q in Q]),
    ),
    stars=1,
    minutes=10,
)

# attention_row ---------------------------------------------------------------------------------------------


def attention_row(X, W_q, W_k, W_v, i):
    """Return the new vector (e) of token i alone."""
    q = X[i] @ W_q
    return softmax(X @ W_k @ q / np.sqrt(len(q))) @ (X @ W_v)


CHAPTER = tuple(
    np.array(rows, dtype=float)
    for rows in (
        [[1, 0, 0], [0, 2, 0], [2, 0, 0], [0, 1, 2]],
        [[0, 1], [1, 0], [0, 1]],
        [[1, 0], [0, 1], [-1, 0]],
        [[1, 0, 0], [0, 1, 1], [1, 0, -1]],
    )
)


def _row_cases(rng):
    X, *weights = _tokens_and_weights(rng)
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
        Case("large embeddings", (300 * X, *weights, 0), "Does softmax survive large scores?"),
    ]


def _row_scaled_by(size):
    """Return an answer for one row that scales by the root of another size."""

    def row(X, W_q, W_k, W_v, i):
        scores = X @ W_k @ (X[i] @ W_q) / np.sqrt(size(X, W_v))
        return softmax(scores) @ (X @ W_v)

    return row


def _row_over(X, W_q, W_k, W_v, i, kept):
    """Return the new vector of token i when only the kept tokens can be looked at."""
    q = X[i] @ W_q
    return (
        softmax(X[kept] @ W_k @ q / np.sqrt(len(q))) @ (X[kept] @ W_v)
        if len(X[kept])
        else np.zeros(W_v.shape[1])
    )


ATTENTION_ROW = Exercise(
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
            lambda X, W_q, W_k, W_v, i: _row_over(X, W_q, W_k, W_v, i, [j for j in range(len(X)) if j != i]),
            "Your token does not look at itself. It may: keep all T keys.",
        ),
        Mistake(
            "looks_back_only",
            lambda X, W_q, W_k, W_v, i: _row_over(X, W_q, W_k, W_v, i, list(range(i + 1))),
            "Your token looks only at itself and at earlier tokens. That comes in chapter 9; here it "
            "looks at all.",
        ),
        Mistake(
            "column_of_the_table",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_q @ (X[i] @ W_k) / np.sqrt(W_q.shape[1])) @ (X @ W_v),
            "You let all queries meet key i. It is the other way round: query i meets all keys.",
        ),
        Mistake(
            "no_scale",
            lambda X, W_q, W_k, W_v, i: softmax(X @ W_k @ (X[i] @ W_q)) @ (X @ W_v),
            "The scale is missing: divide the scores by the square root of d, the size of the query.",
        ),
        Mistake(
            "scaled_by_the_root_of_2",
            _row_scaled_by(lambda X, W_v: 2),
            "You divided by √2, the chapter's scale. Yours follows the size of the query: √d, len(q).",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda X, W_q, W_k, W_v, i: (
                _softmax_of_large(X @ W_k @ (X[i] @ W_q) / np.sqrt(W_q.shape[1])) @ (X @ W_v)
            ),
            "Your softmax overflows for large scores. Subtract the largest score first, as in chapter 4.",
        ),
        Mistake(
            "scaled_by_number_of_tokens",
            _row_scaled_by(lambda X, W_v: len(X)),
            "You scaled by √T, the number of tokens. A score adds up d terms, the size of the query: len(q).",
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
            "len(q).",
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
            "You took the row before the one asked for. Python counts from 0: token i is X[i].",
        ),
        Mistake(
            "all_rows_returned",
            lambda X, W_q, W_k, W_v, i: self_attention(X, W_q, W_k, W_v),
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

# self_attention --------------------------------------------------------------------------------------------


def self_attention(X, W_q, W_k, W_v):
    """Return the new vectors Z (T, e) of all tokens."""
    return scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0]


def _self_cases(rng):
    X, *weights = _tokens_and_weights(rng)
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
            "The section 'All rows' of the chapter shows this table.",
        ),
        Case("random tokens", (X, *weights), "Go through compare, scale, weigh, mix, and print each shape."),
        Case("the same tokens in another order", (X[order], *weights), "The rows must follow their tokens."),
        Case(
            "a token that comes twice",
            (twins, *weights),
            "Does your answer use row numbers?",
            properties=(alike,),
        ),
        Case("large embeddings", (300 * X, *weights), "Does softmax survive large scores?"),
    ]


def _self_with(weigh):
    """Return an answer that weighs queries against keys in its own way."""
    return lambda X, W_q, W_k, W_v: weigh(X @ W_q, X @ W_k) @ (X @ W_v)


SELF_ATTENTION = Exercise(
    id="05.self_attention",
    title="Self-attention for all tokens",
    reference=self_attention,
    cases=_self_cases,
    hints=(
        "You have written all the parts: projections, weights, and now the mixture.",
        "Each row of A mixes the rows of V. Which product does this for all rows at once?",
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
            _self_with(lambda Q, K: _softmax_of_large(Q @ K.T / np.sqrt(Q.shape[1]))),
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
            "W_q and W_k have changed places: your keys ask. Make Q with W_q, and K with W_k.",
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
            "You mixed with the columns of A. Row i of A mixes the values for token i: A @ V, without"
            " transposing.",
        ),
        Mistake(
            "keys_made_by_W_q",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_q) @ (X @ W_v),
            "Your keys are made by W_q, so everyone finds what they look for in themselves. Use W_k "
            "for the keys.",
        ),
        Mistake(
            "mixes_the_embeddings",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_k) @ X,
            "You mixed the embeddings X. Mix the values, X @ W_v.",
        ),
        Mistake(
            "the_weights_themselves",
            lambda X, W_q, W_k, W_v: attention_weights(X @ W_q, X @ W_k),
            "These are the right weights A. One step is missing: A @ V.",
        ),
        Mistake(
            "looks_back_only",
            lambda X, W_q, W_k, W_v: np.array(
                [_row_over(X, W_q, W_k, W_v, i, list(range(i + 1))) for i in range(len(X))]
            ),
            "Your tokens look only at themselves and at earlier ones. That comes in chapter 9; here "
            "they look at all.",
        ),
    ),
    alternatives=(
        lambda X, W_q, W_k, W_v: np.array([attention_row(X, W_q, W_k, W_v, i) for i in range(len(X))]),
        lambda X, W_q, W_k, W_v: softmax(X @ (W_q @ W_k.T) @ X.T / np.sqrt(W_k.shape[1])) @ X @ W_v,
    ),
    stars=2,
    minutes=10,
)

# column_attention ------------------------------------------------------------------------------------------


def column_attention(X, M_q, M_k, M_v):
    """Return Z (e, T), a column a token, for X (D, T) and matrices M_q (d, D), M_k (d, D), M_v (e, D)."""
    return scaled_dot_product_attention(X.T @ M_q.T, X.T @ M_k.T, X.T @ M_v.T)[0].T


def _columns_with(weigh):
    """Return an answer in column form that weighs in its own way."""
    return lambda X, M_q, M_k, M_v: M_v @ X @ weigh(M_q @ X, M_k @ X)


def _columns_by_width(weigh):
    """Return an answer in column form that weighs in its own way, and scales by √D, as printed."""

    def answer(X, M_q, M_k, M_v):
        root = np.sqrt(len(X) / len(M_q))  # `weigh` divides by √d: together they divide by √D
        return M_v @ X @ weigh(M_q @ X / root, M_k @ X)

    return answer


def _between_the_values(Z, X, M_q, M_k, M_v):
    values = M_v @ X
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    return (np.clip(Z, low - 1e-9, high + 1e-9) == Z).all()


def _column_cases(rng):
    mixed = (
        "each number lies between the smallest and the largest of its row of values",
        _between_the_values,
    )
    columns = [tuple(M.T for M in _tokens_and_weights(rng)) for _ in range(2)]
    return [
        Case(
            "the four tokens of the chapter, as columns",
            tuple(M.T for M in CHAPTER),
            "The answer is the chapter's Z, transposed.",
        ),
        Case(
            "random tokens",
            columns[0],
            "Which axis of your scores belongs to the query?",
            properties=(mixed,),
        ),
        Case("other sizes", columns[1], "Write each shape beside its product."),
        Case(
            "large embeddings", (300 * columns[0][0], *columns[0][1:]), "Does softmax survive large scores?"
        ),
    ]


COLUMN_ATTENTION = Exercise(
    id="05.column_attention",
    title="The same in columns",
    reference=column_attention,
    cases=_column_cases,
    hints=(
        "Transpose the whole equation Z = A V. What becomes of the order of the two factors?",
        "Zᵀ = Vᵀ Aᵀ. In Aᵀ each column belongs to a query, so each column must sum to 1.",
        "Scores K.T @ Q / √d, softmax down each column, then V @ (that). Softmax of the transpose, "
        "transposed, does it.",
    ),
    mistakes=(
        Mistake(
            "as_printed",
            _columns_with(lambda Q, K: softmax((Q.T @ K / np.sqrt(len(Q))).T).T),
            "This is the formula as the notes print it. In QᵀK a column belongs to a key; you need KᵀQ.",
        ),
        Mistake(
            "as_printed_with_row_softmax",
            _columns_with(lambda Q, K: softmax(Q.T @ K / np.sqrt(len(Q)))),
            "Rows of QᵀK do belong to queries, but V stands on the left and meets columns. Transpose "
            "the weights.",
        ),
        Mistake(
            "softmax_over_queries",
            _columns_with(lambda Q, K: softmax(K.T @ Q / np.sqrt(len(Q)))),
            "Your scores KᵀQ are right. A query is a column now, so softmax must run down each column.",
        ),
        Mistake(
            "as_printed_with_root_of_D",
            _columns_by_width(lambda Q, K: softmax((Q.T @ K / np.sqrt(len(Q))).T).T),
            "This is the formula as the notes print it. Two things differ: the layout of the scores, KᵀQ, "
            "and the scale, √d.",
        ),
        Mistake(
            "as_printed_with_row_softmax_and_root_of_D",
            _columns_by_width(lambda Q, K: softmax(Q.T @ K / np.sqrt(len(Q)))),
            "Two things differ: the layout of the scores (V on the left needs a column for each query: KᵀQ), "
            "and the scale, √d.",
        ),
        Mistake(
            "softmax_over_queries_and_root_of_D",
            _columns_by_width(lambda Q, K: softmax(K.T @ Q / np.sqrt(len(Q)))),
            "Two things differ: softmax must run down each column of KᵀQ, and the scale is √d.",
        ),
        Mistake(
            "scaled_by_embedding_width",
            lambda X, M_q, M_k, M_v: M_v @ X @ softmax((M_q @ X).T @ (M_k @ X) / np.sqrt(len(X))).T,
            "You scaled by √D, the size of an embedding. A score adds up d terms, the size of a key.",
        ),
        Mistake(
            "no_scale",
            _columns_with(lambda Q, K: softmax(Q.T @ K).T),
            "The scale is missing: divide the scores by the square root of d, which is now the number"
            " of rows of Q.",
        ),
        Mistake(
            "scaled_by_number_of_tokens",
            _columns_with(lambda Q, K: softmax(Q.T @ K / np.sqrt(Q.shape[-1])).T),
            "With columns, Q.shape[-1] is the number of tokens. The size of a query is Q.shape[0].",
        ),
        Mistake(
            "softmax_that_overflows",
            _columns_with(lambda Q, K: _softmax_of_large(Q.T @ K / np.sqrt(len(Q))).T),
            "Your softmax overflows for large scores. Subtract the largest score of each query first, "
            "as in chapter 4.",
        ),
        Mistake(
            "softmax_forgotten",
            _columns_with(lambda Q, K: K.T @ Q / np.sqrt(len(Q))),
            "You mixed with the scores. They do not sum to 1: softmax comes first, down each column of KᵀQ.",
        ),
        Mistake(
            "rows_returned",
            lambda *given: column_attention(*given).T,
            "The numbers are right, but your tokens come back as rows. Return a column for each token.",
        ),
    ),
    alternatives=(
        _columns_with(lambda Q, K: softmax((K.T @ Q / np.sqrt(len(Q))).T).T),
        _columns_with(lambda Q, K: softmax(Q.T @ K / np.sqrt(len(Q))).T),
    ),
    stars=2,
    minutes=15,
)

# sharpen ---------------------------------------------------------------------------------------------------


def sharpen(q, k_near, k_far, weight):
    """Return the factor c for which c q gives k_near that weight, beside k_far as the only other key."""
    return np.log(weight / (1 - weight)) * np.sqrt(len(q)) / (q @ k_near - q @ k_far)


def _sharpen_cases(rng):
    def given(d, weight):
        q, other = rng.normal(size=d), rng.normal(size=d)
        near, far = q + 0.3 * rng.normal(size=d), other - q
        return (q, near, far, weight) if q @ near > q @ far else (q, far, near, weight)

    reached = (
        "with c q as the query, softmax gives k_near the weight asked for",
        lambda c, q, near, far, weight: np.isclose(
            softmax(c * np.stack([near, far]) @ q / np.sqrt(len(q)))[0], weight
        ),
    )
    easy = np.array([1.0, 0, 0, 0]), np.array([3.0, 0, 0, 1]), np.array([1.0, 2, 0, 0])
    return [
        Case(
            "by hand: gap 2, d = 4, weight 0.9",
            (*easy, 0.9),
            "The scaled gap is 2 / √4 = 1, and 0.9 / 0.1 = 9, so c = ln 9.",
            expected=2.1972245773,
            properties=(reached,),
        ),
        Case("weight one half", (*given(6, 0.5),), "Equal weights need equal scores: what must c be?"),
        Case(
            "a random query", given(5, 0.8), "Put your c back and compute the weights.", properties=(reached,)
        ),
        Case("nearly all of it", given(7, 0.999), "Put your c back.", properties=(reached,)),
        Case("less than half", given(8, 0.2), "Which sign must c have?", properties=(reached,)),
    ]


SHARPEN = Exercise(
    id="05.sharpen",
    title="Not a cosine",
    reference=sharpen,
    cases=_sharpen_cases,
    hints=(
        "With two keys, only the difference of the two scores matters. Multiplying q by c multiplies "
        "it by c.",
        "The ratio of the two weights is e to the scaled gap: w / (1 - w) = exp(c (q·k_near - "
        "q·k_far) / √d).",
        "Take the logarithm of both sides and solve for c. The root of d goes to the other side.",
    ),
    mistakes=(
        Mistake(
            "no_scale",
            lambda q, near, far, w: np.log(w / (1 - w)) / (q @ near - q @ far),
            "You forgot that the scores are divided by √d: a longer c is needed to make up for it.",
        ),
        Mistake(
            "root_on_the_wrong_side",
            lambda q, near, far, w: np.log(w / (1 - w)) / (q @ near - q @ far) / np.sqrt(len(q)),
            "The root of d stands under the gap. When you solve for c, it goes to the top: multiply.",
        ),
        Mistake(
            "d_in_place_of_its_root",
            lambda q, near, far, w: np.sqrt(len(q)) * sharpen(q, near, far, w),
            "You multiplied by d. The scores are divided by its square root: np.sqrt(len(q)).",
        ),
        Mistake(
            "logarithm_to_base_10",
            lambda q, near, far, w: sharpen(q, near, far, w) / np.log(10),
            "You took the logarithm to base 10. Softmax raises e, so take the natural one: np.log.",
        ),
        Mistake(
            "logarithm_forgotten",
            lambda q, near, far, w: w / (1 - w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "The ratio w / (1 - w) is e to the gap, not the gap itself. Take its logarithm.",
        ),
        Mistake(
            "keys_added",
            lambda q, near, far, w: np.log(w / (1 - w)) * np.sqrt(len(q)) / (q @ near + q @ far),
            "You added the two scores. The ratio of two exponentials is e to their difference: subtract.",
        ),
        Mistake(
            "log_of_the_weight",
            lambda q, near, far, w: np.log(w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "ln w alone forgets the other key. Compare the two weights: the ratio w / (1 - w).",
        ),
        Mistake(
            "ratio_upside_down",
            lambda q, near, far, w: np.log((1 - w) / w) * np.sqrt(len(q)) / (q @ near - q @ far),
            "Your c has the wrong sign: it turns the query round. The ratio is w / (1 - w), with the near "
            "key on top.",
        ),
        Mistake(
            "sign_dropped",
            lambda *given: abs(sharpen(*given)),
            "Your c has lost its sign. A weight below 1/2 needs a negative c, which turns the query round.",
        ),
        Mistake(
            "the_new_query",
            lambda q, near, far, w: sharpen(q, near, far, w) * q,
            "You returned the new query, c q. Return the factor c alone.",
        ),
        Mistake(
            "only_the_near_key",
            lambda q, near, far, w: np.log(w / (1 - w)) * np.sqrt(len(q)) / (q @ near),
            "Softmax sees differences between scores. Subtract the score of the far key.",
        ),
        Mistake(
            "cosine_scores",
            lambda q, near, far, w: (
                np.log(w / (1 - w))
                * np.sqrt(len(q))
                / (
                    q @ near / np.linalg.norm(q) / np.linalg.norm(near)
                    - q @ far / np.linalg.norm(q) / np.linalg.norm(far)
                )
            ),
            "You divided by the lengths, as a cosine does. Attention does not: that is why c can "
            "sharpen it at all.",
        ),
    ),
    alternatives=(
        lambda q, near, far, w: (np.log(w) - np.log(1 - w)) / ((near - far) @ q / len(q) ** 0.5),
        lambda q, near, far, w: float(np.arctanh(2 * w - 1) * 2 / ((near - far) @ q) * np.sqrt(len(q))),
    ),
    stars=2,
    minutes=15,
)

# attention_backward ----------------------------------------------------------------------------------------


def attention_backward(dZ, Q, K, V):
    """Return dQ, dK and dV, shaped as Q (T, d), K (S, d) and V (S, e), for dZ (T, e)."""
    return attention_gradients(dZ, Q, K, V, attention_weights(Q, K))


def _by_name(answer, dZ, Q, K, V):
    """Return the three tables of an answer, each under its name."""
    tables = answer(dZ, Q, K, V)
    if tables is None or isinstance(tables, dict):
        return tables
    if not isinstance(tables, tuple | list) or len(tables) != 3:
        raise ValueError("return three arrays: dQ, dK and dV")
    return dict(zip(("dQ", "dK", "dV"), tables, strict=True))


def _backward_with(through_softmax, scale_q=True, scale_k=True):
    """Return a backward pass with its own way through the softmax, or without a scale."""

    def backward(dZ, Q, K, V):
        A, root = attention_weights(Q, K), np.sqrt(Q.shape[1])
        dS = through_softmax(dZ @ V.T, A)
        return dS @ K / (root if scale_q else 1), dS.T @ Q / (root if scale_k else 1), A.T @ dZ

    return backward


def _backward_weighing(weigh):
    """Return a backward pass that makes its weights in its own way."""
    return lambda dZ, Q, K, V: attention_gradients(dZ, Q, K, V, weigh(Q, K))


def _unscaled_both_ways(dZ, Q, K, V):
    A = softmax(Q @ K.T)
    dS = softmax_gradient(dZ @ V.T, A)
    return dS @ K, dS.T @ Q, A.T @ dZ


def _backward_ending(last_products):
    """Return a backward pass that is right up to dS, with its own last products."""

    def backward(dZ, Q, K, V):
        A = attention_weights(Q, K)
        return last_products(softmax_gradient(dZ @ V.T, A) / np.sqrt(Q.shape[1]), A, dZ, Q, K)

    return backward


def _through_jacobians(dA, A):
    """Return the gradient of the scores with one Jacobian a row."""
    return np.array([(np.diag(a) - np.outer(a, a)) @ g for a, g in zip(A, dA, strict=True)])


def _backward_cases(rng):
    d, T, S, e = _sizes(rng, 4)
    shapes = ((T, e), (T, d), (S, d), (S, e))
    X, W_q, W_k, W_v = CHAPTER
    dZ = np.zeros((4, 3))
    dZ[3, 0] = 1
    equal_values = np.ones((S, e))
    no_gradient = (
        "all values are equal, so the scores cannot matter: dQ and dK are zero",
        lambda out, *given: np.allclose(out["dQ"], 0) and np.allclose(out["dK"], 0),
    )
    drawn = [rng.normal(size=shape) for shape in shapes]
    return [
        Case(
            "one number of z₄, as in the chapter",
            (dZ, X @ W_q, X @ W_k, X @ W_v),
            "The section 'Backwards, by hand' of the chapter has every step.",
        ),
        Case(
            "random, all sizes different", tuple(drawn), "Check each shape: dQ like Q, dK like K, dV like V."
        ),
        Case(
            "equal values",
            (*drawn[:3], equal_values),
            "Look at your way through the softmax.",
            properties=(no_gradient,),
        ),
        Case("long queries", (drawn[0], 3 * drawn[1], *drawn[2:]), "Sharp rows have small gradients."),
        Case(
            "very long queries",
            (drawn[0], 30_000 * drawn[1], *drawn[2:]),
            "Does your softmax survive large scores? A weight of 1 leaves dQ and dK at 0.",
        ),
    ]


ATTENTION_BACKWARD = Exercise(
    id="05.attention_backward",
    title="The way back",
    reference=attention_backward,
    cases=_backward_cases,
    hints=(
        "Compute A first, forwards. Then go back in the opposite order: mix, weigh, scale, compare.",
        "dV = Aᵀ dZ and dA = dZ Vᵀ. Through the softmax, subtract from each row of dA its mean, "
        "weighted by A.",
        "dS = A * (dA - (dA * A).sum(axis=1, keepdims=True)); then dS @ K / √d and dS.T @ Q / √d.",
    ),
    mistakes=(
        Mistake(
            "softmax_forgotten",
            _backward_with(lambda dA, A: dA),
            "You passed the gradient of the weights on as if it were that of the scores. The softmax "
            "lies between.",
        ),
        Mistake(
            "mixture_left_out",
            _backward_with(lambda dA, A: A * dA),
            "You left out the mixture: subtract from each row of dA its mean, weighted by A. Then multiply "
            "by A.",
        ),
        Mistake(
            "sum_without_weights",
            _backward_with(lambda dA, A: A * (dA - dA.sum(axis=1, keepdims=True))),
            "You subtracted the plain sum of each row of dA. It must be weighted: the row sum of dA * A.",
        ),
        Mistake(
            "sum_down_the_columns",
            _backward_with(lambda dA, A: A * (dA - (dA * A).sum(axis=0))),
            "You summed down the columns. Softmax works along each row, and so does its gradient: sum over "
            "axis 1, keepdims=True.",
        ),
        Mistake(
            "diagonal_only",
            _backward_with(lambda dA, A: dA * A * (1 - A)),
            "a(1 - a) is how a weight changes with its own score. Each weight changes with all scores"
            " of its row.",
        ),
        Mistake(
            "mean_without_weights",
            _backward_with(lambda dA, A: A * (dA - dA.mean(axis=1, keepdims=True))),
            "You subtracted the plain mean of each row of dA. It must be weighted: the row sum of dA * A.",
        ),
        Mistake(
            "one_sum_for_all_rows",
            _backward_with(lambda dA, A: A * (dA - (dA * A).sum())),
            "You subtracted one sum over the whole table. Each row has its own softmax: sum over axis"
            " 1, keepdims=True.",
        ),
        Mistake(
            "weights_forgotten_in_front",
            _backward_with(lambda dA, A: dA - (dA * A).sum(axis=1, keepdims=True)),
            "The difference from the mixture is right. Now multiply it by A: a key that is not looked"
            " at hardly learns.",
        ),
        Mistake(
            "no_scale",
            _backward_with(softmax_gradient, scale_q=False, scale_k=False),
            "The scores were divided by √d on the way forwards, so dQ and dK must be divided by it, too.",
        ),
        Mistake(
            "scaled_by_d",
            lambda dZ, Q, K, V: tuple(
                table / (np.sqrt(Q.shape[1]) if place < 2 else 1)
                for place, table in enumerate(attention_backward(dZ, Q, K, V))
            ),
            "You divided dQ and dK by √d twice, or by d. The scores were divided by √d once: once is right.",
        ),
        Mistake(
            "no_scale_forwards_either",
            _unscaled_both_ways,
            "Your weights come from unscaled scores. Divide by √d on the way forwards and on the way back.",
        ),
        Mistake(
            "no_scale_forwards",
            _backward_weighing(lambda Q, K: softmax(Q @ K.T)),
            "Your way back divides by √d, but your weights come from unscaled scores. Divide on the way "
            "forwards, too.",
        ),
        Mistake(
            "softmax_that_overflows",
            _backward_weighing(lambda Q, K: _softmax_of_large(Q @ K.T / np.sqrt(Q.shape[1]))),
            "Your softmax overflows for large scores. Call your attention_weights, or the library's softmax.",
        ),
        Mistake(
            "no_scale_for_queries",
            _backward_with(softmax_gradient, scale_q=False),
            "dK is right. dQ needs the same division by √d.",
        ),
        Mistake(
            "no_scale_for_keys",
            _backward_with(softmax_gradient, scale_k=False),
            "dQ is right. dK needs the same division by √d.",
        ),
        Mistake(
            "dQ_and_dK_exchanged",
            lambda dZ, Q, K, V: tuple(attention_backward(dZ, Q, K, V)[place] for place in (1, 0, 2)),
            "All three are right, but dQ and dK have changed places: return dQ, dK, dV.",
        ),
        Mistake(
            "weights_not_transposed",
            _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS.T @ Q, A @ dZ)),
            "Look at dV. Value j gets its share from every query that looked at it, and these are column j "
            "of A: dV is A.T @ dZ.",
        ),
        Mistake(
            "queries_meet_queries",
            _backward_ending(lambda dS, A, dZ, Q, K: (dS @ Q, dS.T @ Q, A.T @ dZ)),
            "Your dQ is made from queries. A query was multiplied by keys, so its gradient is made from "
            "keys: dS @ K.",
        ),
        Mistake(
            "scores_not_transposed_for_keys",
            _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS @ Q, A.T @ dZ)),
            "Look at dK. A row of it gathers from all queries, so it needs a column of dS: dS.T @ Q.",
        ),
        Mistake(
            "queries_and_keys_exchanged",
            _backward_ending(lambda dS, A, dZ, Q, K: (dS @ Q, dS.T @ K, A.T @ dZ)),
            "In the last two products K and Q have changed places: dQ = dS @ K, and dK = dS.T @ Q.",
        ),
        Mistake(
            "values_first",
            lambda dZ, Q, K, V: attention_backward(dZ, Q, K, V)[::-1],
            "The three tables are right, but the order is not: return dQ, dK, dV.",
        ),
    ),
    alternatives=(
        _backward_with(_through_jacobians),
        _backward_with(lambda dA, A: A * dA - A * np.einsum("ts,ts->t", A, dA)[:, None]),
    ),
    stars=3,
    minutes=30,
    driver=_by_name,
)

SHEET = Sheet(
    "05",
    "Scaled dot-product attention",
    exercises=(
        QKV,
        ATTENTION_WEIGHTS,
        ATTENTION_ROW,
        SELF_ATTENTION,
        COLUMN_ATTENTION,
        SHARPEN,
        ATTENTION_BACKWARD,
    ),
)
