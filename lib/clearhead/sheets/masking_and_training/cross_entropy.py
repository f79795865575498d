"""09.cross_entropy: Cross-entropy."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import losses
from clearhead.maths.softmax import log_softmax, softmax

from .cross_entropy_wrong import MORE
from .shared import IGNORE, sizes


def cross_entropy(logits, targets):
    """Return the mean of -log p(target) over logits (T, V) and targets (T), those of -100 left out."""
    return losses.cross_entropy(logits, targets)


def _surprises(logits, targets):
    """Return which targets count, and the surprise at each."""
    counts = targets != IGNORE
    rows = np.arange(len(targets))
    return counts, np.where(counts, -log_softmax(logits)[rows, np.where(counts, targets, 0)], 0)


def _loss_with(finish):
    """Return a loss made of finish(surprises, counts)."""
    return lambda logits, targets: finish(*_surprises(logits, targets)[::-1])


def _overflowing(logits, targets):
    """Return the loss by way of a softmax without the shift, and a logarithm of what may be 0."""
    counts = targets != IGNORE
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        return -np.log(p[counts, targets[counts]]).sum() / max(counts.sum(), 1)


def _by_softmax(care):
    """Return a loss that takes the logarithm of care(probabilities), which may be 0."""

    def loss(logits, targets):
        counts = targets != IGNORE
        with np.errstate(all="ignore"):
            p = care(softmax(logits)[counts, targets[counts]])
            return -np.log(p).sum() / max(counts.sum(), 1)

    return loss


def _minus_the_logit(logits, targets):
    counts = targets != IGNORE
    return -logits[counts, targets[counts]].sum() / max(counts.sum(), 1)


def _by_tokens(logits, targets):
    """Return the loss with a loop, by log-sum-exp."""
    surprises = [
        np.logaddexp.reduce(row) - row[target]
        for row, target in zip(logits, targets, strict=True)
        if target != IGNORE
    ]
    return sum(surprises) / max(len(surprises), 1)


def _over_tokens(logits, targets):
    """Return the loss by a softmax that runs over the tokens."""
    counts = targets != IGNORE
    picked = log_softmax(logits.T).T[counts, targets[counts]]
    return -picked.sum() / max(counts.sum(), 1)


def _loss_cases(rng):
    T, V = sizes(rng, 2)
    logits, targets = rng.normal(size=(T + 3, V)), rng.integers(0, V, size=T + 3)
    targets[0] = 0  # word 0 is a word like any other
    some = targets.copy()
    some[1 + rng.permutation(T + 2)[:2]] = IGNORE
    large = 2000 * logits
    large[np.arange(T + 3), targets] -= 10_000  # no true word is likely: their mean probability is 0, too
    large[0, :2] = 3000, 6000
    at_least_zero = ("a loss is not below 0", lambda loss, *given: np.all(np.asarray(loss) >= -1e-12))
    return [
        Case(
            "four words, nothing known, by hand",
            (np.zeros((2, 4)), np.array([1, 3])),
            "Each word has probability 1/4. The loss is ln 4, about 1.386.",
            expected=1.3862943611,
        ),
        Case("random logits", (2 * logits, targets), "Minus the log of the true word's probability, at each "
             "token. Then the mean.", properties=(at_least_zero,)),
        Case("two targets ignored", (logits, some), "-100 is no word: leave these targets out, "
             "and divide by how many are left.",
             properties=(at_least_zero,)),
        Case("logits of thousands", (large, some), "Does it survive large logits? Use log_softmax."),
        Case("everything ignored", (logits, np.full(T + 3, IGNORE)), "With nothing to count the loss is 0, "
             "not NaN."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="09.cross_entropy",
    title="Cross-entropy",
    reference=cross_entropy,
    cases=_loss_cases,
    hints=(
        "For each token: softmax of its logits, the probability of the true word, minus its logarithm. Then "
        "the mean of those that count.",
        "log_softmax(logits) does softmax and logarithm in one, safely. Rows that count: targets != -100.",
        "keep = targets != -100; picked = log_softmax(logits[keep])[np.arange(keep.sum()), targets[keep]]; "
        "then -picked.sum() / max(keep.sum(), 1).",
    ),
    mistakes=(
        Mistake(
            "sum_not_mean",
            _loss_with(lambda surprise, counts: surprise.sum()),
            "You added the surprises up. The loss is their mean, so that long and short texts compare.",
        ),
        Mistake(
            "divided_by_all",
            _loss_with(lambda surprise, counts: surprise.mean()),
            "You divided by the number of all targets. Divide by the number of those that count.",
        ),
        Mistake(
            "sign_forgotten",
            _loss_with(lambda surprise, counts: -surprise.sum() / max(counts.sum(), 1)),
            "Your loss has the wrong sign. The logarithm of a probability is never above 0: put a minus in "
            "front.",
        ),
        Mistake(
            "bits_not_nats",
            _loss_with(lambda surprise, counts: surprise.sum() / max(counts.sum(), 1) / np.log(2)),
            "You used the logarithm to base 2. Losses here are in nats: the natural logarithm.",
        ),
        Mistake(
            "one_minus_the_probability",
            _loss_with(lambda surprise, counts: (1 - np.exp(-surprise))[counts].sum() / max(counts.sum(), 1)),
            "You took 1 minus the probability. The surprise is minus its logarithm.",
        ),
        Mistake(
            "overflows",
            _overflowing,
            "Large logits overflow, or a probability is rounded to 0 and its logarithm is -inf. Use "
            "log_softmax.",
        ),
        Mistake(
            "loss_becomes_infinite",
            _by_softmax(lambda p: p),
            "A probability was rounded to 0, or e to large logits became infinite. log_softmax avoids both.",
        ),
        Mistake(
            "probability_clipped",
            _by_softmax(lambda p: np.maximum(p, 1e-12)),
            "You kept the probability above a small number. That hides the rounding, and the loss is too "
            "small. log_softmax needs no such help.",
        ),
        Mistake(
            "word_0_left_out",
            lambda logits, targets: losses.cross_entropy(logits, np.where(targets > 0, targets, IGNORE)),
            "You left out word 0 as well. Only -100 is left out: compare with it, targets != -100.",
        ),
        Mistake(
            "minus_the_logit",
            _minus_the_logit,
            "You averaged the logits of the true words. A logit is no probability yet: log_softmax first.",
        ),
        Mistake(
            "perplexity_returned",
            lambda logits, targets: np.exp(losses.cross_entropy(logits, targets)),
            "This is the perplexity, e to the loss. Return the loss itself.",
        ),
        Mistake(
            "nan_when_all_is_ignored",
            _loss_with(lambda surprise, counts: surprise.sum() / counts.sum() if counts.any() else np.nan),
            "With nothing to count you divide 0 by 0. Divide by at least 1.",
        ),
        Mistake(
            "over_the_tokens",
            _over_tokens,
            "Your softmax runs over the tokens. Each token has its own distribution over the words: the last "
            "axis.",
        ),
        Mistake(
            "ignored_targets_are_word_0",
            lambda logits, targets: _by_tokens(logits, np.where(targets == IGNORE, 0, targets)),
            "You count an ignored target as if it were word 0. Leave it out of the sum and of the count.",
        ),
        *MORE,
    ),
    alternatives=(_by_tokens,),
    stars=3,
    minutes=25,
)
