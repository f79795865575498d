"""What exercises of this sheet share."""

from clearhead.maths import losses
from clearhead.sheets.ingredients import different_sizes

IGNORE = losses.IGNORE


def sizes(rng, count):
    """Return that many sizes from 5 to 9, all different, and none that the hand cases have."""
    return different_sizes(rng, count, 5, 9)
