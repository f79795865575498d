"""Chapter 6: three seeds of the models that merge their heads rightly, by a reshape, and with one head."""

import numpy as np

from sweep import chapter_code

SEEDS = (0, 1, 2)


def sweep():
    """Return the fraction of right answers for each task and way to merge, a list with one entry a seed."""
    page = chapter_code("merging")
    train, accuracy = page["train"], page["accuracy"]
    ways = {"": page["merge_heads"], " with the bug": page["merge_by_reshape"]}
    result = {
        name + bug: [accuracy(train(page[name], merge, seed), page[name]) for seed in SEEDS]
        for name in ("copy", "reverse", "histogram")
        for bug, merge in ways.items()
    }
    one_head = [train(page["histogram"], page["merge_heads"], seed, count=1) for seed in SEEDS]
    result["histogram, one head"] = [accuracy(model, page["histogram"]) for model in one_head]
    return result


def concludes(result):
    """Assert what chapter 6 says about the three seeds."""
    mean = {name: np.mean(runs) for name, runs in result.items()}
    for name in ("copy", "copy with the bug", "reverse", "reverse with the bug"):
        assert mean[name] > 0.99, name
    assert mean["histogram"] > 0.83
    assert mean["histogram"] > mean["histogram with the bug"] + 0.07
    assert mean["histogram with the bug"] > 0.9**7 + 0.1
    assert max(result["histogram, one head"]) > max(0.85, max(result["histogram"]) - 0.06)


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean with four heads is more than 0.05 away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in recorded.keys() - {"histogram, one head"}:
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
