"""GRPO with several steps per batch of completions, with and without the clip, at five learning rates."""

import numpy as np

from sweep import chapter_code

RATES, SEEDS, NEVER = (0.5, 1.0, 2.0, 4.0, 8.0), range(8), 1e9
WAYS = {
    "100 batches, 1 step": (100, 1, 0.2),
    "100 batches, 4 steps, clipped": (100, 4, 0.2),
    "100 batches, 4 steps, not clipped": (100, 4, NEVER),
    "400 batches, 1 step": (400, 1, 0.2),
}


def sweep():
    """Return pass@1 after training: variant -> rate -> one number per seed."""
    chapter = chapter_code("inner_steps")
    starts = [chapter["assistant"](chapter["base_model"](seed), seed) for seed in SEEDS]

    def end(seed, rate, batches, inner, epsilon):
        with np.errstate(over="ignore", invalid="ignore"):
            w = chapter["by_inner_steps"](starts[seed], seed, batches, inner, rate, epsilon)
        return round(float(chapter["passes"](w)[0]), 4)

    return {
        name: {str(rate): [end(seed, rate, *way) for seed in SEEDS] for rate in RATES}
        for name, way in WAYS.items()
    }


def agrees(recorded, fresh):
    """Assert that four clipped steps per batch do better than one, each at its best rate."""
    for found in (recorded, fresh):
        best = {name: max(np.mean(ends) for ends in rates.values()) for name, rates in found.items()}
        assert best["100 batches, 4 steps, clipped"] > best["100 batches, 1 step"]
