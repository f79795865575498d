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
            "The windows begin at 0, 2 and 4. A window that began at 6 would have only one number.",
            expected=np.array([[1.0, 2, 4], [4, 7, 11], [11, 16, 22]]),
        ),
        Case(
            "overlapping windows",
            (long, 7, 3),
            "Each window begins `stride` entries after the one before.",
            properties=(whole,),
        ),
        Case(
            "adjacent windows",
            (other, 5, 5),
            "The last entries do not fill a window, so they are left out.",
            properties=(whole,),
        ),
        Case(
            "windows with gaps between them",
            (gaps, 3, 5),
            "The stride may be larger than the window, so some entries are in no window.",
            properties=(whole,),
        ),
        Case(
            "a series as long as the window",
            (long[:5], 5, 5),
            "There is only one window, so the result has one row.",
            properties=(whole,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
