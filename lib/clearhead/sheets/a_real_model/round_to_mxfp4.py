"""Cases of 17.round_to_mxfp4."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    N, few, many = (int(n) for n in rng.permutation(np.arange(3, 8))[:3])
    by_hand, rounded = np.zeros((2, 1, 32))
    by_hand[0, :4], rounded[0, :4] = [12, 5.4, -1.4, 0.3], [12, 6, -1, 0]
    sizes = 2.0 ** rng.permutation(np.arange(-3, 4))[:few, None]
    tall = rng.normal(size=(many, 32))
    tall[:, int(rng.integers(32))] = -7.4 * rng.uniform(0.98, 1.02, size=many)
    return [
        Case(
            "one block with 12, 5.4, -1.4, 0.3 and zeros, by hand",
            (by_hand,),
            "The largest is 12, so the exponent is 3, and the scale is 2 to the power 3 - 2, which is 2.",
            expected=rounded,
        ),
        Case(
            "random blocks of different sizes",
            (sizes * rng.normal(size=(few, 32)),),
            "Each row has a scale of its own, a power of two.",
        ),
        Case(
            "blocks whose largest entry is negative",
            (tall,),
            "The scale comes from the largest absolute value. Entries above 6 s in size become 6 s.",
        ),
        Case(
            "a block of zeros among others",
            (np.concatenate([np.zeros((1, 32)), 3 * rng.normal(size=(N, 32))]),),
            "The logarithm of 0 is minus infinity, so choose another scale for a block of zeros.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
