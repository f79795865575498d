"""Cases of 14.patchify_series."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    n = int(rng.integers(3, 6))
    long, other, gaps = (rng.normal(size=size) for size in (3 * n + 10, 5 * n + 3, 5 * n + 4))
    whole = ("each row is as long as the window", lambda rows, s, w, stride: np.shape(rows)[1:] == (w,))
    return [
        Case(
            "seven numbers, windows of three",
            (np.array([1.0, 2, 4, 7, 11, 16, 22]), 3, 2),
            "Windows begin at 0, 2 and 4. One that begins at 6 would have one number only.",
            expected=np.array([[1.0, 2, 4], [4, 7, 11], [11, 16, 22]]),
        ),
        Case(
            "windows that overlap",
            (long, 7, 3),
            "The next window begins `stride` later.",
            properties=(whole,),
        ),
        Case("windows that touch", (other, 5, 5), "What fills no window is left out.", properties=(whole,)),
        Case(
            "windows with gaps",
            (gaps, 3, 5),
            "A stride may be larger than the window.",
            properties=(whole,),
        ),
        Case("one window is all", (long[:5], 5, 5), "Then there is one row.", properties=(whole,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
