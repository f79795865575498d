"""Time a training step of GPT-2 124M on a graphics card in several ways, against nanoGPT's own benchmark."""

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from clearhead import training
from clearhead.nets.models import GPT

#: What nanoGPT's bench.py measures, and ours too.
SIZES = {"vocab_size": 50_304, "context_length": 1024, "d_model": 768, "num_heads": 12, "num_layers": 12}
BATCH, BURN_IN, STEPS = 12, 10, 20


def operations(model, sizes, tokens):
    """Return the operations of a training step: 6 per parameter and token, and 12 L D T for attention.

    So counts Chowdhery et al. (2022), "PaLM", appendix B, and nanoGPT after it.
    """
    weights = sum(p.numel() for p in model.parameters()) - model.positions.weight.numel()
    return tokens * (6 * weights + 12 * sizes["num_layers"] * sizes["d_model"] * sizes["context_length"])


def train_steps(learner, optimizer, loss=training.token_loss):
    """Return a function that makes steps with the training loop of the chapters."""

    def steps(batch, count):
        batches = itertools.repeat(batch)
        training.train(learner, batches, count, optimizer, loss=loss, precision=torch.bfloat16)

    return steps


def plain_steps(function, optimizer):
    """Return a function that makes steps without clipping and without reading anything from the card."""

    def steps(batch, count):
        for _ in range(count):
            optimizer.zero_grad()
            function(*batch).backward()
            optimizer.step()

    return steps


def captured_steps(function, optimizer, batch):
    """Return a function that makes steps by replaying a CUDA graph of a whole step."""
    steps, graph, side = plain_steps(function, optimizer), torch.cuda.CUDAGraph(), torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        steps(batch, 3)
    torch.cuda.current_stream().wait_stream(side)
    optimizer.zero_grad()
    with torch.cuda.graph(graph):
        function(*batch).backward()
        optimizer.step()
    return lambda _batch, count: [graph.replay() for _ in range(count)]


def seconds_a_step(steps, batch, count):
    """Return the seconds per step after a warm-up, and the seconds of the first steps."""
    begun = time.perf_counter()
    steps(batch, 1)
    wait(batch[0])
    first = time.perf_counter() - begun
    steps(batch, BURN_IN)
    wait(batch[0])
    begun = time.perf_counter()
    steps(batch, count)
    wait(batch[0])
    return (time.perf_counter() - begun) / count, first


def wait(tensor):
    """Wait until the card has finished all its work."""
    if tensor.is_cuda:
        torch.cuda.synchronize()


def variants(sizes, batch, steps, device, compiled=True, most=None):
    """Yield (name, facts) for each way to make a training step, with its seconds and those of the first ones.

    All ways train one model, so that what was compiled for one serves the next. With `most`, only as many.
    """
    torch.manual_seed(0)
    torch.set_float32_matmul_precision("high")
    model = GPT(**sizes).to(device)
    ids = torch.randint(sizes["vocab_size"], (batch, sizes["context_length"]), device=device)
    compiler = torch.compile if compiled else (lambda each: each)

    def whole_loss(inputs, targets):
        with torch.autocast(torch.device(device).type, torch.bfloat16, cache_enabled=False):
            logits = model(inputs)
        return training.token_loss(logits, targets)

    def optimizer():
        return training.adamw(model, 1e-4, 1e-2, (0.9, 0.95))

    learner, loss, whole = compiler(model), compiler(training.token_loss), compiler(whole_loss)

    def captured():
        step = optimizer()
        for group in step.param_groups:
            group["capturable"] = True
        return captured_steps(whole, step, (ids, ids))

    def with_cudnn():
        from torch.nn.attention import SDPBackend, sdpa_kernel

        torch._dynamo.reset()
        fresh = compiler(model)

        def steps(each, count):
            with sdpa_kernel([SDPBackend.CUDNN_ATTENTION]):
                train_steps(fresh, optimizer(), loss)(each, count)

        return steps

    ways = {
        "train, the model and the loss compiled": lambda: train_steps(learner, optimizer(), loss),
        "a loop that reads nothing from the card, model and loss compiled together": lambda: plain_steps(
            whole, optimizer()
        ),
        "train, only the model compiled": lambda: train_steps(learner, optimizer()),
        "train, nothing compiled": lambda: train_steps(model, optimizer()),
        "train, the model and the loss compiled, attention by cuDNN": with_cudnn,
        "a CUDA graph of the whole step": captured,
    }
    if torch.device(device).type != "cuda":
        most = 4
    work = operations(model, sizes, ids.numel())
    for name, way in itertools.islice(ways.items(), most):
        try:
            seconds, first = seconds_a_step(way(), (ids, ids), steps)
            yield name, {"seconds": seconds, "first": first, "operations": work}
        except Exception as error:  # the other ways are measured all the same
            yield name, {"error": f"{type(error).__name__}: {error}"[:500]}


def products_a_second(size=8192, times=20):
    """Return the operations per second of large bfloat16 products on the card."""
    one, two = torch.randn(2, size, size, device="cuda", dtype=torch.bfloat16)
    for turn in range(2):  # the first warms up
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(times if turn else 3):
            one @ two
        torch.cuda.synchronize()
    return times * 2 * size**3 / (time.perf_counter() - begun)


def nanogpt(folder):
    """Return the seconds per step of nanoGPT's bench.py, unchanged, with compilation and flash attention."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "nanoGPT"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
        command = [sys.executable, "bench.py", "--real_data=False"]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    found = re.search(r"time per iteration: ([\d.]+)ms", done.stdout)
    if not found:
        raise RuntimeError(f"nanoGPT's bench.py did not end well: {done.stderr[-2000:]}")
    return float(found[1]) / 1000
