"""Train the model of chapter 15's figure, and store twenty checkpoints; run once, its result is committed.

    OMP_NUM_THREADS=1 python recipes/train_induction.py

It takes about 15 seconds and writes induction.npz in lib/clearhead/pretrained, whose README says what the
net reached.
"""

import hashlib

import numpy as np
import torch

from clearhead import training
from clearhead.maths.circuits import attention_only
from clearhead.maths.losses import IGNORE, cross_entropy
from clearhead.nets.circuits import AttentionOnly
from clearhead.pretrained.convert import to_arrays
from clearhead.pretrained.induction import CHECKPOINTS, SIZES, packed, unpacked
from clearhead.text import tasks

SEED, TEST_SEED, BATCH, WARMUP = 1, 99, 32, 50
PERIODS = (4, 10)
MOMENTS = (
    0, 25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 600, 800, 1000, 1250, 1500, 2000, 2500
)  # fmt: skip


def strings(batch, rng):
    """Return inputs, targets, and the positions at which the next letter can be known."""
    return tasks.induction(batch, SIZES["context_length"], SIZES["vocab_size"], *PERIODS, rng)


def batches(rng):
    """Yield inputs and targets without end, without a target where the next letter cannot be known."""
    while True:
        inputs, targets, known = strings(BATCH, rng)
        yield inputs, np.where(known, targets, IGNORE)


def measure(parameters):
    """Return the accuracy and the loss on 400 strings that were not used in training."""
    inputs, targets, known = strings(400, np.random.default_rng(TEST_SEED))
    logits = attention_only(inputs, parameters, SIZES["num_heads"])
    right = (logits.argmax(axis=-1) == targets)[known].mean()
    return float(right), float(cross_entropy(logits[known], targets[known]))


def main():
    """Train, quantize each checkpoint to one byte per number, measure the effect, and write the file."""
    torch.set_num_threads(1)
    model = AttentionOnly(**SIZES, generator=torch.Generator().manual_seed(SEED))
    optimizer = training.adamw(model, learning_rate=1e-2, weight_decay=0.0)
    schedule = training.warmup_cosine(WARMUP, MOMENTS[-1], min_lr_ratio=0.05)
    draws, history, kept = batches(np.random.default_rng(SEED)), training.History(), []
    for step in MOMENTS:
        history = training.train(model, draws, step, optimizer, schedule, history=history)
        codes, scales = packed(to_arrays(model))
        accuracy, loss = measure(unpacked(codes, scales))
        kept.append((codes, scales, np.float32(accuracy), np.float32(loss)))
        print(f"{step:5} accuracy {accuracy:.3f} loss {loss:.3f}")
    names = ("codes", "scales", "accuracy", "loss")
    arrays = {name: np.stack(part) for name, part in zip(names, zip(*kept, strict=True), strict=True)}
    np.savez_compressed(CHECKPOINTS, steps=np.array(MOMENTS, dtype=np.int32), **arrays)
    digest = hashlib.sha256(CHECKPOINTS.read_bytes()).hexdigest()
    print(f"{CHECKPOINTS.name}: {CHECKPOINTS.stat().st_size:,} bytes, SHA-256 {digest}")


if __name__ == "__main__":
    main()
