"""Train twelve models that answer questions about images, and store two of them; the result is committed.

    OMP_NUM_THREADS=1 python recipes/train_questions.py

It takes about three minutes and writes questions.npz in lib/clearhead/pretrained, whose README says what
each model reached.
"""

import hashlib

import numpy as np
import torch

from clearhead import training
from clearhead.maths.vision import vqa_model
from clearhead.nets.vision import VQAModel
from clearhead.pretrained.convert import to_arrays
from clearhead.pretrained.questions import MODELS, SIZES, flat, scenes

SEEDS, STEPS, BATCH, WARMUP, TEST_SEED = range(12), 2500, 64, 50, 99


def batches(rng):
    """Yield boards with questions and their right answers, without end."""
    while True:
        drawn = scenes(BATCH, rng)
        yield (drawn.patches, drawn.questions), drawn.answers


class Asked(torch.nn.Module):
    """The model in the form that the training loop calls, with patches and question in one argument."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, both):
        """Return logits (B, e) for rows that contain the patches, followed by the question."""
        patches, ids = both[:, :-2].reshape(len(both), 9, 48), both[:, -2:].long()
        return self.model(patches, ids)


def in_rows(drawn):
    """Yield the inputs of `Asked`."""
    for (patches, questions), answers in drawn:
        yield np.hstack([patches.reshape(len(patches), -1), questions]).astype(np.float32), answers


def trained(seed):
    """Return trained weights, for one seed of the initialization and one of the data."""
    torch.manual_seed(seed)
    model = Asked(VQAModel(**SIZES))
    optimizer = training.adamw(model, learning_rate=3e-3, weight_decay=0.01)
    schedule = training.warmup_cosine(WARMUP, STEPS)
    training.train(model, in_rows(batches(np.random.default_rng(seed))), STEPS, optimizer, schedule)
    return to_arrays(model.model)


def measure(parameters):
    """Return the accuracy, and how often the largest weight lies on the object in question."""
    test = scenes(1000, np.random.default_rng(TEST_SEED))
    logits, A = vqa_model(test.patches, test.questions, parameters)
    right = logits.argmax(axis=-1) == test.answers
    return float(right.mean()), float((A.argmax(axis=-1) == test.cells[:, 0]).mean())


def main():
    """Train all; store the first correct model that attends to the object and the first that does not."""
    torch.set_num_threads(1)
    kept = {}
    for seed in SEEDS:
        parameters = trained(seed)
        right, looks = measure(parameters)
        print(f"seed {seed:2}  right answers {right:.3f}  looks at the object {looks:.3f}", flush=True)
        if right > 0.995:
            kept.setdefault("looks there" if looks > 0.5 else "looks elsewhere", (seed, parameters))
    arrays = {}
    for name, (seed, parameters) in kept.items():
        print(f"{name}: seed {seed}")
        arrays |= {key: np.float16(value) for key, value in flat(parameters, name).items()}
    np.savez_compressed(MODELS, **arrays)
    digest = hashlib.sha256(MODELS.read_bytes()).hexdigest()
    print(f"{MODELS.name}: {MODELS.stat().st_size:,} bytes, SHA-256 {digest}")


if __name__ == "__main__":
    main()
