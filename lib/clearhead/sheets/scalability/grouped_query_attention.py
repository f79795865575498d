"""Cases of 12.grouped_query_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(6, T, d)), rng.normal(size=(3, S, d)), rng.normal(size=(3, S, e))
    wide = [rng.normal(size=(n, size, d + 1)) for n, size in ((6, T), (2, S))]
    two = np.zeros((4, 1, 1)), np.zeros((2, 2, 1)), np.array([[[1.0], [3.0]], [[10.0], [30.0]]])
    return [
        Case(
            "four heads, two groups, by hand",
            two,
            "All scores are 0. Heads 0 and 1 get the mean of group 0, which is 2, and heads 2 and 3 "
            "that of group 1, which is 20.",
            expected=np.array([[[2.0]], [[2.0]], [[20.0]], [[20.0]]]),
        ),
        Case(
            "six heads, three groups",
            (Q, K, V),
            "Heads 0 and 1 use group 0, heads 2 and 3 use group 1, and heads 4 and 5 use group 2.",
        ),
        Case(
            "six heads, two groups",
            (*wide, V[:2]),
            "Heads 0, 1 and 2 use group 0, and heads 3, 4 and 5 use group 1.",
        ),
        Case("one group: multi-query", (Q[:4], K[:1], V[:1]), "All heads use the same group."),
        Case(
            "as many groups as heads",
            (Q[:3], K, V),
            "Each head has its own group, as in multi-head attention.",
        ),
        Case(
            "scores in the thousands",
            (Q, K + 1000 * rng.normal(size=d), V),
            "The exponential of 1,000 overflows, so the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
