"""What exercises of this sheet share."""

from clearhead.maths.vectors import directions


def cosines(x, y):
    return directions(x) @ directions(y).T
