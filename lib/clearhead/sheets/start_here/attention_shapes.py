"""00.attention_shapes: The ledger of shapes."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import different_sizes


def attention_shapes(T, D, d, H):
    """Return the shape of every array of an attention with H heads, as a dict of tuples."""
    return {
        "X": (T, D),
        "W_q": (D, d),
        "W_k": (D, d),
        "W_v": (D, d),
        "Q": (T, d),
        "K": (T, d),
        "V": (T, d),
        "A": (T, T),
        "Z": (T, d),
        "concatenated": (T, H * d),
        "W_o": (H * d, D),
        "output": (T, D),
    }


def _with(**other):
    """Return a wrong answer: the right dict with some shapes replaced, each a function of the sizes."""
    return lambda T, D, d, H: (
        attention_shapes(T, D, d, H) | {name: shape(T, D, d, H) for name, shape in other.items()}
    )


def _all_transposed(T, D, d, H):
    return {name: shape[::-1] for name, shape in attention_shapes(T, D, d, H).items()}


def _shapes_by_product(T, D, d, H):
    X, W = np.zeros((T, D)), np.zeros((D, d))
    Q, W_o = X @ W, np.zeros((H * d, D))
    Z = Q @ Q.T @ Q
    heads = np.hstack([Z] * H)
    shapes = dict.fromkeys(("W_q", "W_k", "W_v"), W.shape) | dict.fromkeys("QKV", Q.shape)
    last = {"concatenated": heads.shape, "output": (heads @ W_o).shape}
    return shapes | last | {"X": X.shape, "A": (Q @ Q.T).shape, "Z": Z.shape, "W_o": W_o.shape}


def _shape_cases(rng):
    look = (
        "multiply in order, and let the inner sizes meet and vanish: X @ W_q, Q @ K.T, A @ V, "
        "concatenated @ W_o."
    )
    chain = (
        "X fits W_q, and concatenated fits W_o",
        lambda s, *sizes: s["X"][1] == s["W_q"][0] and s["concatenated"][1] == s["W_o"][0],
    )
    same = (
        "the output has the shape of X, so that layers can be stacked",
        lambda s, *sizes: s["output"] == s["X"],
    )
    return [
        Case("2 tokens, width 4, keys of 3, 5 heads: the table of the chapter", (2, 4, 3, 5), look),
        Case(
            "other sizes, all different", tuple(different_sizes(rng, 4, 2, 12)), look, 2, None, (chain, same)
        ),
        Case("sizes of a real model", (1024, 768, 64, 12), look, 1, None, (chain, same)),
        Case(
            "one token and one head",
            (1, *different_sizes(rng, 2, 3, 9), 1),
            "A has a row and a column for each token.",
            1,
        ),
    ]


EXERCISE = Exercise(
    "00.attention_shapes",
    "The ledger of shapes",
    reference=attention_shapes,
    cases=_shape_cases,
    hints=(
        "Rows are tokens: X, Q, K, V, Z, concatenated and output all have T rows.",
        "A is Q @ K.T: the d meet and vanish. The heads are put side by side, so their columns add "
        "up to H * d.",
        "W_o brings concatenated (T, H * d) back to (T, D), so it is (H * d, D).",
    ),
    mistakes=(
        Mistake(
            "heads_left_out_of_w_o",
            _with(W_o=lambda T, D, d, H: (d, D)),
            "W_o meets all heads at once. The concatenated rows are H * d wide, so W_o has H * d rows.",
        ),
        Mistake(
            "w_o_turned_round",
            _with(W_o=lambda T, D, d, H: (D, H * d)),
            "concatenated stands on the left of W_o, so W_o needs H * d rows. nn.Linear of PyTorch "
            "keeps it your way.",
        ),
        Mistake(
            "heads_stacked_below_each_other",
            _with(concatenated=lambda T, D, d, H: (H * T, d)),
            "The heads are put side by side: still a row for each token, and H times as many columns.",
        ),
        Mistake(
            "heads_added",
            _with(
                concatenated=lambda T, D, d, H: (T, H + d),
                W_o=lambda T, D, d, H: (H + d, D),
            ),
            "You added H and d. H heads of d numbers each, side by side, are H * d numbers.",
        ),
        Mistake(
            "output_not_brought_back",
            _with(output=lambda T, D, d, H: (T, H * d)),
            "That is the shape before W_o. Multiply by W_o, and the width is D again.",
        ),
        Mistake(
            "attention_between_numbers",
            _with(A=lambda T, D, d, H: (d, d)),
            "That is Q.T @ K, numbers against numbers. A compares tokens with tokens: Q @ K.T.",
        ),
        Mistake(
            "attention_of_queries_and_numbers",
            _with(A=lambda T, D, d, H: (T, d)),
            "A has a column for each key, and there is a key for each token: T columns, not d.",
        ),
        Mistake(
            "all_heads_in_one_matrix",
            _with(**dict.fromkeys(("W_q", "W_k", "W_v"), lambda T, D, d, H: (D, H * d))),
            "Some libraries do keep the heads in one wide matrix. This table is for one head, whose "
            "queries have d numbers.",
        ),
        Mistake(
            "width_divided_by_the_heads",
            lambda T, D, d, H: attention_shapes(T, D, D // H, H),
            "Many models choose d = D / H, but nothing makes them. Use the d that you are given.",
        ),
        Mistake(
            "tokens_in_columns",
            _all_transposed,
            "Every shape is turned round: that is the column convention. In this book rows are tokens.",
        ),
    ),
    alternatives=(_shapes_by_product,),
    ids=True,
    stars=2,
    minutes=10,
)
