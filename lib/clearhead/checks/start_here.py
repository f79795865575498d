"""Sheet 00, shapes, axes and conventions (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from .exercise import Case, Exercise, Mistake, Sheet


def _sizes(rng, count, low=2, high=8):
    """Return that many whole numbers from `low` to `high`, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


# to_column_convention --------------------------------------------------------------------------------------


def to_column_convention(A, V):
    """Return the mixed values with a column for each query, (e, T), from A (T, S) and V (S, e)."""
    return V.T @ A.T


def _weights(rng, T, S):
    """Return weights (T, S) whose rows sum to 1."""
    return softmax(rng.normal(size=(T, S)), axis=1)


def _column_cases(rng):
    T, S, e = _sizes(rng, 3)
    n, width = _sizes(rng, 2)
    look = "each column of the result belongs to one query: (A @ V) has it as a row."
    by_hand = (
        np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]),
        np.array([[2.0, 0.0, 4.0, 6.0], [8.0, 2.0, 0.0, 6.0]]),
    )
    return [
        Case(
            "three queries and two values, worked by hand",
            by_hand,
            look,
            expected=np.array([[2.0, 5.0, 8.0], [0.0, 1.0, 2.0], [4.0, 2.0, 0.0], [6.0, 6.0, 6.0]]),
        ),
        Case("other sizes, all different", (_weights(rng, T, S), rng.normal(size=(S, e))), look, 2),
        Case(
            "as many queries as keys, where a forgotten transpose still fits",
            (_weights(rng, n, n), rng.normal(size=(n, width))),
            "the shapes fit with A and with A.T, so only the numbers can tell: which axis of A belongs to V?",
            2,
        ),
    ]


TO_COLUMN_CONVENTION = Exercise(
    "00.to_column_convention",
    "The same attention, with tokens in columns",
    reference=to_column_convention,
    cases=_column_cases,
    hints=(
        "In rows the result is A @ V. In columns the same numbers stand, with rows and columns exchanged.",
        "The transpose of a product is the product of the transposes in the other order: (X @ Y).T = "
        "Y.T @ X.T.",
        "So the answer is the transpose of A @ V, written as V.T times something.",
    ),
    mistakes=(
        Mistake(
            "row_convention",
            lambda A, V: A @ V,
            "A @ V has a row for each query. Here each query must be a column: transpose everything.",
        ),
        Mistake(
            "weights_not_transposed",
            lambda A, V: V.T @ A,
            "V became columns but A did not. Write the shapes: (e, S) @ (T, S). The two inner sizes "
            "must both be S.",
        ),
        Mistake(
            "order_kept",
            lambda A, V: A.T @ V.T,
            "Both are transposed, but the order is the old one. A transpose turns the order of a "
            "product round.",
        ),
        Mistake(
            "reshaped_instead_of_transposed",
            lambda A, V: (A @ V).reshape(V.shape[1], A.shape[0]),
            "reshape reads the numbers in the old order and only breaks the lines elsewhere. .T moves them.",
        ),
        Mistake(
            "softmax_again",
            lambda A, V: V.T @ softmax(A, axis=1).T,
            "A holds weights already: its rows sum to 1. A second softmax makes them too equal; "
            "leave it out.",
        ),
    ),
    alternatives=(lambda A, V: (A @ V).T, lambda A, V: np.einsum("ts,se->et", A, V)),
    stars=1,
    minutes=5,
)


# softmax ---------------------------------------------------------------------------------------------------


def softmax(z, axis):
    """Return the scores as positive weights that sum to 1 along one axis, same shape as z (...)."""
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _softmax_in_place(z, axis):
    z -= z.max(axis=axis, keepdims=True)
    return softmax(z, axis)


def _exponentials(z, axis):
    return np.exp(z - z.max(axis=axis, keepdims=True))


def _sums_to_one(weights, z, axis):
    return np.allclose(weights.sum(axis=axis), 1)


def _softmax_cases(rng):
    rows, columns, depth = _sizes(rng, 3)
    one = ("the weights sum to 1 along the axis", _sums_to_one)
    positive = ("no weight is negative", lambda weights, z, axis: (weights >= 0).all())
    scores = rng.normal(size=(rows, columns))
    far = np.array(
        [[10000.0, 10001.0, 9999.0], [-10000.0, -10002.0, -9999.0], [1e4, -1e4, 9999], [-1e4, -np.inf, -1e4]]
    )
    blocked = np.array([[0.0, -np.inf, np.log(3)], [-np.inf, 5.0, -np.inf]])
    return [
        Case(
            "three scores, worked by hand",
            (np.log([1.0, 2.0, 5.0]), 0),
            "e to the scores is 1, 2 and 5. Together 8.",
            expected=np.array([1 / 8, 2 / 8, 5 / 8]),
        ),
        Case(
            "down the columns of a 2 by 3 table, worked by hand",
            (np.log([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), 0),
            "with axis=0, it is each column that sums to 1.",
            expected=np.array([[0.25, 0.5, 0.75], [0.75, 0.5, 0.25]]),
            properties=(one,),
        ),
        Case(
            "along the rows of a table",
            (scores, 1),
            "with axis=1, each row sums to 1.",
            1,
            None,
            (one, positive),
        ),
        Case(
            "the same scores with 100 added to all: the weights do not change",
            (scores + 100, -1),
            "a softmax sees only differences between scores.",
            expected=softmax(scores, 1),
        ),
        Case(
            "three axes, along the middle one",
            (rng.normal(size=(rows, columns, depth)), 1),
            "keepdims=True keeps the summed axis as size 1, so that the division lines up.",
            2,
            properties=(one,),
        ),
        Case(
            "scores near 10,000 and near -10,000",
            (far, 1),
            "e to the 10,000 overflows to infinity. Take each row's own largest score away first.",
            2,
        ),
        Case(
            "a score of minus infinity gets the weight 0",
            (blocked, 1),
            "e to the minus infinity is 0: nothing special is needed once the largest score is finite.",
            expected=np.array([[0.25, 0, 0.75], [0, 1, 0]]),
        ),
    ]


SOFTMAX = Exercise(
    "00.softmax",
    "Softmax along any axis",
    reference=softmax,
    cases=_softmax_cases,
    hints=(
        "Two steps: e to the power of every score, then divide by the sum along the axis.",
        "z.max(axis=axis, keepdims=True) keeps the axis with size 1, so it can be taken away from z. "
        "sum works alike.",
        "e = np.exp(z - largest along the axis), then e divided by its sum along the axis, both with "
        "keepdims=True.",
    ),
    mistakes=(
        Mistake(
            "always_the_last_axis",
            lambda z, axis: softmax(z, -1),
            "The answer sums along the last axis, whatever `axis` says. Hand `axis` on to max and to sum.",
        ),
        Mistake(
            "overflows",
            lambda z, axis: np.exp(z) / np.exp(z).sum(axis=axis, keepdims=True),
            "Right for small scores, but e to a large score is infinite. Take the largest score "
            "along the axis away first.",
        ),
        Mistake(
            "one_maximum_for_all",
            lambda z, axis: np.exp(z - z.max()) / np.exp(z - z.max()).sum(axis=axis, keepdims=True),
            "The largest score of the whole array was taken away, so a row far below it becomes 0 / 0. "
            "Take the largest along the axis.",
        ),
        Mistake(
            "a_finite_number_for_minus_infinity",
            lambda z, axis: softmax(np.where(z == -np.inf, -1000.0, z), axis),
            "You put a finite number in place of minus infinity. Where all other scores lie far below it, it "
            "takes all the weight. Leave minus infinity as it is.",
        ),
        Mistake(
            "keepdims_forgotten",
            lambda z, axis: _exponentials(z, axis) / _exponentials(z, axis).sum(axis=axis),
            "max or sum lost its axis, so it lines up with another one or not at all. Write keepdims=True.",
        ),
        Mistake(
            "axis_never_used",
            lambda z, axis: np.exp(z - z.max()) / np.exp(z - z.max()).sum(),
            "All the weights together sum to 1, not each row or column. Give `axis` to max and to sum.",
        ),
        Mistake(
            "sum_over_everything",
            lambda z, axis: _exponentials(z, axis) / _exponentials(z, axis).sum(),
            "max has its axis but sum has none, so all the weights together sum to 1. Give `axis` to sum.",
        ),
        Mistake(
            "no_exponential",
            lambda z, axis: z / z.sum(axis=axis, keepdims=True),
            "The scores themselves were divided by their sum. Scores can be negative: raise e to them first.",
        ),
        Mistake(
            "wrote_into_its_argument",
            _softmax_in_place,
            "`z -= ...` changes the caller's own array. Write z = z - ..., which makes a new one.",
        ),
    ),
    alternatives=(
        lambda z, axis: np.exp(z - np.logaddexp.reduce(z, axis=axis, keepdims=True)),
        lambda z, axis: np.moveaxis(softmax(np.moveaxis(z, axis, -1), -1), -1, axis),
    ),
    stars=2,
    minutes=10,
)


# attention_shapes ------------------------------------------------------------------------------------------


def attention_shapes(n, d, d_k, H):
    """Return the shape of every array of an attention with H heads, as a dict of tuples."""
    return {
        "X": (n, d),
        "W_q": (d, d_k),
        "W_k": (d, d_k),
        "W_v": (d, d_k),
        "Q": (n, d_k),
        "K": (n, d_k),
        "V": (n, d_k),
        "A": (n, n),
        "Z": (n, d_k),
        "concatenated": (n, H * d_k),
        "W_o": (H * d_k, d),
        "output": (n, d),
    }


def _with(**other):
    """Return a wrong answer: the right dict with some shapes replaced, each a function of the sizes."""
    return lambda n, d, d_k, H: (
        attention_shapes(n, d, d_k, H) | {name: shape(n, d, d_k, H) for name, shape in other.items()}
    )


def _all_transposed(n, d, d_k, H):
    return {name: shape[::-1] for name, shape in attention_shapes(n, d, d_k, H).items()}


def _shapes_by_product(n, d, d_k, H):
    X, W = np.zeros((n, d)), np.zeros((d, d_k))
    Q, W_o = X @ W, np.zeros((H * d_k, d))
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
        Case("other sizes, all different", tuple(_sizes(rng, 4, 2, 12)), look, 2, None, (chain, same)),
        Case("sizes of a real model", (1024, 768, 64, 12), look, 1, None, (chain, same)),
        Case(
            "one token and one head",
            (1, *_sizes(rng, 2, 3, 9), 1),
            "A has a row and a column for each token.",
            1,
        ),
    ]


ATTENTION_SHAPES = Exercise(
    "00.attention_shapes",
    "The ledger of shapes",
    reference=attention_shapes,
    cases=_shape_cases,
    hints=(
        "Rows are tokens: X, Q, K, V, Z, concatenated and output all have n rows.",
        "A is Q @ K.T: the d_k meet and vanish. The heads are put side by side, so their columns add "
        "up to H * d_k.",
        "W_o brings concatenated (n, H * d_k) back to (n, d), so it is (H * d_k, d).",
    ),
    mistakes=(
        Mistake(
            "heads_left_out_of_w_o",
            _with(W_o=lambda n, d, d_k, H: (d_k, d)),
            "W_o meets all heads at once. The concatenated rows are H * d_k wide, so W_o has H * d_k rows.",
        ),
        Mistake(
            "w_o_turned_round",
            _with(W_o=lambda n, d, d_k, H: (d, H * d_k)),
            "concatenated stands on the left of W_o, so W_o needs H * d_k rows. nn.Linear of PyTorch "
            "keeps it your way.",
        ),
        Mistake(
            "heads_stacked_below_each_other",
            _with(concatenated=lambda n, d, d_k, H: (H * n, d_k)),
            "The heads are put side by side: still a row for each token, and H times as many columns.",
        ),
        Mistake(
            "output_not_brought_back",
            _with(output=lambda n, d, d_k, H: (n, H * d_k)),
            "That is the shape before W_o. Multiply by W_o, and the width is d again.",
        ),
        Mistake(
            "attention_between_numbers",
            _with(A=lambda n, d, d_k, H: (d_k, d_k)),
            "That is Q.T @ K, numbers against numbers. A compares tokens with tokens: Q @ K.T.",
        ),
        Mistake(
            "attention_of_queries_and_numbers",
            _with(A=lambda n, d, d_k, H: (n, d_k)),
            "A has a column for each key, and there is a key for each token: n columns, not d_k.",
        ),
        Mistake(
            "all_heads_in_one_matrix",
            _with(**dict.fromkeys(("W_q", "W_k", "W_v"), lambda n, d, d_k, H: (d, H * d_k))),
            "Some libraries do keep the heads in one wide matrix. This table is for one head, whose "
            "queries have d_k numbers.",
        ),
        Mistake(
            "width_divided_by_the_heads",
            lambda n, d, d_k, H: attention_shapes(n, d, d // H, H),
            "Many models choose d_k = d / H, but nothing makes them. Use the d_k that you are given.",
        ),
        Mistake(
            "tokens_in_columns",
            _all_transposed,
            "Every shape is turned round: that is the column convention. In this book rows are tokens.",
        ),
    ),
    alternatives=(_shapes_by_product,),
    stars=2,
    minutes=10,
)


# product_shape ---------------------------------------------------------------------------------------------


def product_shape(left, right):
    """Return the shape of `left @ right`, from two shapes of two axes or more; None where they do not fit."""
    if left[-1] != right[-2]:
        return None
    try:
        return (*np.broadcast_shapes(left[:-2], right[:-2]), left[-2], right[-1])
    except ValueError:
        return None


def _leading(rule, inner=lambda a, b: a == b):
    """Return an answer that treats the axes before the last two by a rule of its own."""

    def answer(left, right):
        if not inner(left[-1], right[-2]):
            return None
        leading = rule(tuple(left[:-2]), tuple(right[:-2]))
        return None if leading is None else (*leading, left[-2], right[-1])

    return answer


def _stretched(one, other, front=False):
    """Return leading axes stretched to fit each other, from the back or the front; None where they clash."""
    order = 1 if front else -1
    pairs = [[], []]
    for shape, pair in zip((one, other), pairs, strict=True):
        pair.extend([*shape[::order], *[1] * (max(len(one), len(other)) - len(shape))])
    if any(a != b and 1 not in (a, b) for a, b in zip(*pairs, strict=True)):
        return None
    return tuple(max(a, b) for a, b in zip(*pairs, strict=True))[::order]


def _elementwise(left, right):
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        return None


def _by_zeros(left, right):
    try:
        return (np.zeros(left) @ np.zeros(right)).shape
    except ValueError:
        return None


def _product_cases(rng):
    T, S, e, heads, batch = _sizes(rng, 5)
    inner = "the last size of left and the last but one of right must be equal; then both vanish."
    lead = (
        "the axes in front of the last two line up from the right. Equal sizes stay, and a 1 "
        "stretches to the other."
    )
    return [
        Case("(2, 4) @ (4, 3), worked by hand", ((2, 4), (4, 3)), inner, expected=(2, 3)),
        Case("inner sizes that differ", ((T, S), (e, T)), inner + " Else return None."),
        Case("an inner 1 does not stretch", ((T, 1), (S, e)), inner + " A 1 is no exception there."),
        Case("a batch times one matrix", ((batch, T, S), (S, e)), lead),
        Case("one matrix times a batch", ((T, S), (batch, S, e)), lead),
        Case("scores of all heads", ((batch, heads, T, e), (batch, heads, e, S)), lead, 2),
        Case("one set of keys for all heads", ((batch, heads, T, e), (batch, 1, e, S)), lead, 2),
        Case("leading axes that clash", ((2 * heads, T, S), (heads, S, e)), lead + " Otherwise return None."),
        Case("leading axes of different number", ((e, batch, 1, T, S), (heads, S, e)), lead, 2),
    ]


PRODUCT_SHAPE = Exercise(
    "00.product_shape",
    "The shape of any product",
    reference=product_shape,
    cases=_product_cases,
    hints=(
        "Look at the last two axes first: (..., T, S) @ (..., S, e) gives (..., T, e), and S must be S.",
        "The axes in front follow NumPy's broadcasting. Write both from the right; a missing axis "
        "counts as 1.",
        "np.broadcast_shapes(left[:-2], right[:-2]) does that, and raises ValueError where the sizes clash.",
    ),
    mistakes=(
        Mistake(
            "inner_sizes_not_compared",
            _leading(_stretched, inner=lambda a, b: True),
            "The answer never asks whether the inner sizes are equal. Return None where they are not.",
        ),
        Mistake(
            "first_two_axes_taken",
            lambda left, right: (left[0], right[1]) if left[-1] == right[-2] else None,
            "The matrices are in the last two axes. Count from the right, left[-2] and right[-1], "
            "and keep what is in front.",
        ),
        Mistake(
            "inner_one_stretched",
            _leading(_stretched, inner=lambda a, b: a == b or 1 in (a, b)),
            "A 1 stretches only in the leading axes. The two inner sizes must be equal, also when "
            "one of them is 1.",
        ),
        Mistake(
            "leading_axes_of_right_dropped",
            _leading(lambda one, other: one),
            "Only the leading axes of `left` are kept. `right` may bring axes too, and they must fit.",
        ),
        Mistake(
            "leading_axes_must_be_equal",
            _leading(lambda one, other: one if one == other else None),
            "Leading axes need not be equal: a 1 stretches, and a missing axis counts as 1.",
        ),
        Mistake(
            "lined_up_from_the_left",
            _leading(lambda one, other: _stretched(one, other, front=True)),
            "Shapes are lined up from the right, as numbers are when one adds them on paper.",
        ),
        Mistake(
            "all_leading_axes_kept",
            _leading(lambda one, other: one + other),
            "That is the rule of np.dot, which pairs every matrix with every other. @ walks through "
            "both batches together.",
        ),
        Mistake(
            "error_instead_of_none",
            _leading(np.broadcast_shapes),
            "np.broadcast_shapes raises where leading axes clash. Catch the ValueError and return None.",
        ),
        Mistake(
            "rule_of_the_star",
            _elementwise,
            "That is the rule of `*`, number by number. `@` is the product of matrices: the inner "
            "sizes meet and vanish.",
        ),
    ),
    alternatives=(_by_zeros, _leading(_stretched)),
    stars=3,
    minutes=15,
)


SHEET = Sheet("00", "Start here", (TO_COLUMN_CONVENTION, SOFTMAX, ATTENTION_SHAPES, PRODUCT_SHAPE))
