"""Cases of 19.expected_tokens_per_iteration."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    k = int(rng.integers(4, 9))
    return [
        Case(
            "one draft, by hand",
            (np.array([0.5]), 0.0),
            "Half of the rounds bring two words: 1.5.",
            expected=1.5,
        ),
        Case(
            "two drafts, by hand",
            (np.array([0.5, 0.5]), 0.25),
            "1 + 1/2 + 1/4 words for 1 + 2/4 readings.",
            expected=1.75 / 1.5,
        ),
        Case("a perfect draft", (np.ones(k), 0.0), "Every word is kept, and one more comes."),
        Case("a useless draft", (np.zeros(k), 0.1), "One word a round, and the drafts still cost."),
        Case("no draft", (np.ones(0), 0.1), "One reading, one word.", expected=1.0),
        Case("each place with its own share", (rng.uniform(0.3, 0.95, size=k), 0.05), "The shares multiply."),
        Case("a dear draft", (rng.uniform(0.3, 0.6, size=k), 0.5), "A draft that costs half can be a loss."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
