"""Change the recipe of `recipe.py` one step at a time, and measure what each change is worth."""

import dataclasses
from statistics import fmean

from choose import unfinished
from compare import Row
from recipe import ABLATION, SAME_SIZE
from training import middle, ours, python_docs, told


def rows(full, options):
    """Yield one row per change: its loss after the same number of steps, compared with the row before."""
    if not full:
        return
    if unfinished():
        raise RuntimeError(f"Run benchmarks/choose.py first: {', '.join(unfinished())}.")
    text, before = options.text or python_docs(), None
    for name, changes in ABLATION.items():
        runs = ours(dataclasses.replace(SAME_SIZE, **changes), text)
        loss, note = fmean(run["loss"] for run in runs), f"{middle(runs):.1f} s; {told(runs)}"
        yield Row("one change at a time", name, loss, before or loss, "nats", "the line above", note=note)
        before = loss
