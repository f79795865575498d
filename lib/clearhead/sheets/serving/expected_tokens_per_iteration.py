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
            "The draft token is accepted in half of the iterations, which then give two tokens "
            "instead of one: 1.5.",
            expected=1.5,
        ),
        Case(
            "two drafts, by hand",
            (np.array([0.5, 0.5]), 0.25),
            "There are 1 + 1/2 + 1/4 tokens for 1 + 2/4 passes.",
            expected=1.75 / 1.5,
        ),
        Case(
            "a perfect draft",
            (np.ones(k), 0.0),
            "Every draft token is accepted, and the target model adds one.",
        ),
        Case(
            "a useless draft",
            (np.zeros(k), 0.1),
            "Each iteration gives one token, and the rejected draft tokens still cost.",
        ),
        Case("no draft", (np.ones(0), 0.1), "Without a draft, one pass gives one token.", expected=1.0),
        Case(
            "a different acceptance rate at each position",
            (rng.uniform(0.3, 0.95, size=k), 0.05),
            "A draft token counts only if all before it are accepted, so the rates are multiplied.",
        ),
        Case(
            "an expensive draft",
            (rng.uniform(0.3, 0.6, size=k), 0.5),
            "Draft tokens that cost half a pass each can be a loss.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
