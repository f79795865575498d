"""Vary the weight of the balance loss by a factor of 1,000, for twelve seeds; and clusters of equal size."""

import numpy as np

from sweep import chapter_code

SKEWED, EQUAL = [0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05], [1 / 8] * 8
PRICES, SEEDS = (0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0), range(12)


def sweep():
    """Return the error and the load of the busiest expert (1 is a fair share) on 4,096 new points.

    "skewed": price -> [error, busiest] a seed. "equal": the same for equal clusters, at price 0 only.
    """
    routed = chapter_code("expert_balance")["routed"]
    skewed = {str(price): [routed(SKEWED, price, seed) for seed in SEEDS] for price in PRICES}
    return {"skewed": skewed, "equal": [routed(EQUAL, 0.0, seed) for seed in SEEDS]}


def agrees(recorded, fresh):
    """Assert that a moderate weight balances at no cost in twelve seeds, and that a weight of 1 costs."""
    for found in (recorded, fresh):
        means = {float(price): np.mean(rows, axis=0) for price, rows in found["skewed"].items()}
        assert means[0.1][1] < 1.5 < 1.7 < means[0.0][1]
        assert abs(means[0.1][0] - means[0.0][0]) < 0.005
        assert means[1.0][0] > means[0.0][0] + 0.01
        assert min(busiest for _, busiest in found["equal"]) > 1.2
