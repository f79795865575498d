"""11.which_family: Which family?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise

from .which_family_wrong import MISTAKES, by_first_row


def which_family(may_read):
    """Return "encoder", "decoder" or "both" for a table (N, N) of who reads whom, and the source's size."""
    N = len(may_read)
    for S in range(N, -1, -1):
        if (may_read == _table(S, N - S)).all():
            return ("decoder", 0) if S < 2 else ("encoder" if S == N else "both", S)
    return "none", 0


def _table(S, T):
    """Return who may read whom: S source tokens, then T target tokens."""
    i, j = np.indices((S + T, S + T))
    return (j < S) | ((i >= S) & (j <= i))


def _family_cases(rng):
    S, T = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    reason = "How many tokens does the first one read? And the last one?"
    return [
        Case("three tokens, by hand", (_table(0, 3),), "A triangle: nobody reads what comes later.",
             expected=["decoder", 0]),
        Case("two read, two written", (_table(2, 2),), "The first two read each other; the last two read "
             "those, and themselves so far.", expected=["both", 2]),
        Case("everybody reads everybody", (_table(S, 0),), reason),
        Case("a longer triangle", (_table(0, S + 3),), reason),
        Case("a source and a target", (_table(S, T),), reason),
        Case("a long source", (_table(S + T, 1),), "Only the last token is written."),
        Case("a long target", (_table(2, S + T),), reason),
        Case("one token alone", (_table(0, 1),), "A source has at least two tokens, so here is none: this is "
             "a decoder.", expected=["decoder", 0]),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.which_family",
    title="Which family?",
    reference=which_family,
    cases=_family_cases,
    hints=(
        "Draw the three tables for five tokens: a full square, a triangle, and a block with a triangle.",
        "Look at the first row. In an encoder it is full, in a decoder it has one True. And with both?",
        "S = may_read[0].sum(). Below 2 it is a decoder (its source has 0 tokens), else N is an encoder.",
    ),
    mistakes=MISTAKES,
    alternatives=(by_first_row,),
    stars=2,
    minutes=15,
)
