"""Cases of 17.unpack_q4_1."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import blocks_q4_1


def cases(rng):
    N, few = (int(n) for n in rng.permutation(np.arange(2, 7))[:2])
    by_hand = np.concatenate([np.arange(16), np.full(16, 3)])
    scales, smallest = np.round(rng.uniform(0.5, 2, (2, N)), 2)
    return [
        Case(
            "one block, d = 0.5 and m = -1, by hand",
            (blocks_q4_1([0.5], [-1], [by_hand]),),
            "The lower halves of the bytes are 0, 1, 2, ..., 15, and all the upper halves are 3. The "
            "weights are -1, -0.5, 0, ..., 6.5, and then 0.5 for the other sixteen.",
            expected=by_hand[None] / 2 - 1,
        ),
        Case(
            "a scale of 1 and a smallest value of 0",
            (blocks_q4_1(np.ones(few), np.zeros(few), rng.integers(16, size=(few, 32))),),
            "All the lower halves come first, followed by all the upper halves.",
        ),
        Case(
            "random blocks with negative smallest values",
            (blocks_q4_1(scales, -8 * smallest, rng.integers(16, size=(N, 32))),),
            "The weights are d q + m, and d comes before m in each block.",
        ),
        Case(
            "a positive smallest value in one block",
            (blocks_q4_1(scales, np.where(np.arange(N), -1, 1) * smallest, rng.integers(16, size=(N, 32))),),
            "The smallest value m has its own sign, and it is added.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
