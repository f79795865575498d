"""06.mha_forward: All heads at once."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import merge_heads, multi_head_attention, split_heads
from clearhead.maths.softmax import softmax

from .mha_forward_wrong import MORE
from .shared import CHAPTER, head_blocks, merge_by_reshape, split_by_reshape, two_random_layers


def mha_forward(X, W_q, W_k, W_v, W_o, num_heads):
    """Return Z (T, D) for X (T, D), wide W_q, W_k (D, H·d), W_v (D, H·e), and W_o (H·e, D)."""
    named = {"query": W_q, "key": W_k, "value": W_v, "output": W_o}
    return multi_head_attention(X, X, {name: {"weight": W} for name, W in named.items()}, num_heads)[0]


def _forward_with(split=split_heads, merge=merge_heads, weigh=None, output=True):
    """Return an answer that splits, merges or weighs in its own way."""

    def weigh_rightly(Q, K, D):
        return softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))

    def forward(X, W_q, W_k, W_v, W_o, num_heads):
        Q, K, V = (split(X @ W, num_heads) for W in (W_q, W_k, W_v))
        merged = merge((weigh or weigh_rightly)(Q, K, X.shape[1]) @ V)
        return merged @ W_o if output else merged

    return forward


#: Scores of thousands, whole numbers; for the first token two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def _forward_cases(rng):
    (X, W_q, W_k, W_v, W_o, H), other = two_random_layers(rng)
    twins = np.concatenate([X, X[:1]])
    order = rng.permutation(H)
    mixed = [np.hstack(head_blocks(W, H)[order]) for W in (W_q, W_k, W_v)]
    mixed.append(np.vstack(head_blocks(W_o.T, H)[order].swapaxes(1, 2)))
    alike = (
        "the first and the last token are equal, so their new vectors are equal",
        lambda Z, X, *rest: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the two heads of the chapter",
            (*CHAPTER, 2),
            "The chapter prints this table. In its last row stand 0.564, 1.448, 1.931 and 0.11.",
            expected=np.array(
                [
                    [1.86671333995, 1.25956952983, 0.42174812361, 2.0],
                    [1.9240869762, 0.09320938487, 1.74898122371, 0.40163004206],
                    [1.48742889123, 1.64774129341, 0.15061126577, 2.0],
                    [0.56443450478, 1.44793750627, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case("random weights", (X, W_q, W_k, W_v, W_o, H), "Print each shape: split, attend, merge, W_o."),
        Case(
            "a token that comes twice",
            (twins, W_q, W_k, W_v, W_o, H),
            "Does a row of each head still belong to one token?",
            properties=(alike,),
        ),
        Case(
            "the heads in another order, with their blocks of W_o",
            (X, *mixed, H),
            "Which rows of W_o belong to which head?",
        ),
        Case("other sizes of everything", other, "Each size comes from the arguments, none is fixed."),
        Case(
            "large embeddings",
            (
                LARGE,
                *[np.hstack([np.eye(4), np.eye(4)[::-1]])] * 2,
                np.arange(16.0).reshape(4, 4) / 7,
                np.eye(4),
                2,
            ),
            "Does softmax survive large scores? Two of them lie close together.",
        ),
    ]


def _forward_by_loop(X, W_q, W_k, W_v, W_o, num_heads):
    """Return the same, one head at a time, each with its block of W_o."""
    each = zip(*(head_blocks(W, num_heads) for W in (W_q, W_k, W_v)), np.split(W_o, num_heads), strict=True)
    return sum(scaled_dot_product_attention(X @ q, X @ k, X @ v)[0] @ block for q, k, v, block in each)


EXERCISE = Exercise(
    id="06.mha_forward",
    title="All heads at once",
    reference=mha_forward,
    cases=_forward_cases,
    hints=(
        "Project, split, attend, merge, bring together. You have written the second and the fourth step.",
        "softmax works along the last axis, @ on the last two, so all heads go in one call. K.mT transposes "
        "each head.",
        "Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v)); the scale is "
        "np.sqrt(Q.shape[-1]), taken after the split; then merge_heads(A @ V) @ W_o.",
    ),
    mistakes=(
        Mistake(
            "split_by_reshape",
            _forward_with(split=split_by_reshape),
            "Your split mixes tokens: reshape to (T, H, d) first, then transpose. Check "
            "06.split_heads again.",
        ),
        Mistake(
            "merge_by_reshape",
            _forward_with(merge=merge_by_reshape),
            "Your merge mixes tokens: transpose back to (T, H, d) before the reshape. Such a model would "
            "still learn some tasks.",
        ),
        Mistake(
            "split_and_merge_by_reshape",
            _forward_with(split=split_by_reshape, merge=merge_by_reshape),
            "Your split and your merge both mix tokens. One undoes the other, but in between each head meets "
            "the wrong rows.",
        ),
        Mistake(
            "one_large_head",
            lambda X, W_q, W_k, W_v, W_o, H: _forward_by_loop(X, W_q, W_k, W_v, W_o, 1),
            "This is one head of full width. Split Q, K and V before the softmax, so that each head has its "
            "own weights.",
        ),
        Mistake(
            "scaled_by_all_heads",
            lambda X, W_q, W_k, W_v, W_o, H: _forward_with(
                weigh=lambda Q, K, D: softmax(Q @ K.mT / np.sqrt(Q.shape[-1] * H))
            )(X, W_q, W_k, W_v, W_o, H),
            "You divided by √(H · d), from the width of all heads together. A score adds up d terms: take "
            "√d, the root of Q.shape[-1] after the split.",
        ),
        Mistake(
            "scaled_by_d_model",
            _forward_with(weigh=lambda Q, K, D: softmax(Q @ K.mT / np.sqrt(D))),
            "You divided by √D, from the width of a token. The scale is √d, where d is the size of a key.",
        ),
        Mistake(
            "no_scale",
            _forward_with(weigh=lambda Q, K, D: softmax(Q @ K.mT)),
            "The scale is missing: divide the scores by √d, where d is the size of a key.",
        ),
        Mistake(
            "softmax_over_heads",
            _forward_with(weigh=lambda Q, K, D: softmax((Q @ K.mT / np.sqrt(Q.shape[-1])).T).T),
            "Your softmax runs over the heads. Each query shares its attention among the keys: the "
            "last axis.",
        ),
        Mistake(
            "softmax_over_queries",
            _forward_with(weigh=lambda Q, K, D: softmax((Q @ K.mT / np.sqrt(Q.shape[-1])).mT).mT),
            "Your softmax runs down the columns. Each query, a row, shares out its attention: the last axis.",
        ),
        Mistake(
            "output_matrix_forgotten",
            _forward_with(output=False),
            "These are the heads side by side. One step is missing: W_o brings them together.",
        ),
        Mistake(
            "keys_ask",
            _forward_with(weigh=lambda Q, K, D: softmax(K @ Q.mT / np.sqrt(Q.shape[-1]))),
            "Your scores are K Qᵀ, or W_q and W_k are exchanged: the keys ask. Each row belongs to a "
            "query: Q Kᵀ, with Q from W_q.",
        ),
        Mistake(
            "tokens_added",
            lambda X, *rest: X + mha_forward(X, *rest),
            "You added X to the result. Return what the heads write, alone; the block of chapter 8 adds it.",
        ),
        Mistake(
            "a_number_for_the_root",
            _forward_with(weigh=lambda Q, K, D: softmax(Q @ K.mT / np.sqrt(2))),
            "You divided by the root of 2, the d of the page. Here d has other values: np.sqrt(Q.shape[-1]).",
        ),
        *MORE,
    ),
    alternatives=(
        _forward_by_loop,
        lambda X, W_q, W_k, W_v, W_o, H: (
            np.hstack(
                [
                    scaled_dot_product_attention(X @ q, X @ k, X @ v)[0]
                    for q, k, v in zip(*(head_blocks(W, H) for W in (W_q, W_k, W_v)), strict=True)
                ]
            )
            @ W_o
        ),
    ),
    stars=2,
    minutes=20,
)
