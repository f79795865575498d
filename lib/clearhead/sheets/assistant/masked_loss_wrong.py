"""More wrong answers of 18.masked_loss."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax


def _surprise(logits, ids):
    return -log_softmax(logits[:-1])[np.arange(len(ids) - 1), ids[1:]]


def _of(surprise):
    """Return the mean of surprise(logits, ids) where the target counts."""
    return lambda logits, ids, counts: surprise(logits, ids)[counts[1:]].mean()


def _by_exponentials(x, ids, counts):
    powers = np.exp(x[:-1])
    p = powers / powers.sum(axis=-1, keepdims=True)
    return -np.log(p[np.arange(len(ids) - 1), ids[1:]])[counts[1:]].mean()


def _masked_first(x, ids, counts):
    return _surprise(x[counts], ids[counts]).mean()


def _mean_of_each_answer(x, ids, counts):
    surprise, counts = _surprise(x, ids), counts[1:]
    answer = np.cumsum(np.diff(counts, prepend=False))[counts]
    return np.mean([surprise[counts][answer == each].mean() for each in set(answer)])


def _both_count(x, ids, counts):
    both = counts[1:] & counts[:-1]
    return (_surprise(x, ids) * both).sum() / max(both.sum(), 1)


MORE = (
    Mistake(
        "first_token_in_the_number",
        lambda x, ids, c: (_surprise(x, ids) * c[1:]).sum() / c.sum(),
        "You divide by how many of all tokens count, the first one included. It is no target: divide by "
        "counts[1:].sum().",
    ),
    Mistake(
        "row_of_the_token_itself",
        _of(lambda x, ids: -log_softmax(x[1:])[np.arange(len(ids) - 1), ids[1:]]),
        "You dropped the first row and the first token, so row t still meets token t. Row t foretells token "
        "t + 1: drop the last row.",
    ),
    Mistake(
        "backwards",
        _of(lambda x, ids: -log_softmax(x[1:])[np.arange(len(ids) - 1), ids[:-1]]),
        "Row t meets token t - 1, which lies behind it. It foretells token t + 1: logits[:-1], ids[1:].",
    ),
    Mistake(
        "in_bits",
        _of(lambda x, ids: _surprise(x, ids) / np.log(2)),
        "Your surprise is in bits. Take the natural logarithm.",
    ),
    Mistake(
        "perplexity_returned",
        lambda x, ids, c: np.exp(_surprise(x, ids)[c[1:]].mean()),
        "You took e to the loss: that is the perplexity. Return the mean surprise itself.",
    ),
    Mistake(
        "mean_probability",
        lambda x, ids, c: np.exp(-_surprise(x, ids)[c[1:]]).mean(),
        "That is the mean probability. Surprise is minus its logarithm, token by token.",
    ),
    Mistake(
        "one_minus_the_probability",
        lambda x, ids, c: (1 - np.exp(-_surprise(x, ids)[c[1:]])).mean(),
        "You took 1 - P. Surprise is -ln P.",
    ),
    Mistake(
        "over_all_words",
        lambda x, ids, c: -log_softmax(x[:-1])[c[1:]].mean(),
        "You took the mean over all words. Each row is asked for one word alone: ids[t + 1].",
    ),
    Mistake(
        "every_row_with_every_target",
        lambda x, ids, c: -log_softmax(x[:-1])[:, ids[1:]][c[1:]].mean(),
        "[:, ids] takes all those words from every row. One from each: [np.arange(T - 1), ids[1:]].",
    ),
    Mistake(
        "likeliest_word",
        lambda x, ids, c: -log_softmax(x[:-1]).max(axis=1)[c[1:]].mean(),
        "You took the likeliest word of each row. Take the word that came: ids[t + 1].",
    ),
    Mistake(
        "zeros_for_what_does_not_count",
        lambda x, ids, c: -log_softmax(x[:-1] * c[1:, None])[np.arange(len(ids) - 1), ids[1:]].mean(),
        "You set the logits to 0 where nothing counts, and those rows still count in the mean. Leave their "
        "surprise out.",
    ),
    Mistake(
        "first_that_counts",
        lambda x, ids, c: _surprise(x, ids)[c[1:]][0],
        "You took the first token that counts. Take the mean over all of them.",
    ),
    Mistake(
        "last_that_counts",
        lambda x, ids, c: _surprise(x, ids)[c[1:]][-1],
        "You took the last token that counts. Take the mean over all of them.",
    ),
    Mistake(
        "median_surprise",
        lambda x, ids, c: np.median(_surprise(x, ids)[c[1:]]),
        "You took the median. The loss is the mean.",
    ),
    Mistake(
        "surprises_returned",
        lambda x, ids, c: _surprise(x, ids)[c[1:]],
        "You returned the surprise of each token. Return their mean, one number.",
    ),
    Mistake(
        "softmax_over_everything",
        _of(lambda x, ids: np.log(np.exp(x[:-1] - x[:-1].max()).sum()) + x[:-1].max()
            - x[np.arange(len(ids) - 1), ids[1:]]),
        "You divided by the sum over all rows. Each row is a distribution of its own: it sums to 1.",
    ),
    Mistake(
        "a_little_added",
        _of(lambda x, ids: -np.log(np.exp(-_surprise(x, ids)) + 1e-9)),
        "You added 1e-9 to P before the logarithm. That caps the surprise near 21: use log_softmax as "
        "it is.",
    ),
    Mistake(
        "a_very_little_added",
        _of(lambda x, ids: -np.log(np.exp(-_surprise(x, ids)) + 1e-12)),
        "You added 1e-12 to P before the logarithm. That caps the surprise near 28: use log_softmax as "
        "it is.",
    ),
    Mistake(
        "logits_as_they_are",
        lambda x, ids, c: -x[:-1][np.arange(len(ids) - 1), ids[1:]][c[1:]].mean(),
        'You took the logits as they are. -ln P needs log_softmax of the row first.',
    ),
    Mistake(
        "exponential_overflows",
        _by_exponentials,
        'Large logits overflow in e to them, and small shares become 0. Take the logarithm of the '
        'softmax in one step: log_softmax.',
    ),
    Mistake(
        "entropy_of_the_row",
        _of(lambda x, ids: -(np.exp(log_softmax(x[:-1])) * log_softmax(x[:-1])).sum(axis=-1)),
        'You took the entropy of each row, which does not know the token that came. Surprise is -ln P '
        'of that token.',
    ),
    Mistake(
        "masked_before_the_shift",
        _masked_first,
        "You took out the rows and tokens that count, and shifted then. The first token of an answer loses "
        "its row so: shift first.",
    ),
    Mistake(
        "places_0_and_1",
        lambda x, ids, c: _surprise(x, ids)[c[1:].astype(int)].mean(),
        "You made whole numbers of the mask, and they pick places 0 and 1. Keep True and False.",
    ),
    Mistake(
        "to_the_end_of_the_text",
        lambda x, ids, c: _surprise(x, ids)[max(c.argmax(), 1) - 1 :].mean(),
        "You count all tokens from the first one that counts. Look at `counts` for each.",
    ),
    Mistake(
        "nothing_for_the_others",
        lambda x, ids, c: np.where(c[1:], _surprise(x, ids), np.nan).mean(),
        "What does not count became NaN in yours, and the mean with it. Leave it out before: counts[1:].",
    ),
    Mistake(
        "mean_of_each_answer",
        _mean_of_each_answer,
        "You took the mean of each answer, and the mean of these. Each token counts alike, whichever answer "
        "it is in.",
    ),
    Mistake(
        "both_must_count",
        _both_count,
        "You count a target only where its row counts, too. The first token of an answer is then lost: "
        "counts[1:] alone.",
    ),
    Mistake(
        "divided_by_the_words",
        lambda x, ids, c: _surprise(x, ids)[c[1:]].sum() / x.shape[1],
        "You divide by the number of words in the table. Divide by how many targets count.",
    ),
)  # fmt: skip
