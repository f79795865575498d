"""Functions that several exercises of this sheet use."""

import numpy as np

from clearhead.sheets.ingredients import different_sizes

TINY = np.array([[[1, 2, 3], [4, 5, 6]]])  # one row of two pixels


def random_image(rng, channels=3, top=256):
    """Return a random image (height, width, channels) of integers below `top`, with three different sizes."""
    height, width = different_sizes(rng, 2, 4, 9)
    numbers = rng.integers(top, size=(height, width, channels))
    return numbers / 256 if top == 256 else numbers
