"""Run nanoGPT's documented CPU training, and measure its time and its loss."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from recipe import SAME_SIZE

#: The line of nanoGPT's README for a CPU, word for word.
DOCUMENTED = (
    "--device=cpu --compile=False --eval_iters=20 --log_interval=1 --block_size=64 --batch_size=12 "
    "--n_layer=4 --n_head=4 --n_embd=128 --max_iters=2000 --lr_decay_iters=2000 --dropout=0.0"
)
#: Run in the folder of nanoGPT after its training: the loss of its best checkpoint on all held-out text.
WHOLE_LOSS = """
import json, numpy, torch
from model import GPT, GPTConfig
kept = torch.load("out-shakespeare-char/ckpt.pt", map_location="cpu", weights_only=False)
model = GPT(GPTConfig(**kept["model_args"]))
model.load_state_dict({name.removeprefix("_orig_mod."): each for name, each in kept["model"].items()})
model.eval()
ids = numpy.fromfile("data/shakespeare_char/val.bin", dtype=numpy.uint16)
ids = torch.from_numpy(ids.astype(numpy.int64))
T = kept["model_args"]["block_size"]
count = (len(ids) - 1) // T
rows, answers = ids[: count * T].view(count, T), ids[1 : count * T + 1].view(count, T)
with torch.no_grad():
    losses = [model(x, y)[1].item() * len(x) for x, y in zip(rows.split(64), answers.split(64))]
print(json.dumps([sum(losses) / count, sum(p.numel() for p in model.parameters())]))
"""


def nanogpt(folder, text):
    """Return (seconds, validation loss, parameters) of nanoGPT's documented CPU run, unchanged.

    The seconds are those of its steps, from its own log. A step with an evaluation and a checkpoint counts
    as the median step: these are out of the clock, as they are out of ours. The loss is that of its best
    checkpoint on the whole held-out text, as ours.
    """
    threads = os.environ | {"OMP_NUM_THREADS": str(SAME_SIZE.threads)}  # as many as ours
    with tempfile.TemporaryDirectory() as place:
        copy = prepared(folder, text, Path(place))
        command = [sys.executable, "train.py", "config/train_shakespeare_char.py", *DOCUMENTED.split()]
        ways = {"cwd": copy, "check": True, "capture_output": True, "text": True, "env": threads}
        log = subprocess.run(command, **ways).stdout
        told = subprocess.run([sys.executable, "-c", WHOLE_LOSS], **ways).stdout
        loss, size = json.loads(told.splitlines()[-1])  # nanoGPT counts its numbers aloud first
    evaluated = {int(step) for step in re.findall(r"^step (\d+):", log, re.M)}
    steps = {
        int(step): float(ms) / 1000 for step, ms in re.findall(r"^iter (\d+):.* time ([\d.]+)ms", log, re.M)
    }
    plain = [seconds for step, seconds in steps.items() if step not in evaluated]
    return sum(plain) + statistics.median(plain) * len(evaluated & set(steps)), loss, size


def prepared(folder, text, place):
    """Return a copy of nanoGPT in a folder, with the text prepared by its own script, without a network."""
    copy = place / "nanoGPT"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
    data = copy / "data" / "shakespeare_char"
    shutil.copyfile(text, data / "input.txt")
    stubs = "import sys, types; sys.modules['requests'] = types.ModuleType('requests'); "
    prepare = stubs + "import runpy; runpy.run_path('prepare.py', run_name='__main__')"
    subprocess.run([sys.executable, "-c", prepare], cwd=data, check=True, stdout=subprocess.DEVNULL)
    return copy
