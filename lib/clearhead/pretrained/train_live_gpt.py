"""Train the GPT of the live figure; run once, its result is committed.

    OMP_NUM_THREADS=1 python -m clearhead.pretrained.train_live_gpt CHECKPOINT

It writes live_gpt.npz beside this file. Run it again with the same CHECKPOINT to go on after a stop: the
result is the same, bit for bit, as without one. README.md says what it took and what it reached.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np
import torch

from clearhead import training
from clearhead.nets.models import GPT
from clearhead.text import batches
from clearhead.text.rules import STOP
from clearhead.text.tokenizers import BytePairTokenizer

from . import live_gpt_text
from .live import SIZES, WEIGHTS, write

STEPS, BATCH, WARMUP, SEED, EVERY = 1800, 16, 100, 6, 100
RATES = dict(learning_rate=0.02, weight_decay=0.1, others_rate=3e-3)
TIMES = {"book": 2, "python_docs": 1, "docstrings": 1, "grammar": 1}  # how often each source is laid out
HELD_OUT = 12  # every 12th passage is for validation


def passages():
    """Return the passages to learn from, and those held out, by source."""
    sources = {name: getattr(live_gpt_text, name)() for name in TIMES}
    held_out = {name: texts[::HELD_OUT] for name, texts in sources.items()}
    learnt = {name: [text for i, text in enumerate(texts) if i % HELD_OUT] for name, texts in sources.items()}
    return [text for name, texts in learnt.items() for text in TIMES[name] * texts], held_out


def in_one_row(tokenizer, texts):
    """Return the ids of some passages, one after the other, each with "<stop>" before and after it."""
    return tokenizer.encode(STOP + STOP.join(texts) + STOP)


def main(checkpoint):
    """Train from the start or from the checkpoint, then write the weights and say what they reach."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    learnt, held_out = passages()
    learnt = [learnt[i] for i in rng.permutation(len(learnt))]
    tokenizer = BytePairTokenizer.train("".join(learnt), SIZES["vocab_size"], special=(STOP,))
    ids = in_one_row(tokenizer, learnt)
    validation = {name: in_one_row(tokenizer, texts) for name, texts in held_out.items()}
    print(f"{len(ids):,} tokens to learn from,", {name: len(row) for name, row in validation.items()})
    model = GPT(**SIZES, generator=torch.Generator().manual_seed(SEED))
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")
    optimizer, history = training.muon(model, **RATES), training.History()
    if Path(checkpoint).exists():
        history = training.resume(checkpoint, model, optimizer, rng)
    while history.step < STEPS:
        history = training.train(
            model, batches.windows(ids, SIZES["context_length"], BATCH, rng), history.step + EVERY, optimizer,
            training.warmup_cosine(WARMUP, STEPS, lowest=0.02), history=history, precision=torch.bfloat16,
        )  # fmt: skip
        training.save(checkpoint, model, optimizer, history, rng)
        print(history.step, f"{np.mean(history.losses[-EVERY:]):.3f}", losses(model, validation), flush=True)
    write(model, tokenizer, validation)
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size:,} bytes, SHA-256 {digest}")


def losses(model, validation):
    """Return the loss on each held-out row, in nats a token."""
    windows = {
        name: batches.every_window(row, SIZES["context_length"], 16) for name, row in validation.items()
    }
    return {name: round(training.evaluate(model, each), 3) for name, each in windows.items()}


if __name__ == "__main__":
    main(sys.argv[1])
