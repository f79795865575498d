"""Cases of 12.attention_memory."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    B, H = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    L = int(rng.integers(20, 500))
    return [
        Case(
            "five tokens, by hand",
            (1, 1, 5, 4),
            "There are 5 × 5 weights of 4 bytes: 100 bytes.",
            expected=100,
        ),
        Case(
            "two texts, three heads",
            (2, 3, 5, 2),
            "There are 2 · 3 matrices of 25 weights of 2 bytes: 300 bytes.",
            expected=300,
        ),
        Case("random sizes", (B, H, L, 4), "There is one attention matrix for each head of each text."),
        Case("other sizes", (H, 12, 3 * L, 2), "Each of the L tokens has L weights."),
        Case(
            "a million tokens",
            (1, 1, 10**6, 2),
            "The result is 2 TB, which must be an exact integer number of bytes.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
