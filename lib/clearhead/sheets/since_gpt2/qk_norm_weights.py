"""Cases of 16.qk_norm_weights."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, S, d = different_sizes(rng, 3, 3, 8)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    sharp = (
        "no weight is more than e^(2 √d) times another weight of its row",
        lambda A, Q, K: (A.max(axis=-1) <= A.min(axis=-1) * np.exp(2 * np.sqrt(Q.shape[1])) * 1.001).all(),
    )
    hand = np.array([[3.0, 0, 0, 0]]), np.array([[7.0, 0, 0, 0], [0, 2, 0, 0]])
    return [
        Case(
            "a parallel and a perpendicular key, by hand",
            hand,
            "The query and the first key become (2, 0, 0, 0), and the second key becomes (0, 2, 0, "
            "0). The scores are therefore 4/2 and 0.",
            expected=np.array([[np.exp(2), 1]]) / (1 + np.exp(2)),
        ),
        Case(
            "random sizes", (Q, K), "Normalize first, then multiply, then divide by √d.", properties=(sharp,)
        ),
        Case(
            "much longer queries and keys",
            (1000 * Q, 50 * K),
            "The lengths of the queries and keys do not matter.",
            properties=(sharp,),
        ),
        Case(
            "much shorter queries and keys",
            (1e-6 * Q, 1e-4 * K),
            "There is no epsilon, so the lengths of the queries and keys do not matter, however short "
            "they are.",
            properties=(sharp,),
        ),
        Case(
            "queries and keys with a mean far from 0",
            (Q + 4, K - 2),
            "The RMS norm does not subtract the mean.",
            properties=(sharp,),
        ),
        Case(
            "wider queries and keys",
            (rng.normal(size=(T, 4 * d)), rng.normal(size=(S, 4 * d))),
            "The scores are divided by √d, and d is four times larger here.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
