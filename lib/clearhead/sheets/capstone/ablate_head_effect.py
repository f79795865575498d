"""Cases of 15.ablate_head_effect."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    def drawn(H, T, d, D, V, head):
        sizes = (H, T, d), (H * d, D), (D, V)
        return (*(rng.normal(size=size) for size in sizes), head)

    by_hand = (
        np.array([[[1.0], [2.0]], [[10.0], [20.0]]]),
        np.array([[1.0, 0.0], [0.0, 3.0]]),
        np.eye(2),
        1,
    )
    H, d = different_sizes(rng, 2, 2, 4)
    T, V = different_sizes(rng, 2, 5, 7)
    return [
        Case(
            "two heads of size 1, by hand",
            by_hand,
            "Head 1 gives 10 and 20. Its row of W_o is (0, 3), so the second logit loses 30 and 60.",
            expected=np.array([[0.0, -30.0], [0.0, -60.0]]),
        ),
        Case(
            f"{H} heads, without the first",
            drawn(H, T, d, H * (d + 1), V, 0),
            "Head 0 has the first d rows of W_o.",
        ),
        Case(
            f"{H} heads, without the last",
            drawn(H, T, d, H * d - 1, V, H - 1),
            "Head h has the d rows of W_o that begin with row h · d.",
        ),
        Case(
            "as many heads as columns per head",
            drawn(3, T, 3, 9, V, 1),
            "H and d are both 3 here, so take care which axis is which.",
        ),
        Case(
            "one head",
            drawn(1, 4, 5, 6, 3, 0),
            "Without its only head, the layer contributes nothing to the logits.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
