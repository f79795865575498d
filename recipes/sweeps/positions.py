"""Chapter 7: what a model can do without positions, and which code goes on in longer texts."""

import numpy as np

from sweep import chapter_code

SEEDS = (0, 1, 2)
CODES = ("sine-cosine", "table", "bias", "ALiBi", "RoPE")


def sweep():
    """Return accuracies: of two tasks a list with one entry a seed; of each code a table (lengths, seeds)."""
    page = chapter_code("positions")
    torch, accuracy, tasks = page["torch"], page["accuracy"], page["tasks"]
    given = {"with": page["sinusoidal_torch"](16, 32).float(), "without": torch.zeros(16, 32)}
    larger = {"num_classes": 17, "num_heads": 4}
    result = {}
    for name, code in given.items():
        result[f"reverse, {name}"] = [accuracy(tasks.reverse, code, seed=seed) for seed in SEEDS]
        result[f"histogram, {name}"] = [
            accuracy(tasks.histogram, code, seed=seed, **larger) for seed in SEEDS
        ]
    result["lengths"] = {
        f"{task}, {code}": page["found_at_each_length"](code, page[task]).tolist()
        for task in ("two_back", "last_small")
        for code in CODES
    }
    return result


def concludes(result):
    """Assert what chapter 7 says about all seeds."""
    assert min(result["reverse, with"]) > 0.95
    assert max(result["reverse, without"]) < 0.45
    assert min(result["histogram, with"] + result["histogram, without"]) > 0.8
    back, small = (
        {code: np.array(result["lengths"][f"{task}, {code}"]) for code in CODES}
        for task in ("two_back", "last_small")
    )
    assert all(back[code][0].min() > 0.9 for code in CODES if code != "ALiBi")
    assert min(small[code][0].min() for code in CODES) > 0.85
    assert min(back["RoPE"][1].min(), small["RoPE"][1].min()) > 0.85
    assert back["ALiBi"].max() < 0.6
    assert back["bias"][2].min() > 0.8 > 0.7 > back["RoPE"][2].max()
    assert max(back["sine-cosine"][2].max(), back["table"][1].max()) < 0.65
    assert min(small["bias"].min(), small["ALiBi"].min()) > 0.85
    assert max(small["sine-cosine"][1].max(), small["table"][1].max()) < 0.75


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean on 16 tokens is more than 0.05 away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in ("reverse, with", "reverse, without", "histogram, with", "histogram, without"):
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
