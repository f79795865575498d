"""Train the GPT of the live figure; run once, its result is committed.

    OMP_NUM_THREADS=1 python recipes/train_live_gpt.py CHECKPOINT

It writes live_gpt.npz in lib/clearhead/pretrained. After a stop, run it again with the same CHECKPOINT to
go on: the result is the same, bit for bit, as without the stop. The README of that folder says what the
training took, and what the model reached.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np
import torch

from clearhead import training
from clearhead.nets.models import GPT
from clearhead.pretrained.live import SIZES, WEIGHTS, live_gpt, write
from clearhead.pretrained.stories import story
from clearhead.text import batches, corpora
from clearhead.text.rules import STOP
from clearhead.text.tokenizers import BytePairTokenizer
from clearhead.text.tokenizers.word import join_words

FIRST, DECAY, STEPS, AGAIN = 2700, 800, 3100, 0.35
BATCH, WARMUP, SEED, EVERY = 16, 60, 6, 100
RATES = dict(learning_rate=0.02, weight_decay=0.1, others_rate=3e-3, newton_schulz_steps=4)
SENTENCES, MORE_SENTENCES = 0.04, 0.12  # shares of the texts that are single sentences of the book's grammar
FOR_THE_TOKENIZER, HELD_OUT, HELD_OUT_SEED = 5_000, 300, 7


def sentence(rng):
    """Return a sentence of the book's grammar, in the form in which a reader types it."""
    return join_words(corpora.grammar().sample(rng), (STOP,))


def text(rng, sentences=SENTENCES):
    """Return a training text, which in most cases is a story."""
    return sentence(rng) if rng.random() < sentences else story(rng)


def rows(tokenizer, rng, sentences):
    """Yield new rows of text without end; each row begins with one text and is filled up with others."""
    length = SIZES["context_length"]
    while True:
        ids = np.zeros((BATCH, length + 1), dtype=np.int64)
        for row in ids:
            filled = 0
            while filled <= length:
                more = tokenizer.encode(STOP + text(rng, sentences))[: length + 1 - filled]
                row[filled : filled + len(more)] = more
                filled += len(more)
        yield batches.inputs_and_targets(ids)


def held_out(tokenizer):
    """Return rows of texts from another seed, by source."""
    rng = np.random.default_rng(HELD_OUT_SEED)
    texts = {source.__name__: [source(rng) for _ in range(HELD_OUT)] for source in (story, sentence)}
    return {name: tokenizer.encode(STOP + STOP.join(some) + STOP) for name, some in texts.items()}


def schedule(step):
    """Return the factor of the learning rates: a warm-up, a plateau, a decay to 0, and a second cycle."""
    if step >= FIRST:
        return AGAIN * (STEPS - step) / (STEPS - FIRST)
    return min(1, (step + 1) / WARMUP, (FIRST - step) / DECAY)


def main(checkpoint):
    """Train from scratch or from the checkpoint, write the weights, and print the losses that they reach."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(SEED)
    some = "".join(text(rng) for _ in range(FOR_THE_TOKENIZER))
    tokenizer = BytePairTokenizer.train(some, SIZES["vocab_size"], special=(STOP,))
    validation = held_out(tokenizer)
    model = GPT(**SIZES, generator=torch.Generator().manual_seed(SEED))
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    optimizer, history = training.muon(model, **RATES), training.History()
    if Path(checkpoint).exists():
        history = training.resume(checkpoint, model, optimizer, rng)
    while history.step < STEPS:
        fresh = rows(tokenizer, rng, SENTENCES if history.step < FIRST else MORE_SENTENCES)
        plan = (fresh, history.step + EVERY, optimizer, schedule)
        history = training.train(model, *plan, history=history, precision=torch.bfloat16)
        training.save(checkpoint, model, optimizer, history, rng)
        print(history.step, f"{np.mean(history.losses[-EVERY:]):.3f}", losses(model, validation), flush=True)
    write(model, tokenizer, validation)
    print(losses(live_gpt(), validation))
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    print(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size:,} bytes, SHA-256 {digest}")


def losses(model, validation):
    """Return the loss on each held-out row, in nats per token."""
    windows = {
        name: batches.sequential_batches(row, SIZES["context_length"], 16) for name, row in validation.items()
    }
    return {name: round(training.evaluate(model, each), 3) for name, each in windows.items()}


if __name__ == "__main__":
    main(sys.argv[1])
