"""Train the vision transformer of `digits_vit.py`, and write a file with twenty checkpoints.

    OMP_NUM_THREADS=1 python recipes/train_digits_vit.py [FILE]

It takes about a minute on one core, and needs PyTorch and scikit-learn. Another processor rounds
differently, so it gives another file with about the same accuracy. The README of lib/clearhead/pretrained
names the file that comes with the library, and its checksum.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

from clearhead.maths.losses import cross_entropy
from clearhead.maths.models import vision_transformer
from clearhead.nets.models import VisionTransformer
from clearhead.pretrained.convert import to_arrays
from clearhead.pretrained.digits_vit import (
    CLASSES,
    D_MODEL,
    FILE,
    IMAGE_SIZE,
    NUM_HEADS,
    NUM_LAYERS,
    PATCH_SIZE,
    dequantised,
    quantised,
)
from clearhead.training import adamw, train, warmup_cosine

SEED, SIZE, RATE, DECAY = 0, 64, 5e-3, 0.01
CHECKPOINTS = (
    *(0, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200),
    *(1500, 1800, 2100, 2500, 3000, 4000, 5000, 6000),
)


def digits(training=1400):
    """Return training images and labels, and test images and labels, of scikit-learn's 1,797 digits."""
    found = load_digits()
    order = np.random.default_rng(0).permutation(len(found.target))
    images, labels = found.images[order], found.target[order]
    return (images[:training], labels[:training]), (images[training:], labels[training:])


def batches(images, labels, rng):
    """Yield batches without end, in which all images are shifted by up to one pixel in the same way."""
    framed = np.pad(images / 16, ((0, 0), (1, 1), (1, 1)))[..., None]
    while True:
        chosen, (down, right) = rng.integers(len(labels), size=SIZE), rng.integers(3, size=2)
        yield framed[chosen, down : down + 8, right : right + 8], labels[chosen]


def fresh():
    """Return the untrained model, with normal weights of standard deviation 0.1 and a width of 12."""
    generator = torch.Generator().manual_seed(SEED)
    sizes = (D_MODEL, NUM_HEADS, NUM_LAYERS)
    model = VisionTransformer(IMAGE_SIZE, PATCH_SIZE, 1, CLASSES, *sizes, eps=1e-5)
    for weight in model.parameters():
        if weight.ndim == 2:
            nn.init.normal_(weight, std=0.1, generator=generator)
    return model


def logits_of(codes, scales, images):
    """Return the logits of images, computed with the quantized weights."""
    weights = dequantised(codes, scales)
    return vision_transformer(images[..., None] / 16, weights, NUM_HEADS, PATCH_SIZE)


def checkpoints():
    """Return codes, scales, losses and accuracies of all checkpoints, and the logits of the test images."""
    learn, test = digits()
    model, history, kept = fresh(), None, []
    stream = batches(*learn, np.random.default_rng(SEED))
    optimizer, schedule = adamw(model, RATE, DECAY), warmup_cosine(100, CHECKPOINTS[-1], min_lr_ratio=0)
    for steps in CHECKPOINTS:
        history = train(model, stream, steps, optimizer, schedule, history=history)
        codes, scales = quantised(to_arrays(model))
        loss = cross_entropy(logits_of(codes, scales, learn[0]), learn[1])
        logits = logits_of(codes, scales, test[0])
        kept.append((codes, scales, loss, (logits.argmax(-1) == test[1]).mean()))
        print(f"step {steps:5}  loss {loss:.3f}  test accuracy {kept[-1][-1]:.3f}", flush=True)
    return [np.array(column) for column in zip(*kept, strict=True)], logits


def main():
    """Train the model, and write the file."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    (codes, scales, losses, accuracies), logits = checkpoints()
    images, labels = digits()[1]
    wrong = np.flatnonzero(logits.argmax(-1) != labels)[:2]
    shown = [*(np.flatnonzero(labels == digit)[0] for digit in range(10)), *wrong]
    examples = {"examples": images[shown].astype(np.uint8), "labels": labels[shown].astype(np.uint8)}
    measured = {"losses": losses.astype(np.float32), "accuracies": accuracies.astype(np.float32)}
    np.savez_compressed(file, codes=codes, scales=scales, steps=CHECKPOINTS, **measured, **examples)
    print(file.stat().st_size, "bytes, SHA-256", hashlib.sha256(file.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
