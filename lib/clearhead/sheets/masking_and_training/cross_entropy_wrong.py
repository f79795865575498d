"""More wrong answers of 09.cross_entropy."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax, softmax

from .shared import IGNORE


def _of_counted(finish):
    """Return a loss made of the logits and targets that count; 0 where none does."""

    def loss(logits, targets):
        counts = targets != IGNORE
        return float(finish(logits[counts], targets[counts])) if counts.any() else 0.0

    return loss


def _surprises(logits, targets):
    return -log_softmax(logits)[np.arange(len(targets)), targets]


MORE = (
    Mistake(
        "median_surprise",
        _of_counted(lambda logits, targets: np.median(_surprises(logits, targets))),
        "You took the median. Take the mean of the surprises.",
    ),
    Mistake(
        "surprise_of_the_likeliest_word",
        _of_counted(lambda logits, targets: -log_softmax(logits).max(axis=1).mean()),
        "You took the likeliest word of each row. Take the true one, `targets`.",
    ),
    Mistake(
        "divided_by_the_vocabulary",
        _of_counted(lambda logits, targets: _surprises(logits, targets).sum() / logits.shape[1]),
        "You divided by V. Divide by how many tokens count.",
    ),
    Mistake(
        "each_surprise_returned",
        lambda logits, targets: np.where(
            targets == IGNORE, 0, _surprises(logits, np.where(targets == IGNORE, 0, targets))
        ),
        "You returned one number for each token. Return their mean.",
    ),
    Mistake(
        "squared_differences",
        _of_counted(
            lambda logits, targets: ((softmax(logits) - np.eye(logits.shape[1])[targets]) ** 2).mean()
        ),
        "You took squared differences. Cross-entropy is minus the logarithm of the true word.",
    ),
    Mistake(
        "last_word_for_ignored",
        lambda logits, targets: _surprises(logits, np.where(targets == IGNORE, -1, targets)).mean(),
        "Where the target is -100 you counted the last word. Leave these tokens out.",
    ),
)
