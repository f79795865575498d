"""Models and texts of growing size for chapter 16, which `train_since_gpt2.py` trains."""

import numpy as np
import torch
from torch.nn import functional as F

from clearhead.nets.gpt_variant import GPTVariant, GPTVariantConfig
from clearhead.targets import IGNORE
from clearhead.text.chains import sample_chains, zipf_chain
from clearhead.training import adamw, train, warmup_cosine

STEPS, EVERY, BATCH = 300, 50, 32
WARMUP, LOWEST = 20, 0.02
PLAIN = GPTVariantConfig()
WIDTHS = (2, 4, 8, 12, 16, 24, 32)
SENTENCES = (25, 50, 100, 200, 400, 800, 1600, 3200)


def built(evaluator, changes, seed, d_model=32):
    """Return a model of two blocks with fresh weights, and with four heads, or two if it is narrow."""
    heads = 4 if d_model % 8 == 0 else 2 if d_model % 4 == 0 else 1
    generator = torch.Generator().manual_seed(seed)
    return GPTVariant(
        len(evaluator.vocabulary), evaluator.inputs.shape[1], d_model, heads, 2, changes, generator
    )


def raced(evaluator, model, optimizer, seed, steps=STEPS, warmup=WARMUP, clip=1.0, batches=None):
    """Return the excess loss at every fiftieth step of a training run."""
    batches = batches or evaluator.batches(BATCH, np.random.default_rng(seed))
    schedule = warmup_cosine(warmup, steps, LOWEST)
    history = train(
        model, batches, steps, optimizer, schedule, clip=clip, measure=evaluator.excess, every=EVERY
    )
    return [round(value, 5) for value in history.measured.values()]


def widths(evaluator):
    """Yield the numbers of parameters and the loss curves of models of seven widths, trained for longer."""
    for width in WIDTHS:

        def run(seed, width=width):
            model = built(evaluator, PLAIN, seed, width)
            inside = sum(weight.numel() for weight in model.parameters())
            return [inside, *raced(evaluator, model, adamw(model, 0.01, 0.0), seed, 600)]

        yield str(width), run


def data(evaluator):
    """Yield the excess loss of models that see some sentences repeatedly, at the best step of each run."""
    for count in SENTENCES:

        def run(seed, count=count):
            rng = np.random.default_rng(seed)
            shares = evaluator.shares.double().numpy()
            known = rng.choice(len(shares), size=count, p=shares / shares.sum())

            def batches():
                while True:
                    rows = rng.choice(known, size=BATCH)
                    yield evaluator.inputs[rows], evaluator.targets[rows]

            model = built(evaluator, PLAIN, seed)
            curve = raced(evaluator, model, adamw(model, 0.01), seed, batches=batches())
            return [min(curve), counted(evaluator, known)]

        yield str(count), run


def counted(evaluator, known):
    """Return the excess loss of interpolated n-gram counts, the control without a network.

    A prefix never seen asks its own last words; a constant share goes to all words alike.
    """
    tables, size = {}, len(evaluator.vocabulary)
    rows = [(i.tolist(), t.tolist()) for i, t in zip(evaluator.inputs, evaluator.targets, strict=True)]
    for row in known:
        for place, target in enumerate(rows[row][1]):
            for order in range(place + 2) if target != IGNORE else ():
                prefix = tuple(rows[row][0][place + 1 - order : place + 1])
                table = tables.setdefault(prefix, {})
                table[target] = table.get(target, 0) + 1
    total = 0.0
    for share, (inputs, targets) in zip(evaluator.shares.tolist(), rows, strict=True):
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
    return round(total / evaluator.length - evaluator.floor, 5)


def chain():
    """Return the Markov chain of the scaling laws, and a function for the excess loss of a model on it."""
    P = zipf_chain(64, 1.2, np.random.default_rng(0))
    test = sample_chains(P, 400, 33, np.random.default_rng(1))
    surprise = -np.log(P[test[:, :-1], test[:, 1:]]).mean()
    inputs, targets = torch.from_numpy(test[:, :-1]), torch.from_numpy(test[:, 1:])

    @torch.no_grad()
    def excess(model):
        return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item() - surprise

    return P, excess


def chained(width, texts, seed, steps, excess):
    """Return the number of parameters of a model of one block, and its curve of excess loss."""
    heads, rng = max(1, width // 8), np.random.default_rng(seed)
    model = GPTVariant(64, 32, width, heads, 1, PLAIN, torch.Generator().manual_seed(seed))

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
    P, excess = chain()
    for width in (2, 4, 8, 16, 32, 48):

        def run(seed, width=width):
            texts = sample_chains(P, 20_000, 33, np.random.default_rng(10 + seed))
            return chained(width, texts, seed, 600, excess)

        yield str(width), run
