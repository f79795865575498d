"""Vary the weight decay of AdamW by a factor of 100, at two learning rates and with eight seeds."""

import numpy as np
import torch

from clearhead.text.corpora import grammar
from clearhead.training import adamw
from clearhead.training.excess import ExactEvaluator
from growing_models import PLAIN, built, raced

DECAYS, RATES, SEEDS = (0.0, 0.001, 0.01, 0.03, 0.1), (0.01, 0.03), range(8)


def sweep():
    """Return the final excess loss in nats per token: rate -> decay -> one number per seed."""
    torch.set_num_threads(1)
    evaluator = ExactEvaluator(grammar())

    def end(decay, rate, seed):
        model = built(evaluator, PLAIN, seed)
        return raced(evaluator, model, adamw(model, rate, decay), seed)[-1]

    return {
        str(rate): {str(decay): [end(decay, rate, seed) for seed in SEEDS] for decay in DECAYS}
        for rate in RATES
    }


def agrees(recorded, fresh):
    """Assert that at the better rate decays up to 0.01 cannot be told from none, and that 0.1 is too much."""
    for found in (recorded, fresh):
        medians = {decay: np.median(ends) for decay, ends in found["0.03"].items()}
        small = [medians[decay] for decay in ("0.0", "0.001", "0.01")]
        assert max(small) < 1.2 * min(small)
        assert medians["0.1"] > 1.2 * max(small)
