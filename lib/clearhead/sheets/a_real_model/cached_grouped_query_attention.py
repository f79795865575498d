"""Cases of 17.cached_grouped_query_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
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


EXERCISE = exercise_from_text(__file__, cases)
