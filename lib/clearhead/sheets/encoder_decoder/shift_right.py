"""Cases of 11.shift_right."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    B, T = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    starts = (
        "every row begins with the start token",
        lambda out, targets, start: (np.asarray(out)[:, 0] == start).all(),
    )
    more = rng.integers(2, 50, size=(B + 2, T + 3))
    return [
        Case(
            "two rows, by hand",
            (np.array([[5, 6, 7, 2], [8, 9, 2, 0]]), 1),
            "Row 1 becomes 1, 5, 6, 7, because the last target is never read.",
            expected=np.array([[1, 5, 6, 7], [1, 8, 9, 2]]),
        ),
        Case("random rows", (rng.integers(2, 50, size=(B, T)), 1),
             "Shift each row by one position to the right.",
             properties=(starts,)),
        Case("another start token", (more, 77), "The start token is an argument.", properties=(starts,)),
        Case("ids of a large vocabulary", (rng.integers(40_000, 50_000, size=(T, B)), 1),
             "An id may be large, so use a dtype that holds it.", properties=(starts,)),
        Case("one token per row", (rng.integers(2, 50, size=(4, 1)), 1),
             "The decoder reads only the start token.",
             properties=(starts,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases, ids=True)
