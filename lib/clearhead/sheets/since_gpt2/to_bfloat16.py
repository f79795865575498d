"""Cases of 16.to_bfloat16."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    n, m = (int(k) for k in rng.permutation(np.arange(5, 12))[:2])
    x = rng.normal(size=(n, m)).astype(np.float32)
    last = rng.permutation(np.arange(n) % 4)  # 0 to 3: the last two bits that stay
    halves = (1 + (4 * rng.integers(0, 31, size=n) + last) / 128 + 1 / 256).astype(np.float32)
    few = (
        "the last 16 of the 32 bits of each number are 0",
        lambda y, x: ((np.asarray(y, dtype=np.float32).view(np.uint32) & 0xFFFF) == 0).all(),
    )
    single = ("the result has the dtype float32", lambda y, x: np.asarray(y).dtype == np.float32)
    near = (
        "no number changes by more than 1/256 of itself",
        lambda y, x: (np.abs(y.astype(float) - x) <= np.abs(x.astype(float)) / 256 * 1.0001).all(),
    )
    hand = np.array([1, 1.003, 1.005, 257, -1.005], dtype=np.float32)
    return [
        Case(
            "five numbers, by hand",
            (hand,),
            "The next number after 1 is 1 + 1/128 = 1.0078, so 1.003 becomes 1, but 1.005 does not. "
            "257 lies half-way between 256 and 258, and 256 is the one whose last bit is 0.",
            expected=np.array([1, 1, 1.0078125, 256, -1.0078125], dtype=np.float32),
        ),
        Case(
            "random numbers",
            (x,),
            "Round each number to the nearest one that remains, instead of cutting bits off.",
            properties=(few, near, single),
        ),
        Case(
            "numbers of about 1e30",
            (x.T * np.float32(1e30),),
            "Only the last bits of the fraction are removed, so the exponent keeps its 8 bits.",
            properties=(few, near),
        ),
        Case(
            "numbers of about 1e-30",
            (x * np.float32(1e-30),),
            "The exponent of bfloat16 has as many bits as that of float32.",
            properties=(few, near),
        ),
        Case(
            "numbers half-way between two others",
            (halves,),
            "A number half-way between two neighbours becomes the neighbour whose last bit is 0.",
            properties=(few,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, tolerance=1e-9)
