"""More wrong answers of 12.grouped_query_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _grouped(scale=lambda Q, K: np.sqrt(Q.shape[2]), repeat=None, weigh=softmax, mix=lambda A, K, V: A @ V):
    """Return attention of groups with another scale, way to repeat, softmax or mixture."""

    def answer(Q, K, V):
        times = len(Q) // len(K)
        many = (lambda x: np.repeat(x, times, axis=0)) if repeat is None else (lambda x: repeat(x, times))
        K, V = many(K), many(V)
        return mix(weigh(Q @ K.swapaxes(1, 2) / scale(Q, K)), K, V)

    return answer


def _causal(scores):
    return softmax(np.where(np.tri(*scores.shape[1:], dtype=bool), scores, -np.inf))


def _queries_averaged(Q, K, V):
    Q = Q.reshape(len(K), -1, *Q.shape[1:]).mean(axis=1)
    return _grouped()(Q, K, V)


def _groups_joined(Q, K, V):
    K, V = (np.concatenate(list(x))[None] for x in (K, V))
    return softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V


def _two_heads_a_group(Q, K, V):
    return np.stack([softmax(Q[h] @ K[h // 2].T / np.sqrt(Q.shape[2])) @ V[h // 2] for h in range(len(Q))])


MORE = (
    Mistake(
        "queries_shared_by_a_group",
        lambda Q, K, V: np.repeat(_queries_averaged(Q, K, V), len(Q) // len(K), axis=0),
        "The heads of a group got the same result. They share keys and values; each has its own queries.",
    ),
    Mistake(
        "scaled_by_the_number_of_queries",
        _grouped(lambda Q, K: np.sqrt(Q.shape[1])),
        "You divided by the root of how many queries there are. It is the root of their width: Q.shape[2].",
    ),
    Mistake(
        "scaled_by_the_number_of_keys",
        _grouped(lambda Q, K: np.sqrt(K.shape[1])),
        "You divided by the root of how many keys there are. It is the root of their width: Q.shape[2].",
    ),
    Mistake(
        "scaled_by_the_number_of_heads",
        _grouped(lambda Q, K: np.sqrt(len(Q))),
        "You divided by the root of how many heads there are. It is the root of their width: Q.shape[2].",
    ),
    Mistake(
        "multiplied_by_the_root",
        _grouped(lambda Q, K: 1 / np.sqrt(Q.shape[2])),
        "You multiplied the scores by √d. Divide.",
    ),
    Mistake(
        "repeated_by_the_groups",
        _grouped(repeat=lambda x, times: np.repeat(x, len(x), axis=0)),
        "You repeated each group G times. Each serves H / G heads: len(Q) // len(K) times.",
    ),
    Mistake(
        "repeated_by_the_heads",
        _grouped(repeat=lambda x, times: np.repeat(x, times * len(x), axis=0)),
        "You repeated each group H times. Each serves H / G heads: len(Q) // len(K) times.",
    ),
    Mistake(
        "repeated_along_the_tokens",
        _grouped(repeat=lambda x, times: np.repeat(x, times, axis=1)),
        "You repeated the tokens, axis 1. Repeat the groups: axis=0.",
    ),
    Mistake(
        "causal_mask_added",
        _grouped(weigh=_causal),
        "You hid a triangle of the keys. Here there is no mask.",
    ),
    Mistake(
        "softmax_forgotten",
        _grouped(weigh=lambda scores: scores),
        "Your weights are the scores themselves. Take their softmax first.",
    ),
    Mistake(
        "softmax_over_heads",
        _grouped(weigh=lambda scores: softmax(scores.swapaxes(0, 2)).swapaxes(0, 2)),
        "Your softmax runs over the heads. It runs over the keys: the last axis.",
    ),
    Mistake(
        "keys_mixed",
        _grouped(mix=lambda A, K, V: A @ K),
        "You mixed the keys. The weights mix the values.",
    ),
    Mistake(
        "heads_averaged",
        _grouped(mix=lambda A, K, V: (A @ V).mean(axis=0)),
        "You took the mean over the heads. Return what each head takes.",
    ),
    Mistake(
        "heads_joined",
        _grouped(mix=lambda A, K, V: np.concatenate(list(A @ V), axis=-1)),
        "You put the heads side by side. Return them one behind the other: (H, T, e).",
    ),
    Mistake(
        "queries_of_a_group_averaged",
        _queries_averaged,
        "You took the mean of the queries that share a group. Each head keeps its own queries.",
    ),
    Mistake(
        "groups_joined",
        _groups_joined,
        "Every head looks at the keys of all groups. A head looks at those of its own group.",
    ),
    Mistake(
        "two_heads_a_group",
        _two_heads_a_group,
        "You gave each group two heads. Each serves H / G heads: head h uses group h // (H // G).",
    ),
    Mistake(
        "first_head_of_each_group",
        lambda Q, K, V: _grouped()(np.repeat(Q[:: len(Q) // len(K)], len(Q) // len(K), axis=0), K, V),
        "Of each group only the first head asks, and the others repeat what it takes. Each head has its own "
        "queries.",
    ),
    Mistake(
        "scaled_by_the_width_of_the_values",
        lambda Q, K, V: _grouped(lambda *_: np.sqrt(V.shape[2]))(Q, K, V),
        "You divided by the root of the width of the values. It is the root of the width of the queries: "
        "Q.shape[2].",
    ),
)
