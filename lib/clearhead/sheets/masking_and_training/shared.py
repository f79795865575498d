"""Functions that several exercises of this sheet use."""

from clearhead.maths import losses
from clearhead.sheets.ingredients import different_sizes

IGNORE = losses.IGNORE


def sizes(rng, count):
    """Return a number of different sizes from 5 to 9 that do not occur in the hand-worked cases."""
    return different_sizes(rng, count, 5, 9)
