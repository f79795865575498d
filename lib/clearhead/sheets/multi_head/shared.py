"""Functions that several exercises of this sheet use."""

import numpy as np

from clearhead.sheets.ingredients import different_sizes


def sizes(rng, count):
    """Return different sizes from 5 to 9, which neither the chapter nor a hand-worked case uses."""
    return different_sizes(rng, count, 5, 9)


def random_layer(rng):
    """Return X (T, D), W_q, W_k (D, H·d), W_v (D, H·e), W_o (H·e, D) and H, with T, D, H, d, e different."""
    return _layer(rng, *sizes(rng, 5))


def two_random_layers(rng):
    """Return two random layers that differ in every size."""
    first = sizes(rng, 5)
    return _layer(rng, *first), _layer(rng, *(first[1:] + first[:1]))


def _layer(rng, T, D, H, d, e):
    """Return random tokens and weights of these sizes."""
    shapes = (T, D), (D, H * d), (D, H * d), (D, H * e), (H * e, D)
    return *(rng.normal(size=shape) for shape in shapes), H


TWO_TOKENS = np.array([[1, 2, 3, 4, 5, 6], [10, 20, 30, 40, 50, 60]])


CHAPTER = tuple(
    np.array(rows, dtype=float)
    for rows in (
        [[1, 0, 0, 1], [0, 2, 0, 0], [2, 0, 0, 0], [0, 1, 2, 0]],
        [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]],
        [[1, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 1], [0, 0, -1, 0]],
        [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 1]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 2]],
    )
)
