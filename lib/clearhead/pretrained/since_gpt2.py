"""The results of the comparisons of chapter 16, as written by `recipes/train_since_gpt2.py`."""

import json
from pathlib import Path

import numpy as np

CHAIN_ENTROPY = 2.987878  # of the chain of `recipes/growing_models.py`, in nats a word
RECORD = Path(__file__).with_name("since_gpt2.json")


def record():
    """Return all recorded runs.

    Returns
    -------
    found : dict of dict of list
        "changes" and "optimizers": "name | rate" -> three curves of excess loss, at step 0, 50, ..., 300.
        "widths": width -> three rows: numbers learned, then the curve up to step 600. "data": sentences ->
        three pairs: the network at its best moment, counts alone. "chain widths" is the same
        for a chain of words. "stretched": three rows of nine shares of
        right copies, for 32, 64 and 128 tokens with three ways to turn.
    """
    return json.loads(RECORD.read_text("utf-8"))


def chain_runs():
    """Return the number of parameters of each model of the chain (n), and its final losses (3, n)."""
    rows = np.array(list(record()["chain widths"].values()))  # (n, seeds, 1 + moments)
    return rows[:, 0, 0], CHAIN_ENTROPY + rows[:, :, -1].T


def width_runs():
    """Return the models of the grammar: widths (n,), parameters (n,), curves (n, seeds, moments)."""
    runs = record()["widths"]
    rows = np.array(list(runs.values()))  # (n, seeds, 1 + moments)
    return np.array([int(width) for width in runs]), rows[:, 0, 0], rows[:, :, 1:]
