"""Functions that several exercises of this sheet use."""


def even_number(rng, low=3, high=10):
    """Return an even number of columns, from 2·low to 2·high."""
    return int(2 * rng.integers(low, high + 1))
