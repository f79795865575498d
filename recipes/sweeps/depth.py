"""Chapter 8: three seeds of shallow and deep stacks, with the norm before and after each part."""

import math

import torch

from sweep import chapter_code

SEEDS = (0, 1, 2)


def sweep():
    """Return the loss after training, a list with one entry for each seed."""
    page = chapter_code("depth")
    train, pre, post = (
        page[name] for name in ("loss_after_training", "EncoderBlock", "PostNormEncoderBlock")
    )
    result = {
        f"{name}, {depth}": [train(kind, depth, seed) for seed in SEEDS]
        for name, kind in (("pre", pre), ("post", post))
        for depth in (2, 12)
    }
    result["post, 12, warm-up"] = [train(post, 12, seed, warm=50) for seed in SEEDS]
    result["pre and post, 12, SGD"] = [
        [train(kind, 12, seed, torch.optim.SGD, 0.1) for seed in SEEDS] for kind in (pre, post)
    ]
    return result


def concludes(result):
    """Assert what chapter 8 says about the three seeds."""
    assert max(result["pre, 2"] + result["post, 2"] + result["pre, 12"]) < 0.3
    assert min(result["post, 12"]) > math.log(8) / 2
    assert max(result["post, 12, warm-up"]) < min(result["post, 12"])
    slow = [result["post, 12, warm-up"], *result["pre and post, 12, SGD"]]
    assert min(map(min, slow)) > 1


def agrees(recorded, fresh):
    """Assert that both runs support the chapter, and that no mean loss is more than 0.2 nats away."""
    for result in (recorded, fresh):
        concludes(result)
    for name in ("pre, 2", "post, 2", "pre, 12", "post, 12", "post, 12, warm-up"):
        assert abs(sum(recorded[name]) - sum(fresh[name])) < 0.2 * len(SEEDS), name
