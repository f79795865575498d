"""Cases of 17.unpack_q8_0."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import blocks_q8_0


def cases(rng):
    N, few = (int(n) for n in rng.permutation(np.arange(2, 7))[:2])
    scales = np.round(rng.uniform(0.5, 2, size=N), 2)
    positive, all_codes = rng.integers(1, 128, size=(few, 32)), rng.integers(-128, 128, size=(N, 32))
    return [
        Case(
            "one block, scale 0.5, by hand",
            (blocks_q8_0([0.5], [np.arange(32)]),),
            "The first two bytes are 0.5 in float16. The codes are 0, 1, 2, ..., so the weights are "
            "0, 0.5, 1, ...",
            expected=np.arange(32)[None] / 2,
        ),
        Case(
            "positive codes",
            (blocks_q8_0(np.linspace(0.25, 3, few), positive),),
            "The weights are d q, and each block has its own scale d.",
        ),
        Case(
            "negative codes",
            (blocks_q8_0(scales, all_codes),),
            "The codes are signed, so a byte of 255 is -1.",
        ),
        Case(
            "the smallest and the largest code",
            (blocks_q8_0([1], [np.repeat([-128, 127], 16)]),),
            "A byte of 128 is the code -128, and a byte of 127 is the code 127.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
