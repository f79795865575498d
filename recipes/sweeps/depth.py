"""Chapter 8: shallow and deep stacks, with the norm before and after each part, at several learning rates."""

import math

import numpy as np
import torch

from sweep import chapter_code

SEEDS = 8
ADAM = (0.001, 0.003, 0.01)
SGD = (0.1, 0.3)


def sweep():
    """Return the learning rates and, for each case, a table (rates, seeds) of the loss after training."""
    page = chapter_code("depth")
    train = page["loss_after_training"]
    kinds = {"pre": page["EncoderBlock"], "post": page["PostNormEncoderBlock"]}

    def losses(kind, depth, rates, **rest):
        return [
            [round(train(kinds[kind], depth, seed, rate=rate, **rest), 4) for seed in range(SEEDS)]
            for rate in rates
        ]

    result = {f"{kind}, {depth}": losses(kind, depth, ADAM) for kind in kinds for depth in (2, 12)}
    result["rates"] = {"Adam": ADAM, "SGD": SGD}
    result["post, 12, warm-up"] = losses("post", 12, ADAM, warm=50)
    for kind in kinds:
        result[f"{kind}, 12, SGD"] = losses(kind, 12, SGD, rule=torch.optim.SGD)
    return result


def concludes(result):
    """Assert what chapter 8 says about all seeds and learning rates."""
    guess = math.log(8)
    assert max(np.max(result["pre, 2"]), np.max(result["post, 2"]), np.max(result["pre, 12"])) < guess / 4
    assert min(np.min(result["post, 12"]), np.min(result["post, 12, warm-up"])) > 3 * guess / 4
    usual, warmed = (np.mean(result[f"post, 12{way}"], axis=1) for way in ("", ", warm-up"))
    assert (warmed < usual - 0.1).tolist() == [False, True, True]
    slow, fast = np.array(result["pre, 12, SGD"])
    assert slow.min() > guess / 2 > guess / 4 > np.median(fast)
    assert np.min(result["post, 12, SGD"]) > 3 * guess / 4


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean loss is more than 0.2 nats away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in recorded:
        if "SGD" not in name and name != "rates":
            away = np.mean(recorded[name], axis=1) - np.mean(fresh[name], axis=1)
            assert np.abs(away).max() < 0.2, name
