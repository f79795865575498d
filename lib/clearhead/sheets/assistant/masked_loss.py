"""18.masked_loss: Only the answer counts."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import log_softmax, softmax

from .masked_loss_wrong import MORE


def masked_loss(logits, ids, counts):
    """Return the mean of -ln P(ids[t+1]), by the logits (T, V) of place t, where counts[t+1] is True."""
    surprise = -log_softmax(logits[:-1])[np.arange(len(ids) - 1), ids[1:]]
    return surprise[counts[1:]].mean()


def _with(
    logits=lambda x: x[:-1], ids=lambda ids: ids[1:], counts=lambda c: c[1:], join=None, logs=log_softmax
):
    """Return the loss with other rows, other targets, another mask or another mean."""

    def loss(x, i, c):
        targets = ids(i)
        surprise = -logs(logits(x))[np.arange(len(targets)), targets]
        chosen = counts(c)
        return surprise[chosen].mean() if join is None else join(surprise, chosen, i)

    return loss


def _by_loop(logits, ids, counts):
    total, number = 0.0, 0
    for t in range(len(ids) - 1):
        if counts[t + 1]:
            total -= log_softmax(logits[t])[ids[t + 1]]
            number += 1
    return total / number


_by_weights = _with(join=lambda surprise, chosen, i: np.average(surprise, weights=chosen))


def _cases(rng):
    T, V = int(rng.integers(7, 10)), int(rng.integers(11, 15))
    ids, logits = rng.integers(0, V, size=T), 3 * rng.normal(size=(T, V))
    ids[0], ids[-1] = 0, 1  # the ends differ
    answer = np.arange(T) >= T - 3
    two = np.isin(np.arange(T), (2, 3, T - 1))
    last = np.arange(T) == T - 1
    hand = np.log(np.array([[1.0, 1, 2], [1, 1, 6], [3, 1, 4]]))
    return [
        Case(
            "three tokens, by hand",
            (hand, np.array([0, 1, 2]), np.array([False, False, True])),
            "Only the last token counts. It is foretold by the row before it: 6 of 8, so ln(8/6).",
            expected=np.log(8 / 6),
        ),
        Case("a question and its answer", (logits, ids, answer), "Row t foretells token t + 1."),
        Case("two answers in one text", (logits, ids, two), "The mask belongs to the targets."),
        Case("the last token alone", (logits, ids, last), "One token counts: its surprise is the loss."),
        Case("everything counts", (logits, ids, np.ones(T, dtype=bool)), "T tokens have T - 1 targets."),
        Case(
            "logits far from 0",
            (500 * logits, ids, answer),
            "Take the logarithm of the softmax in one step: `log_softmax`.",
            properties=(("the loss is a number", lambda loss, *_: np.isfinite(loss).all()),),
        ),
    ]


def _log_of_softmax(x):
    with np.errstate(divide="ignore"):
        return np.log(softmax(x))


EXERCISE = Exercise(
    id="18.masked_loss",
    title="Only the answer counts",
    reference=masked_loss,
    cases=_cases,
    hints=(
        "Row t of the logits foretells token t + 1. So the last row and the first token have no partner.",
        "surprise = -log_softmax(logits[:-1])[np.arange(T - 1), ids[1:]] is one number a target.",
        "counts[1:] says which targets count: return surprise[counts[1:]].mean()",
    ),
    mistakes=(
        Mistake(
            "not_shifted",
            _with(logits=lambda x: x, ids=lambda i: i, counts=lambda c: c),
            "You compare row t with token t, which the model has just read. Row t foretells token t + 1.",
        ),
        Mistake(
            "mask_not_shifted",
            _with(counts=lambda c: c[:-1]),
            "Your mask is one place late: it drops the first token of the answer. It belongs to the targets, "
            "counts[1:].",
        ),
        Mistake(
            "question_in_place_of_the_answer",
            _with(
                join=lambda s, c, i: s[~c].mean() if (~c).any() else 0.0,
            ),
            "You count where counts is False: that is the question. Count the answer.",
        ),
        Mistake(
            "everything_counted",
            _with(join=lambda s, c, i: s.mean()),
            "You count the question as well. Only where counts is True does a target count.",
        ),
        Mistake(
            "divided_by_all",
            _with(join=lambda s, c, i: (s * c).mean()),
            "You divide by the number of all targets. Divide by the number of those that count.",
        ),
        Mistake(
            "summed",
            _with(join=lambda s, c, i: s[c].sum()),
            "That is the sum. A loss is the mean over the tokens that count.",
        ),
        Mistake(
            "logits_for_logarithms",
            _with(logits=lambda x: x[:-1], join=None, logs=lambda x: x - x.max()),
            "You took the logits for logarithms of probabilities. Take log_softmax of each row first.",
        ),
        Mistake(
            "log_of_softmax",
            _with(logs=_log_of_softmax),
            "Your softmax has become 0, and its logarithm is infinite. Take log_softmax, which does both at "
            "once.",
        ),
        Mistake(
            "sign_forgotten",
            _with(join=lambda s, c, i: -s[c].mean()),
            "Your loss is negative. Surprise is minus the logarithm.",
        ),
        Mistake(
            "divided_by_the_tokens",
            _with(join=lambda s, c, i: s[c].sum() / len(i)),
            "You divide by all tokens of the text. Divide by the number of those that count.",
        ),
        Mistake(
            "softmax_over_the_tokens",
            _with(logs=lambda x: log_softmax(x.T).T),
            "Your softmax runs over the tokens. It runs over the words: each row sums to 1.",
        ),
        Mistake(
            "logarithm_of_the_mean",
            _with(join=lambda s, c, i: -np.log(np.exp(-s[c]).mean())),
            "You take the logarithm of a mean probability. Take the mean of the logarithms.",
        ),
        Mistake(
            "softmax_over_all_the_tokens",
            lambda x, i, c: -log_softmax(x.T).T[np.arange(len(i) - 1), i[1:]][c[1:]].mean(),
            "Your softmax runs over the tokens. It runs over the words: each row sums to 1.",
        ),
        Mistake(
            "first_token_at_the_end",
            lambda x, i, c: _with(lambda x: x, lambda i: np.roll(i, -1), lambda c: np.roll(c, -1))(x, i, c),
            "Your last row foretells the first token, as np.roll brings it there. It has no partner: leave "
            "it out.",
        ),
        Mistake(
            "rolled_without_the_mask",
            _with(lambda x: x, lambda i: np.roll(i, -1), lambda c: c),
            "You moved the ids, and not the mask. counts[t + 1] belongs to row t.",
        ),
        Mistake(
            "softmax_twice",
            _with(logs=lambda x: log_softmax(softmax(x))),
            "You took log_softmax of a softmax. Once is enough: log_softmax(logits).",
        ),
        Mistake(
            "words_not_hit",
            lambda x, i, c: (x[:-1].argmax(axis=1) != i[1:])[c[1:]].mean(),
            "That is how often the likeliest word is wrong. The loss is the mean of -ln P.",
        ),
        Mistake(
            "rows_from_the_beginning",
            lambda x, i, c: _with(lambda x: x[: c[1:].sum()], lambda i: i[1:][c[1:]], lambda c: slice(None))(
                x, i, c
            ),
            "The targets that count meet the first rows. Each belongs to the row before it: mask rows and "
            "targets alike.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop, _by_weights),
    stars=1,
    minutes=10,
)
