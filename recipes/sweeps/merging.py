"""Chapter 6: train models with one head, with several, and with several that a wrong reshape merges."""

import numpy as np

from sweep import chapter_code

SEEDS = 8
RATES = (0.0025, 0.005, 0.01)


def sweep():
    """Return the rates and, for each task and way to merge, a table (rates, seeds) of accuracies."""
    page = chapter_code("merging")
    ways = {"": page["merge_heads"], " with the bug": page["merge_by_reshape"]}

    def right(task, merge, count=4):
        return [
            [
                round(page["accuracy"](page["train"](page[task], merge, seed, count, rate), page[task]), 4)
                for seed in range(SEEDS)
            ]
            for rate in RATES
        ]

    result = {
        task + bug: right(task, merge)
        for task in ("copy", "reverse", "histogram")
        for bug, merge in ways.items()
    }
    result["rates"] = RATES
    result["histogram, one head"] = right("histogram", page["merge_heads"], count=1)
    return result


def concludes(result):
    """Assert what chapter 6 says about all seeds and learning rates."""
    for task in ("copy", "reverse"):
        assert min(np.min(result[task]), np.min(result[f"{task} with the bug"])) > 0.99, task
    right, wrong, one_head = (
        np.array(result[f"histogram{way}"]) for way in ("", " with the bug", ", one head")
    )
    assert right.mean(axis=1).min() > 0.87 > 0.83 > wrong.mean(axis=1).max()
    assert wrong.min() > 0.9**7 + 0.05
    assert one_head[:2].min() < 0.8 < 0.85 < one_head[2].min()
    assert one_head.mean(axis=1).max() > right.mean(axis=1).max() - 0.02


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean differs by more than 0.05."""
    for result in (recorded, fresh):
        concludes(result)
    for name in recorded.keys() - {"rates"}:
        assert abs(np.mean(recorded[name]) - np.mean(fresh[name])) < 0.05, name
