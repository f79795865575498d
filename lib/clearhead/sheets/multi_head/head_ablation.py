"""06.head_ablation: Switch a head off."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention

from .head_ablation_wrong import MORE
from .mha_forward import mha_forward
from .shared import CHAPTER, head_blocks, random_layer


def head_ablation(X, W_q, W_k, W_v, W_o, num_heads, h):
    """Return the output Z (T, D) of a layer whose head h, counted from 0, writes nothing."""
    silent = W_o.reshape(num_heads, -1, W_o.shape[1]).copy()
    silent[h] = 0
    return mha_forward(X, W_q, W_k, W_v, silent.reshape(W_o.shape), num_heads)


def _head_alone(X, W_q, W_k, W_v, W_o, num_heads, h):
    """Return what head h writes."""
    q, k, v = (head_blocks(W, num_heads)[h] for W in (W_q, W_k, W_v))
    return scaled_dot_product_attention(X @ q, X @ k, X @ v)[0] @ np.split(W_o, num_heads)[h]


def _without_block(which):
    """Return an answer that sets head h's columns of W_q, W_k or W_v to zero, which=0, 1, 2."""

    def ablate(X, W_q, W_k, W_v, W_o, num_heads, h):
        matrices = [W_q, W_k, W_v]
        blocks = head_blocks(matrices[which], num_heads)
        blocks[h] = 0
        matrices[which] = np.hstack(list(blocks))
        return mha_forward(X, *matrices, W_o, num_heads)

    return ablate


def _columns_of_W_o(X, W_q, W_k, W_v, W_o, num_heads, h):
    size, silent = len(W_o) // num_heads, W_o.copy()
    silent[:, h * size : (h + 1) * size] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _columns_of_D_over_H(X, W_q, W_k, W_v, W_o, num_heads, h):
    size, silent = max(X.shape[1] // num_heads, 1), W_o.copy()
    silent[:, h * size : (h + 1) * size] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _rows_of_a_query(X, W_q, W_k, W_v, W_o, num_heads, h):
    size, silent = W_q.shape[1] // num_heads, W_o.copy()
    silent[h * size : (h + 1) * size] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _one_row_of_W_o(X, W_q, W_k, W_v, W_o, num_heads, h):
    silent = W_o.copy()
    silent[h] = 0
    return mha_forward(X, W_q, W_k, W_v, silent, num_heads)


def _raised(X, W_k, W_q, W_v):
    """Return tokens that share an entry, which adds a large number to all scores of a query."""
    X, W_k = X.copy(), W_k.copy()
    X[:, 0] = 1
    W_k[0] *= 1000
    return X, W_q, W_k, W_v


def _ablation_cases(rng):
    layer = random_layer(rng)
    X, W_q, W_k, W_v, W_o, H = layer
    single = [W[:, : W.shape[1] // H] for W in (W_q, W_k, W_v)]
    nothing = ("without its only head a layer writes zeros", lambda Z, *rest: not np.any(Z))
    return [
        Case(
            "the chapter, without its first head",
            (*CHAPTER, 2, 0),
            "What is left is what the second head writes. For the last token: 0.055, 0, 1.931, 0.11.",
            expected=np.array(
                [
                    [1.0, 0.0, 0.42174812361, 2.0],
                    [0.20081502103, 0.0, 1.74898122371, 0.40163004206],
                    [1.0, 0.0, 0.15061126577, 2.0],
                    [0.05510296242, 0.0, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case("random, without the first head", (*layer, 0), "Heads are counted from 0 here."),
        Case("random, without the last head", (*layer, H - 1), "The last head is number H − 1."),
        Case(
            "one head alone",
            (X, *single, W_o[: len(W_o) // H], 1, 0),
            "Nobody is left to write.",
            properties=(nothing,),
        ),
        Case(
            "scores in the thousands",
            (*_raised(X, W_k, W_q, W_v), W_o, H, 1),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = Exercise(
    id="06.head_ablation",
    title="Switch a head off",
    reference=head_ablation,
    cases=_ablation_cases,
    hints=(
        "The output is a sum of what the heads write. Which term do you leave out?",
        "A head writes through its own block of rows of W_o. Its block has len(W_o) // num_heads rows.",
        "Copy W_o, set its rows [h * e : (h + 1) * e] to zero, e being that size, and call mha_forward with "
        "the copy.",
    ),
    mistakes=(
        Mistake(
            "queries_keys_or_scores_of_zeros",
            _without_block(0),
            "With queries, keys or scores of zeros the head looks at all tokens alike, and still writes the "
            "mean of its values. Silence what it writes: its block of W_o.",
        ),
        Mistake(
            "this_head_alone",
            _head_alone,
            "This is what head h writes. We want the opposite: all the others.",
        ),
        Mistake(
            "nothing_switched_off",
            lambda X, W_q, W_k, W_v, W_o, H, h: mha_forward(X, W_q, W_k, W_v, W_o, H),
            "All heads still write. Leave out the term of head h.",
        ),
        Mistake(
            "columns_in_place_of_a_head",
            _columns_of_W_o,
            "You take columns of W_o, or of the output. Head h has a block of rows of W_o; the page takes "
            "columns because PyTorch stores W_o transposed.",
        ),
        Mistake(
            "columns_of_the_width_D_over_H",
            _columns_of_D_over_H,
            "You take columns of W_o, or of the output, as the page does where PyTorch stores W_o "
            "transposed. Here head h has a block of rows of W_o.",
        ),
        Mistake(
            "rows_as_many_as_d",
            _rows_of_a_query,
            "You measured the block by the size of a query. What head h brings to W_o is as wide as its "
            "values: len(W_o) // num_heads rows.",
        ),
        Mistake(
            "one_instead_of_a_block",
            _one_row_of_W_o,
            "You set one row of W_o, or one column before W_o, to zero. Head h has a whole block: "
            "len(W_o) // num_heads of them.",
        ),
        Mistake(
            "counted_from_one",
            lambda X, W_q, W_k, W_v, W_o, H, h: head_ablation(X, W_q, W_k, W_v, W_o, H, h - 1),
            "You switched off head h − 1, and for h = 0 the last one. Heads are counted from 0: head h "
            "begins at row h · e.",
        ),
        Mistake(
            "the_rest_made_louder",
            lambda X, W_q, W_k, W_v, W_o, H, h: (
                head_ablation(X, W_q, W_k, W_v, W_o, H, h) * (H / max(1, H - 1))
            ),
            "You made the other heads louder to fill the gap. Nobody does this in the model: leave "
            "them as they are.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda *given: mha_forward(*given[:-1]) - _head_alone(*given),
        _without_block(2),
        lambda X, W_q, W_k, W_v, W_o, H, h: sum(
            (_head_alone(X, W_q, W_k, W_v, W_o, H, other) for other in range(H) if other != h),
            np.zeros((len(X), W_o.shape[1])),
        ),
    ),
    stars=2,
    minutes=15,
)
