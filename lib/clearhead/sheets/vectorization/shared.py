"""What exercises of this sheet share."""

import numpy as np


def sizes(rng, count, low=2, high=8):
    """Return that many whole numbers from `low` to `high`, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


TINY = np.array([[[1, 2, 3], [4, 5, 6]]])  # one row of two pixels


def random_image(rng, channels=3):
    """Return a random image (height, width, channels), all sizes different."""
    height, width = sizes(rng, 2, low=4, high=9)
    return rng.integers(256, size=(height, width, channels))
