"""Cases of 06.merge_heads."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import TWO_TOKENS, sizes


def cases(rng):
    H, T, d = sizes(rng, 3)
    owners = np.tile(np.arange(1, T + 1)[:, None], (H, 1, d))
    by_hand = np.array([[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]])
    one_token_a_row = (
        "each row holds the entries of only one token",
        lambda merged, x: np.all(merged == np.arange(1, x.shape[1] + 1)[:, None]),
    )
    return [
        Case(
            "three heads of two tokens, by hand",
            (by_hand,),
            "Merging the heads must undo the split.",
            1,
            TWO_TOKENS,
        ),
        Case(
            "entries that are the number of their token",
            (owners,),
            "Every entry is the number of its token, so each row of the result must hold only one number.",
            properties=(one_token_a_row,),
        ),
        Case(
            "random heads", (rng.normal(size=(H, T, d)),), "Do the steps of the split in the opposite order."
        ),
        Case("one head", (rng.normal(size=(1, T, d)),), "With one head, only the first axis is removed."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
