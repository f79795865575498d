"""Chapter 16: the best learning rate at several widths and depths, with the standard setting and with muP."""

import numpy as np

from sweep import chapter_code

SIZES = (32, 2), (128, 2), (256, 2), (128, 8)  # width and depth
HOW = ("standard", "rate only", "muP")
RATES = [2.0**-k for k in range(12, 3, -1)]
SEEDS = 8


def sweep():
    """Return the losses (rates, seeds) of each setting at each size."""
    page = chapter_code("mup")
    page["torch"].set_num_threads(1)
    return {
        how: {
            f"{width}, {depth}": [
                [round(min(page["ends_at"](width, depth, how, rate, seed), 1e6), 5) for seed in range(SEEDS)]
                for rate in RATES
            ]
            for width, depth in SIZES
        }
        for how in HOW
    }


def best(run, how, size):
    """Return the exponent of the rate with the lowest mean loss."""
    return int(np.log2(RATES[int(np.mean(run[how][size], axis=1).argmin())]))


def agrees(recorded, fresh):
    """Assert that the best rate moves with the width in the standard setting, and much less with muP."""
    for run in (recorded, fresh):
        assert best(run, "standard", "32, 2") - best(run, "standard", "256, 2") >= 2
        assert abs(best(run, "muP", "32, 2") - best(run, "muP", "256, 2")) <= 1
        assert best(run, "muP", "32, 2") == best(run, "standard", "32, 2")
