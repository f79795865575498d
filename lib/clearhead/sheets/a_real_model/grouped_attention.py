"""17.grouped_attention: Nine heads, three keys."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .grouped_attention_wrong import MORE


def grouped_attention(Q, K, V):
    """Return Z (H, T, d) for Q (H, T, d), K and V (G, S, d); the T queries are the last of the S tokens."""
    return _with()(Q, K, V)


def _with(
    shared=lambda K, H: np.repeat(K, H // len(K), axis=0),
    past=lambda T, S: S - T,
    scale=lambda d, H, G: np.sqrt(d),
    axis=-1,
):
    def answer(Q, K, V):
        (H, T, d), (G, S) = Q.shape, K.shape[:2]
        scores = Q @ shared(K, H).transpose(0, 2, 1) / scale(d, H, G)
        scores = scores if past is None else np.where(np.tri(T, S, past(T, S), dtype=bool), scores, -1e30)
        weights = softmax(scores) if axis == -1 else softmax(scores.swapaxes(1, 2)).swapaxes(1, 2)
        return weights @ shared(V, H)

    return answer


def _by_group(Q, K, V):
    (H, T, d), (G, S) = Q.shape, K.shape[:2]
    scores = np.einsum("ghtd,gsd->ghts", Q.reshape(G, H // G, T, d), K) / np.sqrt(d)
    A = softmax(np.where(np.tri(T, S, S - T, dtype=bool), scores, -np.inf))
    return np.einsum("ghts,gsd->ghtd", A, V).reshape(H, T, d)


def _cases(rng):
    G, each, T, d = (int(n) for n in rng.permutation(np.arange(2, 6))[:4])
    H, more = G * each, int(rng.integers(2, 5))
    Q, K, V = (2 * rng.normal(size=(n, T + more, d)) for n in (H, G, G))
    by_hand = np.array([[[1.0, 2]], [[3, 4]]])
    return [
        Case(
            "one token: each head gets its group's value, by hand",
            (np.ones((4, 1, 2)), np.ones((2, 1, 2)), by_hand),
            "Heads 0 and 1 belong to the first group, heads 2 and 3 to the second.",
            expected=np.array([[[1.0, 2]], [[1, 2]], [[3, 4]], [[3, 4]]]),
        ),
        Case("a whole text", (Q, K, V), "A token sees itself and what stands before it."),
        Case(
            "new tokens, and a cache",
            (Q[:, -T:], K, V),
            "The T queries are the last T of S tokens: row t sees S - T + t + 1 of them.",
        ),
        Case("one new token", (Q[:, -1:], K, V), "The newest token sees all."),
        Case(
            "wider heads",
            tuple(rng.normal(size=(n, T, d + 3)) for n in (H, G, G)),
            "Divide the scores by √d.",
        ),
        Case("one group", (Q, K[:1], V[:1]), "G = 1: all heads share one key and one value."),
        Case("as many groups as heads", (Q[:G], K, V), "G = H is multi-head attention."),
        Case(
            "scores in the thousands",
            (Q, K + 1000 * rng.normal(size=d), V),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first. And "
            "a hidden score is minus infinity, not a fixed number such as -10,000.",
        ),
    ]


def _weighed(weigh):
    """Return grouped_attention with weights weigh(scores, past); a token looks where past is True."""

    def answer(Q, K, V):
        (H, T, d), S = Q.shape, K.shape[1]
        K, V = (np.repeat(each, H // len(each), axis=0) for each in (K, V))
        return weigh(Q @ K.transpose(0, 2, 1) / np.sqrt(d), np.tri(T, S, S - T, dtype=bool)) @ V

    return answer


def _scaled_last(Q, K, V):
    return grouped_attention(Q * np.sqrt(Q.shape[2]), K, V) / np.sqrt(Q.shape[2])


def _over_everything(scores, past):
    return softmax(np.where(past, scores, -np.inf).reshape(1, -1)).reshape(scores.shape)


EXERCISE = Exercise(
    id="17.grouped_attention",
    title="Nine heads, three keys",
    reference=grouped_attention,
    cases=_cases,
    hints=(
        "First give every head the keys and values of its group. Then it is attention as you know it.",
        "np.repeat(K, H // G, axis=0) writes each group several times, one after the other.",
        "mask = np.tri(T, S, S - T, dtype=bool); softmax(np.where(mask, scores, -np.inf)) @ values",
    ),
    mistakes=(
        Mistake(
            "groups_dealt_in_turn",
            _with(lambda K, H: np.tile(K, (H // len(K), 1, 1))),
            "You gave head h the group h mod G. Neighbouring heads share: group h G / H, rounded down. "
            "np.repeat, not np.tile.",
        ),
        Mistake(
            "no_mask",
            _with(past=None),
            "Your tokens see the future. Row t may see its own place and what stands before it.",
        ),
        Mistake(
            "mask_without_the_cache",
            _with(past=lambda T, S: 0),
            "Your mask begins at the first token of the cache. The queries are the last T of S tokens, so "
            "row t sees S - T + t + 1 of them.",
        ),
        Mistake(
            "not_scaled",
            _with(scale=lambda d, H, G: 1.0),
            "You did not divide the scores by √d.",
        ),
        Mistake(
            "scaled_by_the_model",
            _with(scale=lambda d, H, G: np.sqrt(d * H)),
            "You divided by the root of the model's width. It is the width d of one head.",
        ),
        Mistake(
            "softmax_over_queries",
            _with(axis=-2),
            "Your softmax runs over the queries. Each row, that is each query, should sum to 1.",
        ),
        Mistake(
            "last_group_first",
            lambda Q, K, V: grouped_attention(Q, K[::-1], V[::-1]),
            "Your groups stand from back to front. The first heads share the first keys and values.",
        ),
        Mistake(
            "scaled_after_the_softmax",
            _scaled_last,
            "You divided by √d after the softmax. Divide the scores, before it.",
        ),
        Mistake(
            "past_hidden",
            _weighed(lambda scores, past: softmax(scores - 1e9 * past)),
            "Your mask hides the past, and lets the future through. Turn it round.",
        ),
        Mistake(
            "softmax_over_everything",
            _weighed(_over_everything),
            "Your softmax runs over all heads and tokens at once. Each row of scores has its own: the last "
            "axis.",
        ),
        Mistake(
            "no_mask_with_a_cache",
            _weighed(
                lambda scores, past: softmax(
                    np.where(past | (past.shape[0] < past.shape[1]), scores, -np.inf)
                )
            ),
            "You left out the mask where there is a cache. Several new tokens still must not see each "
            "other's future.",
        ),
        Mistake(
            "repeated_g_times",
            _with(lambda K, H: np.repeat(K, len(K), axis=0)),
            "You repeated each group G times. There are H / G heads in a group: np.repeat(K, H // G, "
            "axis=0).",
        ),
        Mistake(
            "no_softmax",
            _weighed(lambda scores, past: scores * past),
            "You mixed the values by the scores. Take the softmax of each row first.",
        ),
        Mistake(
            "mask_shifted_the_other_way",
            _with(past=lambda T, S: T - S),
            "Your mask is moved the other way. Row t sees S - T + t + 1 tokens: np.tri(T, S, S - T).",
        ),
        *MORE,
    ),
    alternatives=(_by_group,),
    stars=3,
    minutes=25,
)
