"""A training step of GPT-2 124M on a graphics card, against nanoGPT's own benchmark. No card, no row."""

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from compare import Row, isolated

from clearhead import training
from clearhead.nets.models import GPT

#: What nanoGPT's bench.py measures, and ours too.
SIZES = {"vocab_size": 50_304, "context_length": 1024, "d_model": 768, "num_heads": 12, "num_layers": 12}
BATCH, BURN_IN, STEPS = 12, 10, 20


def operations(model, sizes, tokens):
    """Return the operations of a training step: 6 for each weight and token, and 12 L D T for attention.

    So counts Chowdhery et al. (2022), "PaLM", appendix B, and nanoGPT after it.
    """
    weights = sum(p.numel() for p in model.parameters()) - model.positions.weight.numel()
    return tokens * (6 * weights + 12 * sizes["num_layers"] * sizes["d_model"] * sizes["context_length"])


def run(sizes, batch, steps, device):
    """Return the seconds and the operations of a training step, once the first ones have warmed all up."""
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    model = GPT(**sizes).to(device)
    ids = torch.randint(sizes["vocab_size"], (batch, sizes["context_length"]), device=device)
    learner, optimizer = torch.compile(model), training.adamw(model, 1e-4, 1e-2, (0.9, 0.95))
    how = {"optimizer": optimizer, "precision": torch.bfloat16}
    history = training.train(learner, itertools.repeat((ids, ids)), BURN_IN, **how)  # ends with a float
    begun = time.perf_counter()
    training.train(learner, itertools.repeat((ids, ids)), BURN_IN + steps, history=history, **how)
    seconds = (time.perf_counter() - begun) / steps
    return {"seconds": seconds, "operations": operations(model, sizes, ids.numel())}


def products_a_second(size=8192, times=20):
    """Return the operations a second of large products of bfloat16 on the card."""
    one, two = torch.randn(2, size, size, device="cuda", dtype=torch.bfloat16)
    for turn in range(2):  # the first warms up
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(times if turn else 3):
            one @ two
        torch.cuda.synchronize()
    return times * 2 * size**3 / (time.perf_counter() - begun)


def nanogpt(folder):
    """Return the seconds of a step by nanoGPT's bench.py, unchanged, with compile and flash attention."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "nanoGPT"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
        command = [sys.executable, "bench.py", "--real_data=False"]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    found = re.search(r"time per iteration: ([\d.]+)ms", done.stdout)
    if not found:
        raise RuntimeError(f"nanoGPT's bench.py did not end well: {done.stderr[-2000:]}")
    return float(found[1]) / 1000


def rows(_full, options):
    """Yield the rows of this subject, where there is a card."""
    if not torch.cuda.is_available():
        return
    ours = isolated("gpu:run", SIZES, BATCH, STEPS, "cuda")
    tokens, step = BATCH * SIZES["context_length"], ours["seconds"]
    best = ours["operations"] / products_a_second()
    what = f"GPT-2 124M, a step of {tokens:,} tokens, bfloat16, on {torch.cuda.get_device_name()}"
    note = f"{tokens / step:,.0f} tokens per second, {best / step:.0%} of the products that the card makes"
    if options.nanogpt:
        peer = nanogpt(options.nanogpt)
        told = "nanoGPT, compiled, flash attention"
        yield Row("training", what, 1000 * step, 1000 * peer, "ms", told, 1.0, note, 1000 * best)
    yield Row("training", what, 1000 * step, 1000 * best, "ms", "its products alone", note=note)
