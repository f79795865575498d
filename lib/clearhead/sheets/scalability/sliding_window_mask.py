"""Cases of 12.sliding_window_mask."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    L, w = int(rng.integers(8, 48)), int(rng.integers(2, 8))
    seen = (
        "no token sees more than `window` tokens",
        lambda mask, length, window: (np.asarray(mask) == 1).sum(axis=-1).max() <= window,
    )
    return [
        Case(
            "four tokens, a window of two, by hand",
            (4, 2),
            "The third token sees itself and the second token.",
            expected=np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool),
        ),
        Case(
            "random sizes",
            (L, w),
            "Rows are queries. From row window - 1 on, each row is True in `window` columns.",
            properties=(seen,),
        ),
        Case("other sizes", (L + 3, w + 1), "The window includes the token itself.", properties=(seen,)),
        Case("a window of one", (L, 1), "Each token sees only itself.", properties=(seen,)),
        Case(
            "a window wider than the sequence",
            (4, 9),
            "Every earlier token is in the window, so the mask is a causal mask.",
            properties=(seen,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
