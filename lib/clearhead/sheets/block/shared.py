"""Functions that several exercises of this sheet use."""

import numpy as np

from clearhead.sheets.ingredients import different_sizes


def sizes(rng, count):
    """Return a number of different sizes from 5 to 10 that do not occur in the hand-worked cases."""
    return different_sizes(rng, count, 5, 10)


def maps(rng, D, F):
    """Return random matrices up (D, F) and down (F, D) with their biases."""
    up = {"weight": rng.normal(size=(D, F)) / np.sqrt(D), "bias": rng.normal(size=F)}
    return up, {"weight": rng.normal(size=(F, D)) / np.sqrt(F), "bias": rng.normal(size=D)}
