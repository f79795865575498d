"""Cases of 09.causal_mask."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    small, large = sorted(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    counted = (
        "row i, counted from 0, is True in i + 1 columns",
        lambda mask, n: np.array_equal(np.asarray(mask).astype(int).sum(axis=-1), np.arange(1, n + 1)),
    )
    by_hand = np.array([[True, False, False], [True, True, False], [True, True, True]])
    return [
        Case(
            "three tokens, by hand",
            (3,),
            "The first token sees only itself, and the third sees all three.",
            expected=by_hand,
        ),
        Case(
            f"{small} tokens",
            (small,),
            "Row i, counted from 0, is True in i + 1 columns.",
            properties=(counted,),
        ),
        Case(
            f"{large} tokens",
            (large,),
            "The first row is True in only one column, and the last row in all of them.",
            properties=(counted,),
        ),
        Case("one token", (1,), "A token may look at itself."),
        Case(
            "a long sequence",
            (int(rng.integers(100, 400)),),
            "Row i is True in i + 1 columns, however long the sequence is.",
            properties=(counted,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
