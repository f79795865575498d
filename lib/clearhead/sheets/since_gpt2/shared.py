"""What exercises of this sheet share."""

import numpy as np


def different(rng, how_many, low=3, high=9):
    """Return that many different sizes."""
    return (int(n) for n in rng.permutation(np.arange(low, high))[:how_many])
