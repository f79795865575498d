"""Run the races of chapter 16 and write down what came out; run once, its result is committed.

    OMP_NUM_THREADS=1 python -m clearhead.pretrained.train_since_gpt2

It takes about ten minutes of one core and writes since_gpt2.json beside this file, part by part: what is
there already is not run again. Every run is made with three seeds.
"""

import json
from dataclasses import replace

import numpy as np
import torch
from torch.nn import functional as F

from clearhead.files import write_whole
from clearhead.nets.changes import ALL, ChangedGPT, Changes
from clearhead.nets.relative_positions import rotary_angles
from clearhead.targets import IGNORE
from clearhead.text import tasks
from clearhead.text.chains import chain_texts, zipf_chain
from clearhead.text.corpora import grammar
from clearhead.training import History, adamw, muon, train, warmup_cosine
from clearhead.training.excess import Ruler

from .since_gpt2 import RECORD, record

SEEDS, STEPS, EVERY, BATCH = (0, 1, 2), 300, 50, 32
WARMUP, LOWEST = 20, 0.02
RATES = (0.003, 0.01, 0.03)
PLAIN = Changes()
CHANGES = {
    "GPT-2": PLAIN,
    "RMS norm": replace(PLAIN, rms_norm=True),
    "gated": replace(PLAIN, gated=True),
    "rotary": replace(PLAIN, rotary=True),
    "two groups": replace(PLAIN, num_groups=2),
    "QK norm": replace(PLAIN, qk_norm=True),
    "quiet start": replace(PLAIN, quiet_start=True),
    "all": ALL,
}
WIDTHS = (2, 4, 8, 12, 16, 24, 32)
SENTENCES = (25, 50, 100, 200, 400, 800, 1600, 3200)


def built(ruler, changes, seed, d_model=32):
    """Return a model of two blocks with fresh weights; four heads, or two where it is narrow."""
    heads = 4 if d_model % 8 == 0 else 2 if d_model % 4 == 0 else 1
    generator = torch.Generator().manual_seed(seed)
    return ChangedGPT(len(ruler.vocabulary), ruler.inputs.shape[1], d_model, heads, 2, changes, generator)


def raced(ruler, model, optimizer, seed, steps=STEPS, warmup=WARMUP, clip=1.0, batches=None):
    """Return the excess loss at every fiftieth step of one training."""
    batches = batches or ruler.batches(BATCH, np.random.default_rng(seed))
    schedule = warmup_cosine(warmup, steps, LOWEST)
    history = train(model, batches, steps, optimizer, schedule, clip=clip, measure=ruler.excess, every=EVERY)
    return [round(value, 5) for value in history.measured.values()]


def changes(ruler):
    """Yield every change, at three learning rates: name, and the curves of three seeds."""
    for name, change in CHANGES.items():
        for rate in RATES:

            def run(seed, change=change, rate=rate):
                model = built(ruler, change, seed)
                return raced(ruler, model, adamw(model, rate), seed)

            yield f"{name} | {rate}", run


def decay_in_the_gradient(model, rate, decay=0.1):
    """Return Adam whose decay is added to the gradient: what people did before AdamW."""
    return torch.optim.Adam(model.parameters(), rate, betas=(0.9, 0.99), weight_decay=decay)


def optimizers(ruler):
    """Yield the same GPT-2 under other optimizers, each at three rates of its own."""
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
                model = built(ruler, PLAIN, seed)
                optimizer, how = make(model, rate)
                return raced(ruler, model, optimizer, seed, **how)

            yield f"{name} | {rate}", run


def controls(ruler):
    """Yield what else could give the results: large scores without a norm, a hundredth of the decay."""

    def loud(seed, rate):
        model = built(ruler, PLAIN, seed)
        with torch.no_grad():
            for (
                block
            ) in model.blocks:  # queries and keys then begin with root mean square 1, as with the norm
                for asks in (block.attention.query, block.attention.key):
                    asks.weight /= 0.02 * asks.in_features**0.5
        return raced(ruler, model, adamw(model, rate), seed)

    def little(seed, rate):
        model = built(ruler, PLAIN, seed)
        return raced(ruler, model, decay_in_the_gradient(model, rate, 0.001), seed)

    for name, run in {"loud queries": loud, "a hundredth of the decay in the gradient": little}.items():
        for rate in RATES:
            yield f"{name} | {rate}", lambda seed, run=run, rate=rate: run(seed, rate)


def widths(ruler):
    """Yield models of seven widths, trained longer: numbers learned, then the curve."""
    for width in WIDTHS:

        def run(seed, width=width):
            model = built(ruler, PLAIN, seed, width)
            inside = sum(weight.numel() for weight in model.parameters())
            return [inside, *raced(ruler, model, adamw(model, 0.01, 0.0), seed, 600)]

        yield str(width), run


def data(ruler):
    """Yield models that see so many sentences, again and again: the best excess on the way, as an oracle."""
    for count in SENTENCES:

        def run(seed, count=count):
            rng = np.random.default_rng(seed)
            shares = ruler.shares.double().numpy()
            known = rng.choice(len(shares), size=count, p=shares / shares.sum())

            def batches():
                while True:
                    rows = rng.choice(known, size=BATCH)
                    yield ruler.inputs[rows], ruler.targets[rows]

            model = built(ruler, PLAIN, seed)
            curve = raced(ruler, model, adamw(model, 0.01), seed, batches=batches())
            return [min(curve), counted(ruler, known)]

        yield str(count), run


def counted(ruler, known):
    """Return the excess of no network at all: counts of what followed each prefix, less and less trusted.

    A prefix never seen asks its own last words; a constant share goes to all words alike.
    """
    tables, size = {}, len(ruler.vocabulary)
    rows = [(i.tolist(), t.tolist()) for i, t in zip(ruler.inputs, ruler.targets, strict=True)]
    for row in known:
        for place, target in enumerate(rows[row][1]):
            for order in range(place + 2) if target != IGNORE else ():
                prefix = tuple(rows[row][0][place + 1 - order : place + 1])
                table = tables.setdefault(prefix, {})
                table[target] = table.get(target, 0) + 1
    total = 0.0
    for share, (inputs, targets) in zip(ruler.shares.tolist(), rows, strict=True):
        for place, target in enumerate(targets):
            if target == IGNORE:
                break
            belief = 1 / size
            for order in range(place + 2):
                table = tables.get(tuple(inputs[place + 1 - order : place + 1]), {})
                seen, kinds = sum(table.values()), len(table)
                if seen:
                    belief = (table.get(target, 0) + 0.2 * kinds * belief) / (seen + 0.2 * kinds)
            total -= share * np.log(belief)
    return round(total / ruler.length - ruler.floor, 5)


def chain():
    """Return the chain of the scaling laws, texts to test with, and what measures the excess of a model."""
    P = zipf_chain(64, 1.2, np.random.default_rng(0))
    test = chain_texts(P, 400, 33, np.random.default_rng(1))
    surprise = -np.log(P[test[:, :-1], test[:, 1:]]).mean()
    inputs, targets = torch.from_numpy(test[:, :-1]), torch.from_numpy(test[:, 1:])

    @torch.no_grad()
    def excess(model):
        return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item() - surprise

    return P, test, excess


def chained(width, texts, seed, steps, excess):
    """Return the number of weights of a model of one block, and its curve of excess loss."""
    heads, rng = max(1, width // 8), np.random.default_rng(seed)
    model = ChangedGPT(64, 32, width, heads, 1, PLAIN, torch.Generator().manual_seed(seed))

    def batches():
        while True:
            rows = texts[rng.integers(len(texts), size=BATCH)]
            yield rows[:, :-1], rows[:, 1:]

    schedule = warmup_cosine(WARMUP, steps, LOWEST)
    optimizer = adamw(model, 0.01, 0.0)
    history = train(model, batches(), steps, optimizer, schedule, measure=excess, every=EVERY)
    inside = sum(weight.numel() for weight in model.parameters())
    return [inside, *(round(value, 5) for value in history.measured.values())]


def chain_widths(_ruler):
    """Yield models of six widths that hardly ever see a text of the chain twice."""
    P, _, excess = chain()
    for width in (2, 4, 8, 16, 32, 48):

        def run(seed, width=width):
            texts = chain_texts(P, 20_000, 33, np.random.default_rng(10 + seed))
            return chained(width, texts, seed, 600, excess)

        yield str(width), run


def chain_data(_ruler):
    """Yield one model with more and more texts of 32 words: the best excess on the way, and of counts."""
    P, test, excess = chain()
    truth = P[test[:, :-1], test[:, 1:]]
    for count in (8, 16, 32, 64, 128, 256, 512, 1024):

        def run(seed, count=count):
            texts = chain_texts(P, count, 33, np.random.default_rng(10 + seed))
            pairs = np.zeros(P.shape)
            np.add.at(pairs, (texts[:, :-1], texts[:, 1:]), 1)
            beliefs = [(pairs + more) / (pairs + more).sum(axis=1, keepdims=True) for more in (0.1, 0.3, 1)]
            counts = [np.log(truth / belief[test[:, :-1], test[:, 1:]]).mean() for belief in beliefs]
            return [min(chained(32, texts, seed, 300, excess)[1:]), round(float(min(counts)), 5)]

        yield str(count), run


def stretched(_ruler):
    """Yield what a copier with rotary positions, trained on 32 tokens, can do with 32, 64 and 128."""

    def run(seed):
        rng = np.random.default_rng(seed)

        def batches():
            while True:
                inputs, targets, known = tasks.induction(32, 32, 16, 5, 16, rng)
                yield inputs, np.where(known, targets, IGNORE)

        turned = Changes(rms_norm=True, rotary=True)
        model = ChangedGPT(16, 32, 32, 2, 2, turned, torch.Generator().manual_seed(seed))
        train(
            model, batches(), 2500, adamw(model, 3e-3, 0.0), warmup_cosine(50, 2500, 0.05), history=History()
        )
        return [accuracy(model, angles, length, scale) for length in (32, 64, 128)
                for angles in STRETCHES.values() for scale in (length / 32,)]  # fmt: skip

    yield "copying", run


STRETCHES = {
    "as trained": lambda scale: rotary_angles,
    "positions divided": lambda scale: lambda T, d: rotary_angles(T, d) / scale,
    "base raised": lambda scale: lambda T, d: rotary_angles(T, d, 1e4 * scale ** (d / (d - 2))),
}


@torch.no_grad()
def accuracy(model, angles, length, scale):
    """Return the share of right copies in strings whose period is half their length."""
    for block in model.blocks:
        block.attention.angles = angles(scale)
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
    "chain data": chain_data,
    "stretched": stretched,
}


def main():
    """Run what is not in the file yet, and write the file after each run."""
    torch.set_num_threads(1)
    ruler = Ruler(grammar())
    found = record() if RECORD.exists() else {}
    for part, runs in PARTS.items():
        kept = found.setdefault(part, {})
        for name, run in runs(ruler):
            if name not in kept:
                kept[name] = [run(seed) for seed in SEEDS]
                print(part, name, [row[-1] for row in kept[name]], flush=True)
                write_whole(RECORD, json.dumps(found, indent=0, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
