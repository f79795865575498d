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
            "one token, four heads and two groups, by hand",
            (np.ones((4, 1, 2)), np.ones((2, 1, 2)), by_hand),
            "Heads 0 and 1 belong to the first group, heads 2 and 3 to the second.",
            expected=np.array([[[1.0, 2]], [[1, 2]], [[3, 4]], [[3, 4]]]),
        ),
        Case("all tokens at once", (Q, K, V), "Each token attends to itself and to the tokens before it."),
        Case(
            "new tokens after cached ones",
            (Q[:, -T:], K, V),
            "The T queries belong to the last T of the S tokens, so row t attends to S - T + t + 1 of them.",
        ),
        Case("one new token", (Q[:, -1:], K, V), "The last token attends to all tokens."),
        Case(
            "wider heads",
            tuple(rng.normal(size=(n, T, d + 3)) for n in (H, G, G)),
            "The scores are divided by √d.",
        ),
        Case("one group", (Q, K[:1], V[:1]), "With G = 1, all heads use the same keys and values."),
        Case("as many groups as heads", (Q[:G], K, V), "With G = H, this is multi-head attention."),
        Case(
            "scores in the thousands",
            (Q, K + 1000 * rng.normal(size=d), V),
            "The exponential of a score in the thousands overflows, so the softmax must subtract the "
            "largest score first.",
        ),
        Case(
            "scores that differ by more than 10,000",
            (Q, 10_000 * K, V),
            "A masked score must be minus infinity: setting it to -10,000, or adding -10,000 to it, is not "
            "enough.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
