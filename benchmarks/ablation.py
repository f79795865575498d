"""The recipe of `recipe.py`, one change at a time: what is each worth?"""

import dataclasses
import time
from statistics import fmean

import numpy as np
from compare import Row
from race.ngrams import NGrams
from recipe import ABLATION, SAME_SIZE
from training import ours, python_docs


def rows(full, options, seeds=(0, 1, 2)):
    """Yield a row for each change: the loss after the same steps, against the line before it."""
    if not full:
        return
    text, before = options.text or python_docs(), None
    for name, changes in ABLATION.items():
        runs = [ours(dataclasses.replace(SAME_SIZE, seed=seed, **changes), text) for seed in seeds]
        loss, wall = fmean(run["loss"] for run in runs), fmean(run["wall"] for run in runs)
        note = f"{wall:.1f} s; losses " + ", ".join(f"{run['loss']:.3f}" for run in runs)
        yield Row("one change at a time", name, loss, before or loss, "nats", "the line above", note=note)
        before = loss
    loss, seconds = table_alone(text)
    note = f"{seconds:.1f} s, no network and no learning"
    yield Row("one change at a time", "the table alone", loss, before, "nats", "the line above", note=note)


def table_alone(text, orders=(3, 5, 8), width=128):
    """Return the held-out loss of the counts alone, a mean of three lengths, and its seconds."""
    start, letters = time.perf_counter(), sorted(set(text))
    ids = np.array([letters.index(letter) for letter in text])
    learn, test = np.split(ids, [int(0.9 * len(ids))])
    counts = NGrams(learn, len(letters))
    end = (len(test) - 1) // width * width
    rows, answers = test[:end].reshape(-1, width), test[1 : end + 1].reshape(-1, width)
    surprise = []
    for at in range(0, len(rows), 32):
        shares = counts.probabilities(rows[at : at + 32], orders)[0].mean(axis=-2)
        right = np.take_along_axis(shares, answers[at : at + 32, :, None], axis=-1)
        surprise.append(-np.log(right).ravel())
    return float(np.concatenate(surprise).mean()), time.perf_counter() - start
