"""Cases of 19.chunked_sum."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _hard(rng, rows, terms):
    """Return rows whose sums depend on the order: numbers up to 3, and large numbers of both signs."""
    x = rng.integers(1, 4, size=(rows, terms)).astype(np.float32)
    for row in x:
        at = rng.permutation(terms)[: 2 * (terms // 4)]
        row[at] = np.where(np.arange(len(at)) % 2, 1e8, -1e8)
    return x


def cases(rng):
    chunk = int(rng.integers(3, 5))
    rows = int(rng.integers(5, 8))
    hand = np.array([[1e8, 1, -1e8, 1]], dtype=np.float32)
    return [
        Case(
            "two chunks, by hand",
            (hand, 2),
            "The sums of the chunks are 1e8 and −1e8, because adding 1 changes neither of them.",
            expected=np.zeros(1, dtype=np.float32),
        ),
        Case(
            "one chunk, by hand",
            (hand, 4),
            "1e8 + 1 is 1e8, then 1e8 − 1e8 is 0, and 0 + 1 is 1.",
            expected=np.ones(1, dtype=np.float32),
        ),
        Case(
            "large numbers that cancel",
            (_hard(rng, 3 * rows, 4 * chunk), chunk),
            "Add the terms of each chunk from left to right, and then the sums of the chunks.",
        ),
        Case(
            "a shorter last chunk",
            (_hard(rng, 3 * rows, 5 * chunk + 2), chunk),
            "The last chunk has two terms.",
        ),
        Case(
            "chunks of one term",
            (_hard(rng, 2 * rows, 13), 1),
            "With chunks of one term, the terms are added one by one.",
        ),
        Case(
            "a chunk that is longer than the row",
            (_hard(rng, 2 * rows, 11), 20),
            "There is only one chunk, which is shorter than `chunk`.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
