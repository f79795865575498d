"""What exercises of this sheet share."""

import numpy as np

from clearhead.sheets.ingredients import different_sizes


def sizes(rng, count):
    """Return that many sizes from 5 to 10, all different, and none that the hand cases have."""
    return different_sizes(rng, count, 5, 10)


def maps(rng, D, F):
    """Return random maps up (D, F) and down (F, D), with biases."""
    up = {"weight": rng.normal(size=(D, F)) / np.sqrt(D), "bias": rng.normal(size=F)}
    return up, {"weight": rng.normal(size=(F, D)) / np.sqrt(F), "bias": rng.normal(size=D)}
