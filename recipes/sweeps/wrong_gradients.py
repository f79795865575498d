"""Appendix: a GPT trained in NumPy with correct gradients and with four wrong ones, for eight seeds."""

from unittest.mock import patch

import numpy as np

from sweep import chapter_code

SEEDS = 8


def sweep():
    """Return, for each gradient, the test losses above the floor and fractions of grammatical sentences."""
    page = chapter_code("wrong_gradients")
    result = {}
    for name, wrong in {"nothing wrong": {}, **page["mistakes"]}.items():
        with patch.dict(page, wrong):
            nets = [page["train"](seed)[0] for seed in range(SEEDS)]
        result[name] = {
            "above the floor": [round(float(page["test_loss"](net) - page["floor"]), 4) for net in nets],
            "grammatical": [round(float(page["share_right"](net)), 3) for net in nets],
        }
    return result


def concludes(result):
    """Assert what the appendix says about all seeds."""
    excess = {name: found["above the floor"] for name, found in result.items()}
    right = {name: found["grammatical"] for name, found in result.items()}
    assert 0 < min(excess["nothing wrong"]) <= max(excess["nothing wrong"]) < 0.015
    assert 0 < min(excess["residual omitted"]) <= max(excess["residual omitted"]) < 0.03
    assert min(excess["attention omitted"]) > 0.03
    assert min(excess["norm: mean and deviation constant"]) > 0.03
    assert min(excess["softmax: sum omitted"]) > 1
    assert min(right["nothing wrong"]) > 0.85
    assert np.mean(right["residual omitted"]) > np.mean(right["attention omitted"]) + 0.1


def agrees(recorded, fresh):
    """Assert that both runs support the appendix, and that no mean excess differs by more than a third."""
    for result in (recorded, fresh):
        concludes(result)
    for name in recorded:
        before, after = (np.mean(result[name]["above the floor"]) for result in (recorded, fresh))
        assert abs(after - before) < before / 3, name
