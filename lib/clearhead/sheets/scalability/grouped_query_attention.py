"""12.grouped_query_attention: Shared keys and values."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .grouped_query_attention_wrong import MORE
from .shared import attended


def _grouped(pick_K=None, pick_V=None, scale=lambda Q, K: np.sqrt(Q.shape[-1]), axis=-1):
    """Return grouped-query attention in which the choice of the group, or the scale, can be changed."""

    def grouped_query_attention(Q, K, V):
        times = len(Q) // len(K)
        own = np.arange(len(Q)) // times
        K = K[own] if pick_K is None else pick_K(K, len(Q))
        V = V[own] if pick_V is None else pick_V(V, len(Q))
        s = Q @ K.swapaxes(-1, -2) / scale(Q, K)
        return softmax(s.swapaxes(axis, -1)).swapaxes(axis, -1) @ V

    return grouped_query_attention


def _tiled(rows, H):
    return rows[np.arange(H) % len(rows)]


def _by_G(rows, H):
    return rows[np.minimum(np.arange(H) // len(rows), len(rows) - 1)]


def _own(rows, H):
    return rows[np.arange(H) // (H // len(rows))]


def _without_repeating(Q, K, V):
    H, T, d = Q.shape
    Z = _grouped_block(Q.reshape(len(K), H // len(K), T, d), K[:, None], V[:, None])
    return Z.reshape(H, T, V.shape[-1])


def _grouped_block(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


def _grouped_cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(6, T, d)), rng.normal(size=(3, S, d)), rng.normal(size=(3, S, e))
    wide = [rng.normal(size=(n, size, d + 1)) for n, size in ((6, T), (2, S))]
    two = np.zeros((4, 1, 1)), np.zeros((2, 2, 1)), np.array([[[1.0], [3.0]], [[10.0], [30.0]]])
    return [
        Case(
            "four heads, two groups, by hand",
            two,
            "All scores are 0: heads 0 and 1 get the mean of group 0, 2; heads 2 and 3 that of group 1, 20.",
            expected=np.array([[[2.0]], [[2.0]], [[20.0]], [[20.0]]]),
        ),
        Case("six heads, three groups", (Q, K, V), "Which group does head 3 belong to?"),
        Case("six heads, two groups", (*wide, V[:2]), "Heads 0, 1, 2 share group 0."),
        Case("one group: multi-query", (Q[:4], K[:1], V[:1]), "All heads share one group."),
        Case("as many groups as heads", (Q[:3], K, V), "Then it is multi-head attention."),
        Case(
            "scores in the thousands",
            (Q, K + 1000 * rng.normal(size=d), V),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = Exercise(
    id="12.grouped_query_attention",
    title="Shared keys and values",
    reference=_grouped(),
    cases=_grouped_cases,
    hints=(
        "H heads, G groups: neighbours share. With 6 heads and 3 groups, heads 0 and 1 use group 0.",
        "np.repeat(K, H // G, axis=0) writes each group as often as it is used, neighbours together.",
        "K, V = (np.repeat(x, len(Q) // len(K), axis=0) for x in (K, V)); "
        "return softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V",
    ),
    mistakes=(
        Mistake(
            "tiled",
            _grouped(pick_K=_tiled, pick_V=_tiled),
            "You dealt the groups out in turn, as in 0, 1, 0, 1. Neighbours share: head h uses group "
            "h // (H // G).",
        ),
        Mistake(
            "values_tiled",
            _grouped(pick_V=_tiled),
            "Keys go to neighbours, but values are dealt out in turn. Both belong to the same group.",
        ),
        Mistake(
            "keys_tiled",
            _grouped(pick_K=_tiled),
            "Values go to neighbours, but keys are dealt out in turn. Both belong to the same group.",
        ),
        Mistake(
            "first_group_for_all",
            _grouped(pick_K=lambda K, H: K[[0] * H], pick_V=lambda V, H: V[[0] * H]),
            "All heads use the first group. That is right only where there is one.",
        ),
        Mistake(
            "mean_of_the_groups",
            _grouped(
                pick_K=lambda K, H: np.repeat(K.mean(axis=0, keepdims=True), H, axis=0),
                pick_V=lambda V, H: np.repeat(V.mean(axis=0, keepdims=True), H, axis=0),
            ),
            "You took the mean over the groups. Each head uses the keys and values of its own group.",
        ),
        Mistake(
            "one_head_a_group",
            lambda Q, K, V: _grouped_block(Q[:: len(Q) // len(K)], K, V),
            "You kept one head of each group. All H heads have queries of their own, and results.",
        ),
        Mistake(
            "not_scaled",
            _grouped(scale=lambda Q, K: 1.0),
            "The scores are not divided by the square root of d.",
        ),
        Mistake(
            "scaled_by_the_width_of_all_heads",
            _grouped(scale=lambda Q, K: np.sqrt(Q.shape[-1] * len(Q))),
            "You divided by the square root of d times the number of heads. d is the width of one head.",
        ),
        Mistake(
            "softmax_over_queries",
            _grouped(axis=-2),
            "Your weights sum to 1 over the queries. They must sum to 1 over the keys, the last axis.",
        ),
        Mistake(
            "heads_counted_in_groups",
            _grouped(pick_K=_by_G, pick_V=_by_G),
            "You divided the number of the head by G. A group serves H // G heads: head h uses group h "
            "// (H // G).",
        ),
        Mistake(
            "scaled_by_two",
            _grouped(scale=lambda Q, K: 2.0),
            "You divided by 2, the root of 4. d can have other values: np.sqrt(Q.shape[-1]).",
        ),
        Mistake(
            "divided_by_d",
            _grouped(scale=lambda Q, K: Q.shape[-1]),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "last_group_first",
            lambda Q, K, V: _grouped()(Q, K[::-1], V[::-1]),
            "The groups stand from back to front. The first heads use group 0.",
        ),
        Mistake(
            "last_group_for_all",
            lambda Q, K, V: _grouped()(Q, K[-1:], V[-1:]),
            "All heads use the last group. Neighbours share, and each group serves its own.",
        ),
        Mistake(
            "weights_returned",
            lambda Q, K, V: softmax(Q @ _own(K, len(Q)).mT / np.sqrt(Q.shape[-1])),
            "These are the weights. Mix the values with them.",
        ),
        *MORE,
    ),
    alternatives=(
        _without_repeating,
        lambda Q, K, V: np.stack(
            [attended(q, _own(K, len(Q))[h], _own(V, len(Q))[h]) for h, q in enumerate(Q)]
        ),
    ),
    stars=2,
    minutes=25,
)  # fmt: skip
