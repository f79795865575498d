"""Functions that several exercises of this sheet use."""

import numpy as np

FRUIT_KEYS = np.array([[-1, 0], [1, 0], [0, 1]])  # whole numbers, as on the page
FRENCH_VALUES = np.array([[-5, -4], [5, -6], [5, 5]])
ORANGE = np.array([0.0, np.log(8)])


ONE_WEIGHT = "Each weight is one exponential divided by the sum of all the exponentials."
BETWEEN = "the result lies between the smallest and the largest value"


def entries(rng, S, d, e, spread=1.0):
    """Return a random query, keys and values whose sizes are all different."""
    return spread * rng.normal(size=d), rng.normal(size=(S, d)), rng.normal(size=(S, e))


def returns_weights(z_and_a):
    """Return the second of two results as an array."""
    return np.asarray(z_and_a[1])
