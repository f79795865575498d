"""Train the models of chapter 16 and record their losses; run once, its result is committed.

    OMP_NUM_THREADS=1 python recipes/train_since_gpt2.py

It takes about ten minutes of one core and writes since_gpt2.json in lib/clearhead/pretrained, part by part:
a part that is already there is not run again. Every run is made with three seeds.
"""

import json
from dataclasses import replace

import numpy as np
import torch

from clearhead.files import write_whole
from clearhead.nets.gpt_variant import MODERN, GPTVariant, GPTVariantConfig
from clearhead.nets.positions import rotary_angles
from clearhead.pretrained.since_gpt2 import RECORD, record
from clearhead.targets import IGNORE
from clearhead.text import tasks
from clearhead.text.corpora import grammar
from clearhead.training import adamw, muon, train, warmup_cosine
from clearhead.training.excess import ExactEvaluator
from growing_models import PLAIN, built, chain_widths, data, raced, widths

SEEDS, RATES = (0, 1, 2), (0.003, 0.01, 0.03)
CHANGES = {
    "GPT-2": PLAIN,
    "RMS norm": replace(PLAIN, rms_norm=True),
    "gated": replace(PLAIN, gated=True),
    "rotary": replace(PLAIN, rotary=True),
    "two groups": replace(PLAIN, num_groups=2),
    "QK norm": replace(PLAIN, qk_norm=True),
    "quiet start": replace(PLAIN, scale_residual_init=True),
    "all": MODERN,
}


def changes(evaluator):
    """Yield the name of every change at three learning rates, with the loss curves of three seeds."""
    for name, change in CHANGES.items():
        for rate in RATES:

            def run(seed, change=change, rate=rate):
                model = built(evaluator, change, seed)
                return raced(evaluator, model, adamw(model, rate), seed)

            yield f"{name} | {rate}", run


def decay_in_the_gradient(model, rate, decay=0.1):
    """Return Adam with the decay added to the gradient, as was usual before AdamW."""
    return torch.optim.Adam(model.parameters(), rate, betas=(0.9, 0.99), weight_decay=decay)


def optimizers(evaluator):
    """Yield the same GPT-2 with other optimizers, each at three learning rates of its own."""
    others = {
        "no decay": lambda m, rate: (adamw(m, rate, weight_decay=0.0), {}),
        "decay in the gradient": lambda m, rate: (decay_in_the_gradient(m, rate), {}),
        "no warm-up": lambda m, rate: (adamw(m, rate), {"warmup": 0}),
        "no clipping": lambda m, rate: (adamw(m, rate), {"clip": np.inf}),
        "SGD": lambda m, rate: (torch.optim.SGD(m.parameters(), 30 * rate, momentum=0.9), {}),
        "Muon": lambda m, rate: (muon(m, 2 * rate, others_rate=0.01), {}),
    }  # fmt: skip
    for name, make in others.items():
        for rate in RATES:

            def run(seed, make=make, rate=rate):
                model = built(evaluator, PLAIN, seed)
                optimizer, how = make(model, rate)
                return raced(evaluator, model, optimizer, seed, **how)

            yield f"{name} | {rate}", run


def controls(evaluator):
    """Yield the controls: large scores without a norm, and a hundredth of the decay."""

    def loud(seed, rate):
        model = built(evaluator, PLAIN, seed)
        with torch.no_grad():
            for (
                block
            ) in model.blocks:  # queries and keys then begin with root mean square 1, as with the norm
                for asks in (block.attention.query, block.attention.key):
                    asks.weight /= 0.02 * asks.in_features**0.5
        return raced(evaluator, model, adamw(model, rate), seed)

    def little(seed, rate):
        model = built(evaluator, PLAIN, seed)
        return raced(evaluator, model, decay_in_the_gradient(model, rate, 0.001), seed)

    for name, run in {"loud queries": loud, "a hundredth of the decay in the gradient": little}.items():
        for rate in RATES:
            yield f"{name} | {rate}", lambda seed, run=run, rate=rate: run(seed, rate)


def stretched(_ruler):
    """Yield the accuracy of a copying model, trained on 32 tokens, on texts of 32, 64 and 128 tokens."""

    def run(seed):
        rng = np.random.default_rng(seed)

        def batches():
            while True:
                inputs, targets, known = tasks.induction(32, 32, 16, 5, 16, rng)
                yield inputs, np.where(known, targets, IGNORE)

        turned = GPTVariantConfig(rms_norm=True, rotary=True)
        model = GPTVariant(16, 32, 32, 2, 2, turned, torch.Generator().manual_seed(seed))
        train(model, batches(), 2500, adamw(model, 3e-3, 0.0), warmup_cosine(50, 2500, 0.05))
        return [
            accuracy(model, angles(length / 32), length)
            for length in (32, 64, 128)
            for angles in STRETCHES.values()
        ]

    yield "copying", run


STRETCHES = {
    "as trained": lambda scale: rotary_angles,
    "positions divided": lambda scale: lambda T, d: rotary_angles(T, d) / scale,
    "base raised": lambda scale: lambda T, d: rotary_angles(T, d, 1e4 * scale ** (d / (d - 2))),
}


@torch.no_grad()
def accuracy(model, angles, length):
    """Return the fraction of correctly copied tokens in strings whose period is half their length."""
    for block in model.blocks:
        block.attention.angles = angles
    inputs, targets, known = tasks.induction(
        200, length, 16, length // 2, length // 2, np.random.default_rng(99)
    )
    right = model(torch.from_numpy(inputs)).argmax(-1).numpy() == targets
    return round(float(right[known].mean()), 4)


PARTS = {
    "changes": changes,
    "optimizers": optimizers,
    "controls": controls,
    "widths": widths,
    "data": data,
    "chain widths": chain_widths,
    "stretched": stretched,
}


def main():
    """Run everything that is not in the file yet, and write the file after each run."""
    torch.set_num_threads(1)
    evaluator = ExactEvaluator(grammar())
    found = record() if RECORD.exists() else {}
    for part, runs in PARTS.items():
        kept = found.setdefault(part, {})
        for name, run in runs(evaluator):
            if name not in kept:
                kept[name] = [run(seed) for seed in SEEDS]
                print(part, name, [row[-1] for row in kept[name]], flush=True)
                write_whole(RECORD, json.dumps(found, indent=0, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
