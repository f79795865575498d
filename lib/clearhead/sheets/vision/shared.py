"""Functions that several exercises of this sheet use."""


def sizes(rng):
    """Return a patch size above 2, the numbers of rows, columns and channels, all different."""
    P = int(rng.integers(3, 6))
    r, c, channels = (int(n) for n in rng.permutation([n for n in (2, 3, 4, 5) if n != P]))
    return P, r, c, channels
