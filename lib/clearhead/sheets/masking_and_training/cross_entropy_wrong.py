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


def _logarithm_of_the_mean(logits, targets):
    with np.errstate(all="ignore"):
        return -np.log(np.exp(-_surprises(logits, targets)).mean())


def _of_counted_and_all(finish):
    """Return a loss made of the logits and targets that count, and of how many logits there are."""

    def loss(logits, targets):
        counts = targets != IGNORE
        return float(finish(logits[counts], targets[counts], logits.size)) if counts.any() else 0.0

    return loss


def _less(logits, targets, taken):
    """Return the mean surprise by a logarithm of a sum, after one number is taken away from all logits."""
    z = logits - taken
    with np.errstate(all="ignore"):
        return (np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(targets)), targets]).mean()


MORE = (
    Mistake(
        "logarithm_of_the_mean",
        _of_counted(_logarithm_of_the_mean),
        "You took the logarithm of the mean probability. First each logarithm, then the mean.",
    ),
    Mistake(
        "logarithm_of_the_mean_else_careful",
        _of_counted(lambda z, y: np.log(len(y)) - np.logaddexp.reduce(-_surprises(z, y))),
        "You took the logarithm of the mean probability. First each logarithm, then the mean.",
    ),
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
    Mistake(
        "accuracy",
        _of_counted(lambda logits, targets: (logits.argmax(axis=1) == targets).mean()),
        "You counted how often the likeliest word is the true one. Cross-entropy asks how likely the "
        "true one was.",
    ),
    Mistake(
        "error_rate",
        _of_counted(lambda logits, targets: (logits.argmax(axis=1) != targets).mean()),
        "You counted how often the likeliest word is wrong. Cross-entropy asks how likely the true one was.",
    ),
    Mistake(
        "probability_of_the_target",
        _of_counted(lambda logits, targets: np.exp(-_surprises(logits, targets)).mean()),
        "You averaged the probabilities of the true words. Take minus their logarithms first.",
    ),
    Mistake(
        "logarithm_to_base_10",
        _of_counted(lambda logits, targets: _surprises(logits, targets).mean() / np.log(10)),
        "You took the logarithm to base 10. Take the natural one.",
    ),
    Mistake(
        "mean_over_all_words",
        _of_counted(lambda logits, targets: -log_softmax(logits).mean()),
        "You averaged over all words of the vocabulary. Only the true word of each token counts.",
    ),
    Mistake(
        "largest_surprise",
        _of_counted(lambda logits, targets: _surprises(logits, targets).max()),
        "You took the largest surprise. Take the mean.",
    ),
    Mistake(
        "last_token_alone",
        _of_counted(lambda logits, targets: _surprises(logits, targets)[-1]),
        "You took the last token alone. Take the mean over all that count.",
    ),
    Mistake(
        "entropy_of_the_guess",
        _of_counted(lambda logits, targets: -(softmax(logits) * log_softmax(logits)).sum(axis=1).mean()),
        "That is the entropy of the guess: the targets do not come in. Pick the true word of each row.",
    ),
    Mistake(
        "softmax_twice",
        _of_counted(lambda logits, targets: _surprises(softmax(logits), targets).mean()),
        "You took the softmax twice. log_softmax wants the logits themselves.",
    ),
    Mistake(
        "next_word_picked",
        _of_counted(lambda logits, targets: _surprises(logits, (targets + 1) % logits.shape[1]).mean()),
        "You picked the word after the true one. Ids count from 0, as columns do.",
    ),
    Mistake(
        "divided_by_one_less",
        _of_counted(lambda logits, targets: _surprises(logits, targets).sum() / max(len(targets) - 1, 1)),
        "You divided by one less. Divide by how many tokens count.",
    ),
    Mistake(
        "small_number_added",
        _of_counted(
            lambda logits, targets: -np.log(softmax(logits) + 1e-9)[np.arange(len(targets)), targets].mean()
        ),
        "You added a small number inside the logarithm. It caps a large surprise: use log_softmax.",
    ),
    Mistake(
        "logits_clipped",
        _of_counted(lambda logits, targets: _surprises(np.clip(logits, -50, 50), targets).mean()),
        "You clipped the logits, so large ones become equal. log_softmax needs no such help.",
    ),
    Mistake(
        "number_packed",
        lambda logits, targets: [_of_counted(lambda z, y: _surprises(z, y).mean())(logits, targets)],
        "The number stands in a list or an array. Return the number alone.",
    ),
    Mistake(
        "every_target_at_every_token",
        _of_counted(lambda logits, targets: -log_softmax(logits)[:, targets].mean()),
        "[:, targets] takes every target at every token. Token t has one target: [np.arange(T), targets].",
    ),
    Mistake(
        "divided_by_all_logits",
        _of_counted_and_all(lambda logits, targets, size: _surprises(logits, targets).sum() / size),
        "You divided by how many logits there are. Divide by how many tokens count.",
    ),
    Mistake(
        "largest_of_the_whole_table",
        _of_counted_and_all(lambda logits, targets, size: _less(logits, targets, logits.max())),
        "You took the largest logit of the whole table away. In a row far below it e to all logits is 0: "
        "log_softmax takes the largest of each row.",
    ),
    Mistake(
        "ends_at_the_first_ignored",
        lambda logits, targets: (
            float(_surprises(logits[:n], targets[:n]).mean())
            if (n := int(np.argmax([*(targets == IGNORE), True])))
            else 0.0
        ),
        "You end at the first -100. It can stand anywhere: leave it out, and go on.",
    ),
)
