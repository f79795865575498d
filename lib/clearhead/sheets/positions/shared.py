"""What exercises of this sheet share."""

import numpy as np

from clearhead.maths.positions import frequencies


def even_number(rng, low=3, high=10):
    """Return an even number of columns, from 2 low to 2 high."""
    return int(2 * rng.integers(low, high + 1))


def pairs(d_model):
    return np.arange(d_model // 2)


def side_by_side(even, odd):
    """Return columns 0, 2, 4 ... from one table and 1, 3, 5 ... from another."""
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


def at(times, d_model):
    """Return the code at any times, also negative ones."""
    angles = np.asarray(times)[:, None] * frequencies(d_model)
    return side_by_side(np.sin(angles), np.cos(angles))
