"""Chapter 3: three seeds of every network that has to remember the first token, or to translate digits."""

import numpy as np

from sweep import chapter_code

SEEDS = (0, 1, 2)


def sweep():
    """Return the fraction of right answers for each length and network, a list with one entry a seed."""
    page = chapter_code("memory")
    recall, makers, words_right = page["recall"], page["makers"], page["words_right"]
    lengths = {"RNN": (8, 32), "LSTM": (8, 32), "attention": (8, 32, 100), "LSTM, open": (32, 100)}
    cases = [
        (T, size, page[kind])
        for T, size, kind in (
            (4, 16, "OneMemory"),
            (4, 16, "LooksBack"),
            (12, 16, "OneMemory"),
            (12, 16, "LooksBack"),
            (12, 64, "OneMemory"),
        )
    ]
    return {
        "recall": {
            f"{name}, {T}": [recall(makers[name], T, seed) for seed in SEEDS]
            for name, some in lengths.items()
            for T in some
        },
        "words right": {
            f"{T}, {size}, {kind.__name__}": [words_right(T, size, kind, seed) for seed in SEEDS]
            for T, size, kind in cases
        },
    }


def concludes(result):
    """Assert what chapter 3 says about the three seeds."""
    recall, words = result["recall"], result["words right"]
    assert min(recall["LSTM, 8"] + recall["attention, 8"] + recall["attention, 32"]) > 0.9
    assert max(recall["RNN, 32"] + recall["LSTM, 32"] + recall["LSTM, open, 100"]) < 0.3
    assert min(recall["LSTM, open, 32"]) > 0.7
    one, back, wide = (
        words[name] for name in ("12, 16, OneMemory", "12, 16, LooksBack", "12, 64, OneMemory")
    )
    assert min(words["4, 16, LooksBack"]) > 0.95 > 0.9 > max(words["4, 16, OneMemory"])
    assert max(one) < 0.5 < 0.85 < min(back)
    assert max(one) < min(wide)
    assert max(wide) < min(back) - 0.1


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no translator's mean is 0.1 away."""
    for result in (recorded, fresh):
        concludes(result)
    for name, runs in recorded["words right"].items():
        assert abs(np.mean(runs) - np.mean(fresh["words right"][name])) < 0.1, name
