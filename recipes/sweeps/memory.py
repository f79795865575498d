"""Chapter 3: train networks to remember the first token at three learning rates, and to translate digits."""

import numpy as np

from sweep import chapter_code

RATES, SEEDS, FEW = (0.003, 0.01, 0.03), range(8), range(3)


def sweep():
    """Return the fraction of right answers for each network, as a list with one entry per seed.

    "recall": by network and length, then by learning rate, of eight seeds. "words right": of the translators,
    by length, size of the hidden state and network, at one learning rate, of three seeds.
    """
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
            f"{name}, {T}": {
                str(rate): [recall(makers[name], T, seed, rate) for seed in SEEDS] for rate in RATES
            }
            for name, some in lengths.items()
            for T in some
        },
        "words right": {
            f"{T}, {size}, {kind.__name__}": [words_right(T, size, kind, seed) for seed in FEW]
            for T, size, kind in cases
        },
    }


def concludes(result):
    """Assert what chapter 3 says about these runs, with a margin for other processors."""
    recall, words = result["recall"], result["words right"]
    runs = {name: np.array(list(rates.values())) for name, rates in recall.items()}
    assert min(runs["LSTM, 8"].min(), runs["attention, 8"].min(), runs["attention, 32"][:2].min()) > 0.9
    assert max(runs["RNN, 32"].max(), runs["LSTM, 32"].max(), runs["LSTM, open, 100"].max()) < 0.3
    assert runs["LSTM, open, 32"][0].min() > 0.9
    assert np.median(runs["LSTM, open, 32"][2]) < 0.3
    assert runs["attention, 100"][:2].mean() > 0.9
    one, back, wide = (
        words[name] for name in ("12, 16, OneMemory", "12, 16, LooksBack", "12, 64, OneMemory")
    )
    assert min(words["4, 16, LooksBack"]) > 0.95 > 0.9 > max(words["4, 16, OneMemory"])
    assert max(one) < 0.5 < 0.85 < min(back)
    assert max(one) < min(wide)
    assert max(wide) < min(back) - 0.1


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no translation model's mean differs by 0.1."""
    for result in (recorded, fresh):
        concludes(result)
    for name, runs in recorded["words right"].items():
        assert abs(np.mean(runs) - np.mean(fresh["words right"][name])) < 0.1, name
