"""Choose learning rates, schedules and numbers of steps on parts of the training text only.

Rates and schedules are chosen on its last tenth; steps are enough where three seeds reach nanoGPT's loss on
its last tenth and on its first.

python benchmarks/choose.py --text FILE --nanogpt DIR      all of it; what was tried before is not tried again
    --only "AdamW, GPT-2"                                  one search

What was tried, and the loss of each, goes to `results/choices.json`, and `recipe.py` reads the winners from
there. Losses are the same on a busy machine, so this may run at any time.
"""

import argparse
import dataclasses
import itertools
import json
import tempfile
from pathlib import Path
from statistics import fmean

from compare import isolated
from nanogpt import nanogpt
from recipe import CHOICES, GPT2, MARGIN, PARTS, STARTS, TARGET, chosen, to_choose_on

#: What is tried, beside what stays. Each optimizer of the ablation gets 18 tries at least.
ADAMW = {"cool": (0.15, 0.3, 0.6), "warmup": (2, 10), "beta1": (0.8, 0.9)}
FACTORS = {"words_factor": (0.5, 1.0)}
MUON = {"rate": (0.03, 0.04, 0.05), "others_rate": (2e-2, 3.5e-2), "momentum": (0.75, 0.85)} | FACTORS
TRIES = {
    "AdamW, GPT-2": (GPT2, {"rate": (1e-3, 2e-3, 4e-3, 8e-3)} | ADAMW),
    "AdamW, the modern model": (
        {"muon": False},
        {"rate": (2e-3, 4e-3, 8e-3, 1.6e-2, 3.2e-2)} | ADAMW | {"spread": (0.35, 1.0)},
    ),
    "warm-up and β₁, with Muon": ({}, {"warmup": (2, 10), "beta1": (0.8, 0.9), "momentum": (0.75, 0.85)}),
    "Muon, four heads": ({}, MUON),
    "the same size": ({}, MUON),
    "any size": ({}, MUON | {"rate": (0.04, 0.05, 0.06, 0.07)}),
    "in nanoGPT's time": ({}, {"rate": (0.02, 0.03, 0.04), "momentum": (0.85, 0.9), "decay": (0.05, 0.1)}),
    "a table beside a transformer": ({}, {"steps": (270, 540)}),
}
#: So many of the best are tried with two more seeds, and their means decide; short searches run once.
FINALISTS, LEAST_TRIES = 4, 8
STEPS = {"the same size": range(44, 193, 2), "any size": range(80, 241, 2)}


def left(name, found):
    """Return the points of a search that have not been tried yet."""
    grid = TRIES[name][1]
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [each for each in points if not any(each.items() <= row.items() for row in found.get(name, []))]


def unfinished():
    """Return the names of the searches with points that have not been tried yet."""
    found = read()
    return [name for name in TRIES if not done(name, found)]


def done(name, found):
    """Return whether every point of a search has been tried."""
    tried = not left(name, found) and not untried(found[name])
    return tried and (name not in STEPS or ended(name, found))


def untried(rows):
    """Return the best points of a search that lack two of their three seeds, up to a number."""
    once = sorted((row for row in rows if "seeds" not in row), key=lambda row: row["loss"])
    left = FINALISTS - (len(rows) - len(once)) if len(rows) >= LEAST_TRIES else 0
    return once[: max(left, 0)]


def ended(name, found):
    """Return whether a search has found its number of steps, or has tried all of them."""
    rows = found.get(f"{name}: steps", [])
    return len(rows) == len(STEPS[name]) or any(row["above"] <= -MARGIN for row in rows)


def read():
    """Return everything that was tried so far."""
    return json.loads(CHOICES.read_text()) if CHOICES.exists() else {}


def write(found):
    """Write everything that was tried so far."""
    CHOICES.write_text(json.dumps(found, indent=1) + "\n")


def loss(text, recipe, part=1):
    """Return the loss of a recipe on one part of the training text."""
    alone = dataclasses.replace(recipe, threads=1)  # for a busy machine
    return isolated("recipe:run", str(text), dataclasses.asdict(alone), part)["loss"]


def tried(text, name, found):
    """Try each new point of a search with one seed, and the best points with three."""
    fixed, grid = TRIES[name]
    rows = found.setdefault(name, [])
    for point in left(name, found):
        recipe = dataclasses.replace(STARTS[name], **fixed | point)
        rows.append(point | {"loss": loss(text, recipe)})
        print(name, rows[-1], flush=True)
        write(found)
    for row in untried(rows):
        point = {key: row[key] for key in grid}
        recipe = dataclasses.replace(STARTS[name], **fixed | point)
        others = [loss(text, dataclasses.replace(recipe, seed=seed)) for seed in (1, 2)]
        row |= {"loss": fmean([row["loss"], *others]), "seeds": 3}
        print(name, row, flush=True)
        write(found)
    best, every = chosen(name), {key: [row[key] for row in rows] for key in grid}
    if edge := [k for k in grid if len(grid[k]) > 2 and best[k] in (min(every[k]), max(every[k]))]:
        print(f"{name}: the best {' and '.join(edge)} lies at the edge of what was tried", flush=True)


def target(folder, text, found):
    """Find the losses that nanoGPT's documented run reaches on the parts of the training text."""
    if TARGET not in found:
        whole, found[TARGET] = text.read_text(encoding="utf-8"), []
        for part in PARTS:
            with tempfile.TemporaryDirectory() as place:
                alone = Path(place, "part.txt")
                alone.write_text(to_choose_on(whole, part), encoding="utf-8")
                found[TARGET].append({"part": part, "loss": nanogpt(folder, alone)[1]})
        print(TARGET, found[TARGET], flush=True)
        write(found)


def fewest_steps(text, name, found):
    """Increase the number of steps until three seeds beat nanoGPT's loss on both parts by a margin."""
    rows = found.setdefault(f"{name}: steps", [])
    for steps in STEPS[name]:
        if ended(name, found):
            return
        if any(row["steps"] == steps for row in rows):
            continue
        above = []
        for seed, goal in itertools.product(range(3), found[TARGET]):
            recipe = dataclasses.replace(STARTS[name], **chosen(name) | {"steps": steps, "seed": seed})
            above.append(loss(text, recipe, goal["part"]) - goal["loss"])
            if above[-1] > -MARGIN:  # one is enough to say no
                break
        rows.append({"steps": steps, "above": max(above)})
        print(name, rows[-1], flush=True)
        write(found)


def main():
    """Try everything that has not been tried, print it, and store it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--nanogpt", type=Path, help="for the number of steps")
    parser.add_argument("--only", choices=TRIES)
    options = parser.parse_args()
    found = read()
    for name in [options.only] if options.only else TRIES:
        tried(options.text, name, found)
        if name in STEPS and options.nanogpt:
            target(options.nanogpt, options.text, found)
            fewest_steps(options.text, name, found)


if __name__ == "__main__":
    main()
