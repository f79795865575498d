"""Train every change since GPT-2 with eight seeds, at chapter 16's best learning rate and at a higher one."""

import numpy as np
import torch

from clearhead.text.corpora import grammar
from clearhead.training import adamw
from clearhead.training.excess import ExactEvaluator
from growing_models import built, raced
from train_since_gpt2 import CHANGES

RATES, SEEDS = (0.03, 0.1), range(8)
STUCK = 0.01  # nats a token: more than twice the median of GPT-2 at its best rate


def sweep():
    """Return the final excess loss in nats per token: rate -> change -> one number per seed."""
    torch.set_num_threads(1)
    evaluator = ExactEvaluator(grammar())

    def end(change, rate, seed):
        model = built(evaluator, CHANGES[change], seed)
        return raced(evaluator, model, adamw(model, rate), seed)[-1]

    return {
        str(rate): {change: [end(change, rate, seed) for seed in SEEDS] for change in CHANGES}
        for rate in RATES
    }


def agrees(recorded, fresh):
    """Assert that at rate 0.03 all medians lie in a narrow band, and that GPT-2 is worse at 0.1."""
    for found in (recorded, fresh):
        medians = {
            rate: {name: np.median(ends) for name, ends in rows.items()} for rate, rows in found.items()
        }
        best = medians["0.03"]
        assert max(best.values()) < 1.5 * min(best.values())
        assert medians["0.1"]["GPT-2"] > 1.3 * best["GPT-2"]
        assert medians["0.1"]["all"] < medians["0.1"]["GPT-2"]
