"""Cases of 09.shift_targets."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import IGNORE, sizes


def cases(rng):
    def drawn(B, T, pad):
        lengths = rng.integers(2, T, size=B)
        lengths[0], lengths[-1] = 2, T
        real = np.arange(T) < lengths[:, None]
        return np.where(real, rng.integers(0, 50, size=(B, T)), pad), real

    B, T = sorted(sizes(rng, 2))
    last = (
        "the last real token of each sentence is a target",
        lambda out, ids, real: all(
            np.asarray(out[1])[b, n - 2] == ids[b, n - 1] for b, n in enumerate(real.sum(axis=1))
        ),
    )
    ids = np.array([[5, 0, 8, 3], [7, 2, 0, 0]])
    real = np.array([[True, True, True, True], [True, True, False, False]])
    by_hand = [np.array([[5, 0, 8], [7, 2, 0]]), np.array([[0, 8, 3], [2, IGNORE, IGNORE]])]
    return [
        Case(
            "two sentences, by hand",
            (ids, real),
            "In the first sentence 0 is a word, because it is real. In the second, 2 is the only target.",
            expected=by_hand,
        ),
        Case("random sentences", drawn(B, T + 2, 0),
             "Each target is the token after its input.", properties=(last,)),
        Case("padding with the id 9", drawn(B + 1, T + 4, 9),
             "Here the padding has the id 9, and 9 is also a word.",
             properties=(last,)),
        Case("no padding", (rng.integers(1, 9, size=(2, 5)), np.ones((2, 5), dtype=bool)),
             "No token is padding, so every input has a target."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases, ids=True)
