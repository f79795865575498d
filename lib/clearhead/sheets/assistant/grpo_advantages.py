"""Cases of 18.grpo_advantages."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    P, G = int(rng.integers(3, 5)), int(rng.integers(6, 9))
    rewards = (rng.random((P, G)) < 0.4) * 1.0
    rewards[:, 0], rewards[:, 1] = 1, 0  # no group is even
    rewards[0, 2:4] = 1
    even = rewards.copy()
    even[1], even[2] = 1, 0
    zero = ("each row has the mean 0", lambda a, *_: np.allclose(np.mean(a, axis=1), 0, atol=1e-9))
    finite = ("all advantages are finite", lambda a, *_: np.isfinite(a).all())
    return [
        Case(
            "one group of four, by hand",
            (np.array([[1.0, 0, 0, 1]]), 0.0),
            "The mean and the standard deviation are both 1/2.",
            expected=np.array([[1.0, -1, -1, 1]]),
        ),
        Case(
            "several groups",
            (rewards, 1e-4),
            "Each row is a group with its own mean and its own standard deviation.",
            properties=(zero,),
        ),
        Case(
            "groups whose rewards are all equal",
            (even, 1e-4),
            "Where all rewards of a group are equal, its advantages are 0.",
            properties=(finite, zero),
        ),
        Case(
            "negative rewards",
            (5 * rng.random((P, G)) - 9, 1e-4),
            "Adding a constant to all rewards does not change the advantages.",
            properties=(zero,),
        ),
        Case("a large ε", (rewards, 0.5), "ε is added to the standard deviation.", properties=(zero,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
