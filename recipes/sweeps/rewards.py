"""GRPO and other weightings of completions at several learning rates, and low temperatures; twelve seeds."""

import numpy as np

from sweep import chapter_code

RATES, HEATS, SEEDS = (0.25, 0.5, 1.0, 2.0, 4.0), (1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.01), range(12)


def sweep():
    """Return pass@1, pass@16 and the greedy accuracy, a triple for each seed.

    "temperature": heat -> triples of the assistant as it was before. "trained": way to weigh -> rate ->
    triples after 400 steps. Greedy: pass@1 with all logits divided by 0.01.
    """
    chapter = chapter_code("rewards")
    passes, cooled, improved = (chapter[name] for name in ("passes", "cooled", "improved"))

    def measured(w):
        greedy = passes(cooled(w, 0.01))[0]
        return [round(float(value), 4) for value in (*passes(w), greedy)]

    starts = [chapter["assistant"](chapter["base_model"](seed), seed) for seed in SEEDS]
    return {
        "temperature": {str(heat): [measured(cooled(w, heat)) for w in starts] for heat in HEATS},
        "trained": {
            name: {
                str(rate): [
                    measured(improved(w, weigh, seed, rate=rate))
                    for seed, w in zip(SEEDS, starts, strict=True)
                ]
                for rate in RATES
            }
            for name, weigh in chapter["WEIGH"].items()
        },
    }


def agrees(recorded, fresh):
    """Assert that GRPO at its best rate beats the best temperature by two standard errors, varying less."""
    for found in (recorded, fresh):
        heats = np.array(list(found["temperature"].values()))  # (heats, seeds, 3)
        grpo = np.array(list(found["trained"]["GRPO"].values()))  # (rates, seeds, 3)
        best_heat = heats[heats[..., 0].mean(axis=1).argmax(), :, 0]
        best_rate = grpo[grpo[..., 0].mean(axis=1).argmax()]
        gain = best_rate[:, 0] - best_heat
        assert gain.mean() > 2 * gain.std(ddof=1) / len(gain) ** 0.5
        assert (best_rate[:, 1] < heats[0, :, 1]).all()
