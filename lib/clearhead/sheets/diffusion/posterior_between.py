"""Cases of 20.posterior_between."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

DISTRIBUTION = (
    (
        "the probabilities sum to 1",
        lambda out, P, left, right, before, after: np.isclose(np.asarray(out).sum(), 1),
    ),
)


def cases(rng):
    V, W = different_sizes(rng, 2, 3, 7)
    P, Q = rng.dirichlet(np.full(V, 0.5), size=V), rng.dirichlet(np.full(W, 0.5), size=W)
    P, Q = (0.9 * each + 0.1 / len(each) for each in (P, Q))  # nothing is impossible
    two = np.array([[0.8, 0.2], [0.4, 0.6]])
    a, b = (int(v) for v in rng.permutation(V)[:2])
    c, d = (int(v) for v in rng.permutation(W)[:2])
    return [
        Case(
            "between two neighbours, worked by hand",
            (two, 0, 0, 1, 1),
            "0.8 · 0.8 and 0.2 · 0.4 are 0.64 and 0.08.",
            expected=np.array([8.0, 1.0]) / 9,
            properties=DISTRIBUTION,
        ),
        Case(
            "a neighbour on the left, two steps to the right, worked by hand",
            (two, 1, 0, 1, 2),
            "P² has the first column 0.72 and 0.56. The weights are 0.4 · 0.72 and 0.6 · 0.56.",
            expected=np.array([0.288, 0.336]) / 0.624,
        ),
        Case(
            "random chain, different known tokens",
            (P, a, b, 2, 3),
            "The left token is two steps away, and the right one three steps.",
            2,
            properties=DISTRIBUTION,
        ),
        Case(
            "another random chain",
            (Q, c, d, 3, 1),
            "The left token is three steps away, and the right one is a neighbour.",
            properties=DISTRIBUTION,
        ),
        Case(
            "a chain that must alternate",
            (np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]), 0, 2, 1, 1),
            "Only token 1 can stand between the tokens 0 and 2.",
            expected=np.array([0.0, 1.0, 0.0]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
