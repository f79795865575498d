"""More wrong answers of 10.perplexity."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax


def _surprises(logits, targets):
    return -log_softmax(logits)[np.arange(len(targets)), targets]


def _of(value):
    return lambda logits, targets: value(_surprises(logits, targets))


MORE = (
    Mistake(
        "every_row_with_every_target",
        lambda logits, targets: np.exp(-log_softmax(logits)[:, targets].mean()),
        "[:, targets] takes all those words at every place. One word from each: [np.arange(T), targets].",
    ),
    Mistake(
        "one_for_each_word",
        _of(np.exp),
        "You returned a number for each word. Return one: e to the mean surprise.",
    ),
    Mistake(
        "shifted_once_more",
        lambda logits, targets: np.exp(_surprises(logits[:-1], targets[1:]).mean()),
        "You shifted the targets. Here targets[t] is the word that came at place t already.",
    ),
    Mistake(
        "divided_by_all_logits",
        lambda logits, targets: np.exp(_surprises(logits, targets).sum() / logits.size),
        "You divided by how many logits there are. Divide by the number of places.",
    ),
    Mistake(
        "divided_by_the_words",
        lambda logits, targets: np.exp(np.minimum(_surprises(logits, targets).sum() / logits.shape[1], 700)),
        "You divided by the number of words V. Divide by the number of places T.",
    ),
    Mistake(
        "ten_to_the_nats",
        _of(lambda s: 10.0 ** s.mean()),
        "You took 10 to a mean in nats. With natural logarithms it is e.",
    ),
    Mistake(
        "root_mean_square_surprise",
        _of(lambda s: np.exp(np.sqrt((s**2).mean()))),
        "You took the root of the mean square. Take the mean surprise.",
    ),
    Mistake(
        "first_word_left_out",
        lambda logits, targets: np.exp(_surprises(logits, targets)[1:].mean()),
        "The first word is missing. All places count.",
    ),
    Mistake(
        "last_word_left_out",
        lambda logits, targets: np.exp(_surprises(logits, targets)[:-1].mean()),
        "The last word is missing. All places count.",
    ),
    Mistake(
        "one_taken_away",
        _of(lambda s: np.exp(s.mean()) - 1),
        "You took 1 away. Who is always sure has the perplexity 1.",
    ),
    Mistake(
        "logits_for_logarithms",
        lambda logits, targets: np.exp(np.clip(-logits[np.arange(len(targets)), targets].mean(), -700, 700)),
        "You took the logits for logarithms of probabilities. Take log_softmax first.",
    ),
    Mistake(
        "surprises_returned",
        _of(lambda s: s),
        "You returned the surprise of each word. Return e to their mean.",
    ),
    Mistake(
        "a_little_added",
        _of(lambda s: np.exp(-np.log(np.exp(-s) + 1e-9).mean())),
        "You added 1e-9 to the probability, or clipped it there, so no surprise is above 21. Use "
        "log_softmax as it is.",
    ),
    Mistake(
        "a_very_little_added",
        _of(lambda s: np.exp(-np.log(np.exp(-s) + 1e-12).mean())),
        "You added 1e-12 to the probability, or clipped it there, so no surprise is above 28. Use "
        "log_softmax as it is.",
    ),
    Mistake(
        "sum_overflows",
        lambda logits, targets: np.exp(
            (np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(targets)), targets]).mean()
        ),
        "The sum of e to large logits is infinite. log_softmax takes the largest of each row away first.",
    ),
)
