"""Cases of 19.paged_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _memory(rng, length, P, M, d=5, e=3):
    """Return a query, blocks with large numbers in all unused entries, a table and the length."""
    N = M + 4
    keys, values = rng.normal(size=(N, P, d)), rng.normal(size=(N, P, e))
    table = rng.permutation(np.arange(3, N))[:M]  # never the first blocks
    table[[0, -1]] = max(table[0], table[-1]), min(table[0], table[-1])  # never in ascending order
    unused = np.ones((N, P), dtype=bool)
    t = np.arange(length)
    unused[table[t // P], t % P] = False
    values[unused] += 20
    return rng.normal(size=d) * 1.5, keys, values, table, length


def cases(rng):
    P = int(rng.integers(3, 6))
    inside = int(rng.integers(1, P - 1))
    hand = np.array([[[9.0], [99.0]], [[3.0], [6.0]]])
    query, keys, *rest = _memory(rng, P + inside, P, 2)
    return [
        Case(
            "equal keys, by hand",
            (np.zeros(2), np.zeros((2, 2, 2)), hand, np.array([1, 0]), 3),
            "The three values are 3 and 6 of block 1, and 9 of block 0. Their mean is 6.",
            expected=np.array([6.0]),
        ),
        Case(
            "three blocks, the last one partly used",
            _memory(rng, 2 * P + inside, P, 3),
            "Read the blocks in the order of the table, and keep the first `length` rows.",
        ),
        Case(
            "two blocks, both full",
            _memory(rng, 2 * P, P, 2, d=8),
            "Both blocks are full, so every entry of them belongs to the text.",
        ),
        Case(
            "a table with a block in reserve",
            _memory(rng, P + inside, P, 4),
            "The table may list blocks that the text does not need yet.",
        ),
        Case(
            "one token",
            _memory(rng, 1, P, 2),
            "With one token, the result is its value.",
        ),
        Case(
            "scores in the thousands",
            (query, keys + 2000 * rng.normal(size=keys.shape[-1]), *rest),
            "All keys are shifted alike, which does not change the weights. The exponential of 1,000 "
            "overflows, so the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
