"""The recipe of `recipe.py`, one change at a time: what is each worth?"""

import dataclasses
from statistics import fmean

from compare import Row
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
