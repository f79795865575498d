"""Chapter 16: two controls for muP, one with only its output, and one without its factor for the depth."""

import numpy as np
import torch

from sweep import chapter_code

RATES = [2.0**-k for k in range(12, 3, -1)]
SEEDS = 8


def undivided(weights, factor, x):
    """Return the network's output if its residual branches are not divided by anything."""
    h = torch.relu(x @ weights[0])
    for W in weights[1:-1]:
        h = h + torch.relu(h @ W)
    return factor * (h @ weights[-1])


def losses(page, width, depth):
    """Return the losses (rates, seeds) of a network that starts from the initial weights of muP."""
    return [
        [round(min(page["ends_at"](width, depth, "muP", rate, seed), 1e6), 5) for seed in range(SEEDS)]
        for rate in RATES
    ]


def output_only(initial):
    """Return a version of `initial` with the output layer of muP, where every matrix has the same rate."""

    def same_rates(width, depth, how, g):
        weights, rates, factor = initial(width, depth, how, g)
        return weights, [1.0] * len(rates), factor

    return same_rates


def sweep():
    """Return the losses with only the output of muP, and those of muP with undivided branches."""
    page, deep = chapter_code("mup_controls"), chapter_code("mup_controls")
    torch.set_num_threads(1)
    page["initial"], deep["predicted"] = output_only(page["initial"]), undivided
    wide = {f"{width}, 2": losses(page, width, 2) for width in (128, 256)}
    return {"output only": wide, "muP, undivided branches": {"128, 8": losses(deep, 128, 8)}}


def best(run, how, size):
    """Return the exponent of the rate with the lowest mean loss."""
    return int(np.log2(RATES[int(np.mean(run[how][size], axis=1).argmin())]))


def agrees(recorded, fresh):
    """Assert that the best rate, 2^-5 at width 32 and depth 2, falls in both controls."""
    for run in (recorded, fresh):
        assert best(run, "output only", "256, 2") <= -8
        assert best(run, "muP, undivided branches", "128, 8") <= -7
