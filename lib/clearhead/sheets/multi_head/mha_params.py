"""Cases of 06.mha_params."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D, H, d_k, d_v = (int(size) for size in rng.permutation(np.arange(6, 20))[:4])
    four_squares = (
        "with d_k = d_v = D / H, the count is 4 D²",
        lambda count, D, H, d_k, d_v: count == 4 * D * D,
    )
    return [
        Case(
            "the chapter's example: D = 4, five heads of size 3",
            (4, 5, 3, 3),
            "Each head has three 4 × 3 matrices, and W_o is a 15 × 4 matrix, which gives 5 · 36 + 60.",
            expected=240,
        ),
        Case(
            "D = 64, sixteen heads",
            (64, 16, 4, 4),
            "The sixteen heads divide the width of 64 among them, so each has size 4.",
            expected=16_384,
            properties=(four_squares,),
        ),
        Case(
            "values and keys of different sizes",
            (D, H, d_k, d_v),
            "The size d_v appears twice, in W_v and in W_o.",
        ),
        Case("one head", (D, 1, d_v, d_k), "A layer with one head also has an output projection W_o."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
