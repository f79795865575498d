"""Cases of 12.attention_memory."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    B, H = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    L = int(rng.integers(20, 500))
    return [
        Case("five tokens, by hand", (1, 1, 5, 4), "5 × 5 weights of 4 bytes: 100.", expected=100),
        Case(
            "two texts, three heads",
            (2, 3, 5, 2),
            "2 · 3 tables of 25 weights of 2 bytes: 300.",
            expected=300,
        ),
        Case("random sizes", (B, H, L, 4), "One table for each head of each text."),
        Case("other sizes", (H, 12, 3 * L, 2), "A table of L weights for each of L tokens."),
        Case("a million tokens", (1, 1, 10**6, 2), "2 TB: write it as a whole number of bytes."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
