"""Cases of 06.mha_params."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D, H, d_k, d_v = (int(size) for size in rng.permutation(np.arange(6, 20))[:4])
    four_squares = (
        "with d_k = d_v = D / H the count is 4 D²",
        lambda count, D, H, d_k, d_v: count == 4 * D * D,
    )
    return [
        Case(
            "the example of the chapter: D = 4, five heads of size 3",
            (4, 5, 3, 3),
            "Each head has three matrices of 4 × 3. W_o has 15 × 4. In all 5 · 36 + 60.",
            expected=240,
        ),
        Case(
            "D = 64, sixteen heads",
            (64, 16, 4, 4),
            "Sixteen small heads share one width.",
            expected=16_384,
            properties=(four_squares,),
        ),
        Case("values of another size", (D, H, d_k, d_v), "d_v enters twice: in W_v and in W_o."),
        Case("one head", (D, 1, d_v, d_k), "Even one head has a W_o."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
