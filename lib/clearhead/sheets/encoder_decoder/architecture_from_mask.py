"""Cases of 11.architecture_from_mask."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _table(S, T):
    """Return the Boolean matrix of who attends to whom, for S source tokens followed by T target tokens."""
    i, j = np.indices((S + T, S + T))
    return (j < S) | ((i >= S) & (j <= i))


def cases(rng):
    S, T = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    reason = "Count how many tokens the first one reads. The last one reads all of them in every family."
    return [
        Case("three tokens, by hand", (_table(0, 3),),
             "The mask is a triangle: no token reads a later one.",
             expected=["decoder", 0]),
        Case("two source tokens and two target tokens, by hand", (_table(2, 2),),
             "The first two tokens read each other. The last two read all source tokens, and also themselves "
             "and any target token before them.",
             expected=["both", 2]),
        Case("a mask that is True everywhere", (_table(S, 0),), reason),
        Case("a larger causal mask", (_table(0, S + 3),), reason),
        Case("a source and a target", (_table(S, T),), reason),
        Case("a long source", (_table(S + T, 1),), "All tokens but the last are source tokens."),
        Case("a long target", (_table(2, S + T),), reason),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
