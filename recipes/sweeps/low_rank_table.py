"""Fit a score matrix of rank w, without attention, to the Markov chain of chapter 16, as a control."""

import numpy as np

from sweep import chapter_code

RANKS, RATES, SEEDS = (2, 4, 8, 16, 32), (0.01, 0.03, 0.1), range(8)


def sweep():
    """Return the excess loss in nats per word after 1,500 steps: rate -> rank -> one number per seed."""
    excess = chapter_code("low_rank_table")["excess_of_rank"]
    return {
        str(rate): {str(rank): [round(excess(rank, seed, rate), 5) for seed in SEEDS] for rank in RANKS}
        for rate in RATES
    }


def agrees(recorded, fresh):
    """Assert that the excess loss falls faster and faster with the rank, as that of the transformers does."""
    for found in (recorded, fresh):
        best = np.min([[np.mean(ends) for ends in rows.values()] for rows in found.values()], axis=0)
        assert (np.diff(np.log(best[:-1] / best[1:])) > 0).all()
