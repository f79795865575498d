"""What exercises of this sheet share."""

from clearhead.maths.vectors import unit_vectors


def cosines(x, y):
    return unit_vectors(x) @ unit_vectors(y).T
