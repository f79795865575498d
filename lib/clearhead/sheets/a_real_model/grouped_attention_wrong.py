"""More wrong answers of 17.grouped_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _repeat(K, H):
    return np.repeat(K, H // len(K), axis=0)


def _weighed(scores, past):
    return softmax(np.where(past, scores, -np.inf))


def _attended(
    keys=_repeat, values=_repeat, weigh=_weighed, past=lambda T, S: np.tri(T, S, S - T, dtype=bool),
    scale=lambda d, S: np.sqrt(d),
):  # fmt: skip
    """Return grouped_attention, in which each of these parts can be replaced by a wrong one."""

    def answer(Q, K, V):
        (H, T, d), S = Q.shape, K.shape[1]
        scores = Q @ keys(K, H).transpose(0, 2, 1) / scale(d, S)
        return weigh(scores, past(T, S)) @ values(V, H)

    return answer


def _without_cache(Q, K, V):
    T = Q.shape[1]
    return _attended()(Q, K[:, -T:], V[:, -T:])


def _joined(Q, K, V):
    Z = _attended()(Q, K, V).swapaxes(0, 1)
    return Z.reshape(len(Z), -1)


def _mean_of_queries(Q, K, V):
    (H, T, d), G = Q.shape, len(K)
    return _attended()(Q.reshape(G, H // G, T, d).mean(axis=1), K, V)


def _mean_of_groups(K, H):
    return np.repeat(K.mean(axis=0, keepdims=True), H, axis=0)


def _first_group(K, H):
    return np.repeat(K[:1], H, axis=0)


def _in_threes(K, H):
    return K[np.minimum(np.arange(H) // 3, len(K) - 1)]


MORE = (
    Mistake(
        "own_place_hidden",
        _attended(
            past=lambda T, S: np.tri(T, S, S - T - 1, dtype=bool),
            weigh=lambda scores, past: softmax(np.where(past, scores, -1e30)),
        ),
        "Your mask hides each token's own place. Row t sees S - T + t + 1 tokens, its own place as the last.",
    ),
    Mistake(
        "own_place_hidden_with_infinity",
        _attended(past=lambda T, S: np.tri(T, S, S - T - 1, dtype=bool)),
        "Your mask hides each token's own place, and the first of a text then sees nothing. Row t sees "
        "S - T + t + 1 tokens.",
    ),
    Mistake(
        "sees_one_too_many",
        _attended(past=lambda T, S: np.tri(T, S, S - T + 1, dtype=bool)),
        "Your tokens see the next one, too. Row t sees S - T + t + 1 tokens: np.tri(T, S, S - T).",
    ),
    Mistake(
        "sees_itself_and_the_future",
        _attended(past=lambda T, S: np.triu(np.ones((T, S), dtype=bool), S - T)),
        "Your mask is turned round: a token sees itself and what stands after it.",
    ),
    Mistake(
        "hidden_scores_are_zero",
        _attended(weigh=lambda scores, past: softmax(np.where(past, scores, 0))),
        "You set hidden scores to 0, and e to the 0 is 1. Set them to minus infinity.",
    ),
    Mistake(
        "masked_after_softmax",
        _attended(weigh=lambda scores, past: softmax(scores) * past),
        "You hid weights after the softmax, so not every row sums to 1. Mask the scores before it.",
    ),
    Mistake(
        "mean_of_groups",
        _attended(keys=_mean_of_groups, values=_mean_of_groups),
        "Your heads share the mean of all groups. Each group serves its own heads.",
    ),
    Mistake(
        "first_group_for_all",
        _attended(keys=_first_group, values=_first_group),
        "All your heads use the first group. Head h uses group h G / H, rounded down.",
    ),
    Mistake(
        "values_dealt_in_turn",
        _attended(values=lambda V, H: np.tile(V, (H // len(V), 1, 1))),
        "Your keys are shared by neighbours, but your values are dealt in turn. np.repeat for both.",
    ),
    Mistake(
        "keys_dealt_in_turn",
        _attended(keys=lambda K, H: np.tile(K, (H // len(K), 1, 1))),
        "Your values are shared by neighbours, but your keys are dealt in turn. np.repeat for both.",
    ),
    Mistake(
        "divided_by_d",
        _attended(scale=lambda d, S: d),
        "You divided the scores by d. Divide by its square root.",
    ),
    Mistake(
        "scaled_by_number_of_tokens",
        _attended(scale=lambda d, S: np.sqrt(S)),
        "You divided by the root of the number of tokens. It is the width d of one head.",
    ),
    Mistake(
        "cache_thrown_away",
        _without_cache,
        "You kept the last T keys and values. The queries are new, but they look at the cache, too.",
    ),
    Mistake(
        "heads_joined",
        _joined,
        "You joined the heads at the end. Return them one by one: (H, T, d).",
    ),
    Mistake(
        "queries_averaged",
        _mean_of_queries,
        "You averaged the queries of a group. Heads share keys and values; each keeps its own queries.",
    ),
    Mistake(
        "keys_and_values_exchanged",
        lambda Q, K, V: _attended()(Q, V, K),
        "K and V have changed places. Queries meet keys, and values are mixed.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _attended(scale=lambda d, S: 1 / np.sqrt(d)),
        "You multiplied the scores by √d. Divide by it.",
    ),
    Mistake(
        "own_value_alone",
        lambda Q, K, V: _repeat(V, len(Q))[:, -Q.shape[1] :],
        "Each token takes its own value alone. Weigh the values of all that it sees.",
    ),
    Mistake(
        "mean_over_heads",
        lambda Q, K, V: _attended()(Q, K, V).mean(axis=0),
        "You averaged the heads. Return them one by one: (H, T, d).",
    ),
    Mistake(
        "three_heads_in_a_group",
        _attended(keys=_in_threes, values=_in_threes),
        "You put three heads into each group, as SmolLM2 has them. Here it is H / G heads.",
    ),
    Mistake(
        "scaled_by_the_queries",
        lambda Q, K, V: _attended(scale=lambda d, S: np.sqrt(Q.shape[1]))(Q, K, V),
        "You divided by the root of the number of queries, T. It is the width d of one head: Q.shape[2].",
    ),
    Mistake(
        "hidden_scores_less_10",
        _attended(weigh=lambda scores, past: softmax(scores - 10.0 * ~past)),
        "You took 10 off the hidden scores, so a large one still counts. Set them to minus infinity.",
    ),
    Mistake(
        "hidden_scores_are_minus_10",
        _attended(weigh=lambda scores, past: softmax(np.where(past, scores, -10.0))),
        "You set hidden scores to -10, and they still count a little. Set them to minus infinity.",
    ),
)
