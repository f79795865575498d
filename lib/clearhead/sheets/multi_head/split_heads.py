"""Cases of 06.split_heads."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import TWO_TOKENS, sizes


def _own_token_only(heads, x, num_heads):
    return all(set(heads[:, t].ravel()) <= set(x[t]) for t in range(len(x)))


def _facts(heads, x, num_heads):
    """Return the heads, or a sentence if the answer is a list of them, which has no shape."""
    return f"a list or tuple of {len(heads)} heads" if isinstance(heads, list | tuple) else heads


def cases(rng):
    T, H, d = sizes(rng, 3)
    owners = np.repeat(np.arange(1, T + 1)[:, None], H * d, axis=1)
    own_token = ("row t of each head holds only entries of token t", _own_token_only)
    return [
        Case(
            "two tokens, three heads, by hand",
            (TWO_TOKENS, 3),
            "Head 0 gets the first two entries of each token: (1, 2) and (10, 20).",
            expected=np.array([[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]]),
        ),
        Case(
            "entries that are the number of their token",
            (owners, H),
            "Every entry is the number of its token, so each row of each head must hold only one number.",
            properties=(own_token,),
        ),
        Case("random tokens", (rng.normal(size=(T, H * d)), H), "Write down the shape after each step."),
        Case(
            "one head",
            (rng.normal(size=(T, d)), 1),
            "One head gets all the columns, so the result has the shape (1, T, D).",
        ),
        Case(
            "heads of size 1",
            (rng.normal(size=(T, H)), H),
            "There are as many heads as columns, so the result has the shape (D, T, 1).",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, facts=_facts)
