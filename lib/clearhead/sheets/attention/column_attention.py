"""05.column_attention: The same in columns."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .column_attention_wrong import MORE
from .shared import CHAPTER, LARGE, SURVIVE, softmax_of_large, tokens_and_weights


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
    columns = [tuple(M.T for M in tokens_and_weights(rng)) for _ in range(2)]
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
        Case("large embeddings", tuple(M.T for M in LARGE), SURVIVE),
    ]


EXERCISE = Exercise(
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
            "As in the printed formula, you multiply QᵀK, whose columns belong to keys. You need KᵀQ, "
            "with the queries made by M_q.",
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
            "The weights of a query must sum to 1, and a query is a column of KᵀQ (a row of QᵀK): let "
            "softmax run over the keys.",
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
            "The scale is missing: divide the scores by the square root of d, the number of rows of M_q.",
        ),
        Mistake(
            "scaled_by_number_of_tokens",
            _columns_with(lambda Q, K: softmax(Q.T @ K / np.sqrt(Q.shape[-1])).T),
            "You scaled by √T, the number of tokens. With columns, the size of a query is the number of rows "
            "of M_q: M_q.shape[0].",
        ),
        Mistake(
            "softmax_that_overflows",
            _columns_with(lambda Q, K: softmax_of_large(Q.T @ K / np.sqrt(len(Q))).T),
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
        Mistake(
            "divided_by_d",
            _columns_with(lambda Q, K: softmax(Q.T @ K / len(Q)).T),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "scaled_by_value_width",
            lambda X, M_q, M_k, M_v: M_v @ X @ softmax((M_q @ X).T @ (M_k @ X) / np.sqrt(len(M_v))).T,
            "You scaled by the width of the values. A score adds d products: the rows of M_q.",
        ),
        Mistake(
            "all_weights_equal",
            _columns_with(lambda Q, K: np.full((K.shape[1], Q.shape[1]), 1 / K.shape[1])),
            "Every column is the mean of the values. Weigh them: each token asks in its own way.",
        ),
        *MORE,
    ),
    alternatives=(
        _columns_with(lambda Q, K: softmax((K.T @ Q / np.sqrt(len(Q))).T).T),
        _columns_with(lambda Q, K: softmax(Q.T @ K / np.sqrt(len(Q))).T),
    ),
    stars=2,
    minutes=15,
)
