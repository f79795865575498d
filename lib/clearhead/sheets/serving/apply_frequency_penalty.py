"""Cases of 19.apply_frequency_penalty."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V = int(rng.integers(6, 12))
    z, said = 2 * rng.normal(size=V), rng.integers(V - 2, size=9)
    return [
        Case(
            "three words, by hand",
            (np.array([2.0, 1.0, 0.0]), np.array([0, 0, 2]), 0.5, 0.25),
            "Word 0 occurs twice, so it loses 0.5 + 2 · 0.25. Word 2 occurs once. Word 1 stays unchanged.",
            expected=np.array([1.0, 1.0, -0.75]),
        ),
        Case(
            "no words so far",
            (z, np.array([], dtype=int), 0.5, 0.5),
            "No word has occurred, so nothing changes.",
            expected=z,
        ),
        Case(
            "only the presence penalty",
            (z, said, 1.5, 0.0),
            "The presence penalty does not depend on how often a word occurs.",
        ),
        Case(
            "only the frequency penalty",
            (z, said, 0.0, 0.7),
            "The frequency penalty counts every occurrence.",
        ),
        Case(
            "both penalties",
            (z, said, 0.9, 0.4),
            "The presence penalty counts once, and the frequency penalty counts every occurrence.",
        ),
        Case(
            "negative logits",
            (z - 20, said, 0.9, 0.4),
            "All logits are 20 lower, but the penalties are the same.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
