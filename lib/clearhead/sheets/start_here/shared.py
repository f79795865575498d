"""What exercises of this sheet share."""

import numpy as np


def different_sizes(rng, count, low=5, high=11):
    """Return that many whole numbers from `low` to `high`, all different; hand cases have others."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


def softmax(z, axis):
    """Return the scores as positive weights that sum to 1 along one axis, same shape as z (...)."""
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
