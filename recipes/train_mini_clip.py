"""Train a small CLIP on digits and their names, and store its embeddings; the result is committed.

    OMP_NUM_THREADS=1 python recipes/train_mini_clip.py

It takes about six seconds and writes mini_clip.npz in lib/clearhead/pretrained. Chapter 14 does the same,
step by step.
"""

import hashlib

import numpy as np
import torch
from sklearn.datasets import load_digits

from clearhead import training
from clearhead.maths.vectors import unit_vectors
from clearhead.maths.vision import retrieve
from clearhead.nets.losses import info_nce
from clearhead.nets.models import TextEncoder, VisionTransformer
from clearhead.nets.vision import TwoTowers
from clearhead.pretrained.mini_clip import EXTRACT, LETTERS, NAMES, SIZES, spell

SEED, STEPS, BATCH, WARMUP, RATE, TRAINING = 0, 500, 64, 50, 6e-3, 1400
WIDER = 8  # matrices start with a spread of 0.16, near 1/√32: 0.02 is too little for so narrow a model


def two_towers(seed):
    """Return an untrained model: a vision transformer for the images, and a text encoder for the names."""
    generator = torch.Generator().manual_seed(seed)
    image = VisionTransformer(8, 2, 1, SIZES["d_model"], **SIZES, generator=generator)
    text = TextEncoder(len(LETTERS), 6, **SIZES, generator=generator)
    towers = TwoTowers(image, text)
    with torch.no_grad():
        for weight in towers.parameters():
            weight.mul_(WIDER if weight.ndim == 2 else 1)
    return towers


def trained(images, labels, seed=SEED):
    """Return a model trained on images (B, 8, 8, 1) and the names of their labels (B)."""
    model, names, rng = two_towers(seed), torch.from_numpy(spell(NAMES)), np.random.default_rng(seed)

    def batches():
        while True:
            chosen = rng.integers(len(labels), size=BATCH)
            yield images[chosen], labels[chosen]

    def loss(x, digits):
        return info_nce(x, model.read(names[digits]), model.temperature)

    optimizer = training.adamw(model, learning_rate=RATE, weight_decay=0.01)
    schedule = training.warmup_cosine(WARMUP, STEPS)
    return model, training.train(model, batches(), STEPS, optimizer, schedule, loss)


def main():
    """Train, store the embeddings of the images that were not used in training, and print their quality."""
    torch.set_num_threads(1)
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(SEED).permutation(len(labels))
    images, labels = images[order].reshape(-1, 8, 8, 1), labels[order]
    model, history = trained((images / 16).astype(np.float32)[:TRAINING], labels[:TRAINING])
    with torch.no_grad():
        x = model(torch.from_numpy(images[TRAINING:] / 16).float())
        y = model.read(torch.from_numpy(spell(NAMES)))
    x, y = (unit_vectors(part.numpy().astype(np.float64)).astype(np.float16) for part in (x, y))
    np.savez_compressed(
        EXTRACT,
        images=images[TRAINING:, :, :, 0].astype(np.uint8),
        labels=labels[TRAINING:].astype(np.uint8),
        x=x,
        y=y,
        temperature=np.float32(model.temperature.item()),
    )
    right = (retrieve(x.astype(float), y.astype(float)) == labels[TRAINING:]).mean()
    digest = hashlib.sha256(EXTRACT.read_bytes()).hexdigest()
    print(f"caption found: {right:.3f}, last losses {np.mean(history.losses[-50:]):.3f}")
    print(
        f"temperature {model.temperature.item():.3f}, {sum(p.numel() for p in model.parameters()):,} numbers"
    )
    print(f"{EXTRACT.name}: {EXTRACT.stat().st_size:,} bytes, SHA-256 {digest}")


if __name__ == "__main__":
    main()
