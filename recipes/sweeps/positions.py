"""Chapter 7: what models learn without positions, and which encoding works for longer texts."""

import numpy as np

from sweep import chapter_code

SEEDS = 8
CODES = ("sine-cosine", "table", "bias", "ALiBi", "RoPE")
SMALL_RATES = (0.002, 0.006, 0.02)
RATES = (0.01, 0.02, 0.04)


def sweep():
    """Return the accuracies.

    Of reversing and counting, each with and without positions, it is a table with the shape (rates, seeds);
    of the two tasks on longer texts, for each code, a table with the shape (rates, lengths, seeds).
    """
    page = chapter_code("positions")
    torch, accuracy, tasks = page["torch"], page["accuracy"], page["tasks"]
    given = {"with": page["sinusoidal_torch"](16, 32).float(), "without": torch.zeros(16, 32)}
    kinds = {"reverse": {}, "histogram": {"num_classes": 17, "num_heads": 4}}
    result = {
        f"{task}, {name}": [
            [accuracy(getattr(tasks, task), code, seed=seed, rate=rate, **sizes) for seed in range(SEEDS)]
            for rate in SMALL_RATES
        ]
        for task, sizes in kinds.items()
        for name, code in given.items()
    }
    page["seeds"] = SEEDS
    result["lengths"] = {
        f"{task}, {code}": [
            page["found_at_each_length"](code, page[task], rate).round(4).tolist() for rate in RATES
        ]
        for task in ("two_back", "last_small")
        for code in CODES
    }
    return result


def concludes(result):
    """Assert what chapter 7 says about all seeds and learning rates."""
    assert np.min(result["reverse, with"]) > 0.99
    assert np.abs(np.array(result["reverse, without"]) - 0.24).max() < 0.01
    assert min(np.min(result["histogram, with"]), np.min(result["histogram, without"])) > 0.8
    back, small = (
        {code: np.array(result["lengths"][f"{task}, {code}"]).swapaxes(0, 1) for code in CODES}
        for task in ("two_back", "last_small")
    )
    assert all(back[code][0].min() > 0.99 for code in CODES if code != "ALiBi")
    assert min(small[code][0].min() for code in CODES) > 0.85 > 0.45 > back["ALiBi"].max()
    assert min(back["RoPE"][1].min(), small["RoPE"][1].min()) > 0.85
    assert back["bias"][1:].min() > 0.85 > 0.5 > back["RoPE"][2].max()
    assert max(back[code][1:].max() for code in ("sine-cosine", "table")) < 0.65
    assert min(small["bias"].min(), small["ALiBi"].min()) > 0.8
    assert max(small[code][1:].max() for code in ("sine-cosine", "table")) < 0.75
    assert 0.6 < small["RoPE"][2].min() < small["RoPE"][2].max() < 0.85


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean on 16 tokens differs by more than 0.05."""
    for result in (recorded, fresh):
        concludes(result)
    for name in ("reverse, with", "reverse, without", "histogram, with", "histogram, without"):
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
