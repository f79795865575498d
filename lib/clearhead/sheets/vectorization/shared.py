"""What exercises of this sheet share."""

import numpy as np


def sizes(rng, count, low=2, high=8):
    """Return that many whole numbers from `low` to `high`, all different."""
    return [int(size) for size in rng.permutation(np.arange(low, high + 1))[:count]]


TINY = np.array([[[1, 2, 3], [4, 5, 6]]])  # one row of two pixels


def random_image(rng, channels=3, top=256):
    """Return a random image (height, width, channels) of numbers below `top`, all sizes different."""
    height, width = sizes(rng, 2, low=4, high=9)
    numbers = rng.integers(top, size=(height, width, channels))
    return numbers / 256 if top == 256 else numbers


def code_tables(codes):
    """Return the distances between the codes (V, V), and between the one-hots (V, V)."""
    return np.abs(codes[:, None] - codes[None]), np.sqrt(2) * (1 - np.eye(len(codes)))


def unequal(distances):
    """Return how many comparisons of two distances find one of them smaller."""
    return int(sum(one < other for one in distances for other in distances))


def ordinal_distance(codes):
    """Return the distances of the codes (V, V), of their one-hots (V, V), and the number of claims."""
    by_code, by_one_hot = code_tables(codes)
    return by_code, by_one_hot, unequal(by_code[np.triu_indices(len(codes), 1)])
