"""The results of the comparisons of chapter 16, which `recipes/train_since_gpt2.py` has written."""

import json
from pathlib import Path

import numpy as np

CHAIN_ENTROPY = 2.987878  # of the chain of `recipes/growing_models.py`, in nats per word
RECORD = Path(__file__).with_name("since_gpt2.json")


def record():
    """Return all recorded runs as a dict from each comparison to a dict from settings to results.

    Returns
    -------
    found : dict of dict of list
        "changes" and "optimizers": "name | rate" -> three curves of excess loss, at step 0, 50, ..., 300.
        "widths": width -> three rows: the number of parameters, then the curve up to step 600. "chain widths"
        is the same for a chain of words. "data": number of sentences -> three pairs of losses: that of the
        network at its best step, and that of counts only. "stretched": three rows of nine fractions of
        correct copies, for 32, 64 and 128 tokens with three variants of rotary positions.
    """
    return json.loads(RECORD.read_text("utf-8"))


def chain_runs():
    """Return the number of parameters (n) and the final losses (3, n) of the models of the word chain."""
    rows = np.array(list(record()["chain widths"].values()))  # (n, seeds, 1 + moments)
    return rows[:, 0, 0], CHAIN_ENTROPY + rows[:, :, -1].T


def width_runs():
    """Return the widths (n,), parameters (n,) and curves (n, seeds, moments) of the models of the grammar."""
    runs = record()["widths"]
    rows = np.array(list(runs.values()))  # (n, seeds, 1 + moments)
    return np.array([int(width) for width in runs]), rows[:, 0, 0], rows[:, :, 1:]
