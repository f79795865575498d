"""Measure the seconds of training to a loss, against nanoGPT's own CPU run and against `transformers`."""

import dataclasses
import statistics
import tempfile
from pathlib import Path

from choose import unfinished
from compare import Row, isolated
from nanogpt import nanogpt
from recipe import LONG, SAME_SIZE, SMALL, TABLE

SEEDS = range(3)


def ours(recipe, text, seeds=SEEDS):
    """Return the results of `recipe.run` for each seed."""
    return [isolated("recipe:run", str(text), dataclasses.asdict(recipe) | {"seed": seed}) for seed in seeds]


def in_time(recipe, text, seconds):
    """Return runs with as many steps as fit into a time on this machine, with a reserve of a twentieth.

    Two short runs tell how many. Where a seed takes longer all the same, all run again with fewer.
    """
    first, second = (ours(dataclasses.replace(recipe, steps=n), text, [0])[0]["wall"] for n in (20, 80))
    steps = (0.95 * seconds - first) / ((second - first) / 60) + 20
    while True:
        runs = ours(dataclasses.replace(recipe, steps=round(steps)), text)
        if (longest := max(run["wall"] for run in runs)) <= seconds:
            return runs
        steps *= 0.95 * seconds / longest


def middle(runs, what="wall"):
    """Return the median over runs."""
    return statistics.median(run[what] for run in runs)


def told(runs):
    """Return the steps, the windows per step, the losses and the size, in words."""
    losses = ", ".join(f"{run['loss']:.3f}" for run in runs)
    first = runs[0]
    steps = f"{first['steps']:,} steps of {first['batch']:,}"
    return f"{steps}; losses {losses}; {first['parameters']:,} parameters"


def against_nanogpt(options):
    """Yield the rows of the speedrun, and then those of n-gram counts beside a transformer."""
    if unfinished():
        raise RuntimeError(f"Run benchmarks/choose.py first: {', '.join(unfinished())}.")
    seconds, loss, size = nanogpt(options.nanogpt, options.text)
    theirs = f"against {loss:.3f} and {size:,} parameters"
    plain = dataclasses.replace(SAME_SIZE, bfloat16=False)
    for recipe, name, goal in (
        (plain, "the same size, float32 as there", None),
        (SAME_SIZE, "the same size, in the faster of float32 and bfloat16", 1 / 12),
        (SMALL, "any size", 1 / 35),
    ):
        runs = ours(recipe, options.text)
        reached = max(run["loss"] for run in runs) <= loss
        words = f"{told(runs)} {theirs}" + ("" if reached else ": THE LOSS WAS NOT REACHED")
        what = f"nanoGPT's CPU run, {name}"
        yield Row("training", what, middle(runs), seconds, "s", "nanoGPT", goal, words, fair=reached)
    runs = in_time(LONG, options.text, seconds)
    words = f"{told(runs)}; at most {max(run['wall'] for run in runs):.0f} s against {seconds:.0f} s"
    what = "only a transformer, in the time of nanoGPT's CPU run"
    loss = middle(runs, "loss")
    yield Row("training", what, loss, 1.5, "nats", "a fixed goal", 1.0, words)
    yield without_attention(dataclasses.replace(LONG, steps=runs[0]["steps"]), options.text, loss)
    alone = counts_alone(options.text, "", loss, "nanoGPT's CPU run")
    yield alone
    runs, what = ours(TABLE, options.text), "a table beside a transformer"
    words = f"{told(runs)}, including a row for each pair of characters; {middle(runs):.0f} s"
    both, learnt = middle(runs, "loss"), 4 * runs[0]["parameters"] / 1e6
    yield Row(what, "both together", both, alone.ours, "nats", "counts without a network", note=words)
    yield Row(what, "its tables", runs[0]["table"] / 1e6, learnt, "MB", "all its parameters, in float32")


def without_attention(recipe, text, loss):
    """Return the row of a control: the loss of a recipe without attention, with only the shift."""
    runs = ours(dataclasses.replace(recipe, attention=False), text)
    what = "control: no attention, the same number of steps"
    return Row("training", what, middle(runs, "loss"), loss, "nats", "with attention", note=told(runs))


def against_transformers(full):
    """Yield the rows for another text: the GPT-2 of `transformers`, and n-gram counts."""
    text, theirs = python_docs(), 2000 if full else 400
    peer = isolated("recipe:run_transformers", str(text), theirs)
    recipe = dataclasses.replace(SAME_SIZE, bfloat16=False, **{"steps": 250} if full else {})
    (run,) = ours(recipe, text, [0])
    words = f"one seed; loss {run['loss']:.3f} after {recipe.steps:,} steps "
    words += f"against {peer['loss']:.3f} after {theirs:,}"
    words += "" if run["loss"] <= peer["loss"] else ": THE LOSS WAS NOT REACHED"
    what = f"{Path(text).stem}, the same size, float32 both"
    yield Row("training", what, run["wall"], peer["wall"], "s", "transformers", note=words)
    if full:
        yield counts_alone(text, f"{Path(text).stem}, ", run["loss"], "our transformer of that row")


def counts_alone(text, name, loss, against):
    """Return the row of counts without a network, compared with the loss of a network."""
    alone = isolated("recipe:table_alone", str(text))
    words = f"{alone['wall']:.1f} s; the table holds {alone['table'] / 1e6:,.0f} MB"
    subject = "counts without a network"
    return Row(subject, f"{name}{subject}", alone["loss"], loss, "nats", against, note=words)


def python_docs():
    """Return a file with the English text of Python's own documentation."""
    from clearhead.text.corpora import python_docs as docs

    path = Path(tempfile.gettempdir()) / "python_docs.txt"
    path.write_text(docs(), encoding="utf-8")
    return path


def rows(full, options):
    """Yield the rows of this subject."""
    yield from against_transformers(full)
    if options.nanogpt and options.text:
        yield from against_nanogpt(options)
