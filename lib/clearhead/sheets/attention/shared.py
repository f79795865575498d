"""Random inputs for the cases of several exercises of this sheet."""

import numpy as np


def sizes(rng, count):
    """Return d, then different sizes from 5 to 9; d is neither 2, as in the chapter, nor a perfect square."""
    d = int(rng.choice([3, 5, 6, 7, 8]))
    return [d, *(int(size) for size in rng.permutation(np.setdiff1d(np.arange(5, 10), d))[: count - 1])]


def tokens_and_weights(rng):
    """Return X (T, D), W_q (D, d), W_k (D, d) and W_v (D, e) of different sizes, with scores of about 1."""
    d, T, D, e = sizes(rng, 4)
    weights = (rng.normal(size=(D, size)) / np.sqrt(D) for size in (d, d, e))
    return rng.normal(size=(T, D)), *weights


CHAPTER = tuple(  # whole numbers, as on the page
    np.array(rows)
    for rows in (
        [[1, 0, 0], [0, 2, 0], [2, 0, 0], [0, 1, 2]],
        [[0, 1], [1, 0], [0, 1]],
        [[1, 0], [0, 1], [-1, 0]],
        [[1, 0, 0], [0, 1, 1], [1, 0, -1]],
    )
)


LARGE = (  # scores of thousands, whole numbers; for the first token two of them have the gap 1
    np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]]),
    np.eye(4),
    np.eye(4),
    np.array([[0.0625, 0], [0, 1], [0, 0], [0, 0]]),
)
SURVIVE = (
    "Some scores are in the thousands, so subtract the largest score of each query before the "
    "exponential. The two largest scores of the first token differ by 1, so both get a weight."
)
