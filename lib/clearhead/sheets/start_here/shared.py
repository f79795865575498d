"""What exercises of this sheet share."""

import numpy as np


def different_sizes(rng, count, low=2, high=8):
    """Return that many whole numbers from `low` to `high`, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]
