"""Training: seconds to reach a loss, against nanoGPT's own documented CPU run and against `transformers`."""

import dataclasses
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from compare import Row, isolated
from recipe import MOONSHOT, SAME_SIZE, SMALL

#: The line of nanoGPT's README for a CPU, word for word.
DOCUMENTED = (
    "--device=cpu --compile=False --eval_iters=20 --log_interval=1 --block_size=64 --batch_size=12 "
    "--n_layer=4 --n_head=4 --n_embd=128 --max_iters=2000 --lr_decay_iters=2000 --dropout=0.0"
)
A100_LOSS = 1.47


def nanogpt(folder, text):
    """Return (seconds, best validation loss, parameters) of nanoGPT's documented CPU run, unchanged."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "nanoGPT"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
        data = copy / "data" / "shakespeare_char"
        shutil.copyfile(text, data / "input.txt")
        stubs = "import sys, types; sys.modules['requests'] = types.ModuleType('requests'); "
        prepare = stubs + "import runpy; runpy.run_path('prepare.py', run_name='__main__')"
        subprocess.run([sys.executable, "-c", prepare], cwd=data, check=True, stdout=subprocess.DEVNULL)
        command = [sys.executable, "-u", "train.py", "config/train_shakespeare_char.py", *DOCUMENTED.split()]
        begun = ended = None
        losses, size = [], 0.0
        with subprocess.Popen(command, cwd=copy, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if found := re.search(r"number of parameters: ([\d.]+)M", line):
                    size = 1e6 * float(found[1])
                if "using fused AdamW" in line:  # its optimizer is there, and all that comes with it
                    begun = time.perf_counter()
                if found := re.search(r"step \d+: train loss [\d.]+, val loss ([\d.]+)", line):
                    ended = time.perf_counter()
                    losses.append(float(found[1]))
        if process.returncode or not losses:
            raise RuntimeError("nanoGPT's run did not end well: see its output above")
        return ended - begun, min(losses), size


def ours(recipe, text):
    return isolated("recipe:run", str(text), dataclasses.asdict(recipe))


def against_nanogpt(options):
    seconds, loss, size = nanogpt(options.nanogpt, options.text)
    for recipe, name, goal in ((SAME_SIZE, "the same size", 1 / 12), (SMALL, "a smaller model", 1 / 35)):
        runs = [ours(dataclasses.replace(recipe, seed=seed), options.text) for seed in range(3)]
        worst = max(run["loss"] for run in runs)
        words = f"three seeds; loss {worst:.3f} or less against {loss:.3f}"
        words += f"; {runs[0]['parameters']:,} numbers against {size:,.0f}"
        reached = worst <= loss
        yield Row(
            "training",
            f"nanoGPT's CPU run, {name}",
            median(run["wall"] for run in runs),
            seconds,
            "s",
            "nanoGPT",
            goal,
            words + ("" if reached else ": THE LOSS WAS NOT REACHED"),
            fair=reached,
        )
    run = ours(MOONSHOT, options.text)
    words = f"{MOONSHOT.steps} steps in {run['wall']:.0f} s, nanoGPT's run {seconds:.0f} s"
    words += "" if run["wall"] <= seconds else ": LONGER THAN ALLOWED"
    yield Row(
        "training",
        "loss in the time of nanoGPT's CPU run",
        run["loss"],
        A100_LOSS,
        "nats",
        "an A100 in three minutes",
        1.0,
        words,
        fair=run["wall"] <= seconds,
    )


def against_transformers(full):
    text = python_docs()
    peer = isolated("recipe:run_transformers", str(text), 2000 if full else 400)
    run = ours(dataclasses.replace(SAME_SIZE, steps=250) if full else SAME_SIZE, text)
    words = f"loss {run['loss']:.3f} against {peer['loss']:.3f}"
    words += "" if run["loss"] <= peer["loss"] else ": THE LOSS WAS NOT REACHED"
    yield Row(
        "training",
        f"{Path(text).stem}, the same size",
        run["wall"],
        peer["wall"],
        "s",
        "transformers",
        note=words,
    )


def python_docs():
    """Return a file with the English that ships with Python."""
    from clearhead.text.corpora import python_docs as docs

    path = Path(tempfile.gettempdir()) / "python_docs.txt"
    path.write_text(docs(), encoding="utf-8")
    return path


def rows(full, options):
    """Yield the rows of this subject."""
    yield from against_transformers(full)
    if options.nanogpt and options.text:
        yield from against_nanogpt(options)
