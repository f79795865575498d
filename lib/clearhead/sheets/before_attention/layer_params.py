"""Cases of 03.layer_params."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import KINDS


def cases(rng):
    T, D, window = (int(size) for size in rng.permutation(np.arange(4, 40))[:3])
    look = {
        "fully connected": "Each of the T·D numbers that come out needs each of the T·D that come in.",
        "convolution": "One matrix (D, D) for each place of the window.",
        "recurrent": "One matrix for the token, one for the memory.",
        "attention": "Four matrices (D, D): for queries, keys, values, and one at the end.",
    }
    return [
        Case("fully connected, 4 tokens of 2 numbers", (KINDS[0], 4, 2, 3), look[KINDS[0]], expected=64),
        Case("a convolution of window 3 on them", (KINDS[1], 4, 2, 3), look[KINDS[1]], expected=12),
        *(Case(f"{kind}, random sizes", (kind, T, D, window), look[kind]) for kind in KINDS),
        *(
            Case(f"{kind}, twice the tokens", (kind, 2 * T, D, window), "Does this layer know T?")
            for kind in KINDS
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
