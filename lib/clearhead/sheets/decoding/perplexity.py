"""10.perplexity: Perplexity."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import losses
from clearhead.maths.softmax import log_softmax, softmax

from .perplexity_wrong import MORE


def perplexity(logits, targets):
    """Return e to the mean surprise of targets (T) under logits (T, V)."""
    return losses.perplexity(logits, targets)


def _surprises(logits, targets):
    return -log_softmax(logits)[np.arange(len(targets)), targets]


def _of_surprises(finish):
    """Return an answer made of finish(surprises)."""
    return lambda logits, targets: float(finish(_surprises(logits, targets)))


def _log_of_softmax(logits, targets):
    with np.errstate(all="ignore"):
        return np.log(softmax(logits)[np.arange(len(targets)), targets])


def _power(base, exponent):
    with np.errstate(all="ignore"):
        return np.float64(base) ** exponent


def _with_overflow(logits, targets):
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return float(np.exp(-np.log(p[np.arange(len(targets)), targets]).mean()))


def _perplexity_cases(rng):
    T, V = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    logits, targets = rng.normal(size=(T, V)), rng.integers(0, V, size=T)
    at_least_one = ("a perplexity is 1 or more", lambda out, *given: np.all(np.asarray(out) >= 1 - 1e-12))
    return [
        Case(
            "one half and one eighth, by hand",
            (np.log([[0.5, 0.5], [0.125, 0.875]]), np.array([0, 0])),
            "1/2 and 1/8: the surprises are ln 2 and ln 8, their mean is ln 4. Perplexity 4.",
            expected=4.0,
        ),
        Case("five equal words", (np.zeros((T, 5)), np.full(T, 2)), "Who guesses among 5 has perplexity 5.",
             expected=5.0),
        Case("random logits", (logits, targets), "Surprise, mean, and e to it.", properties=(at_least_one,)),
        Case("a longer text", (2 * rng.normal(size=(30, V)), rng.integers(0, V, size=30)),
             "It does not grow with the length.", properties=(at_least_one,)),
        Case("logits of thousands", (np.array([[3000.0, 0.0], [2999.0, 3000.0]]), np.array([0, 0])),
             "Does e to a logit overflow? Use log_softmax."),
        Case("one word out of the question", (np.vstack([np.zeros((19, 2)), [[0.0, 900.0]]]),
                                              np.zeros(20, dtype=int)),
             "Its probability is rounded to 0, its logarithm is -900. Use log_softmax."),
        Case("two thousand words", (rng.normal(size=(2000, V)), rng.integers(0, V, size=2000)),
             "A product of 2,000 probabilities is rounded to 0. Take the mean of the logarithms."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="10.perplexity",
    title="Perplexity",
    reference=perplexity,
    cases=_perplexity_cases,
    hints=(
        "Three steps: the surprise at each true word, their mean, and e to it.",
        "log_softmax(logits)[np.arange(len(targets)), targets] picks one log-probability from each row.",
        "np.exp(-log_softmax(logits)[np.arange(len(targets)), targets].mean())",
    ),
    mistakes=(
        Mistake(
            "loss_returned",
            _of_surprises(np.mean),
            "This is the mean surprise, in nats. Perplexity is e to it.",
        ),
        Mistake(
            "sum_not_mean",
            _of_surprises(lambda s: np.exp(s.sum())),
            "You added the surprises up, so a longer text is worse. Take their mean.",
        ),
        Mistake(
            "mean_of_inverses",
            _of_surprises(lambda s: np.exp(s).mean()),
            "You took the mean of 1/p. First the mean of the surprises, then e to it.",
        ),
        Mistake(
            "inverse_of_the_mean",
            _of_surprises(lambda s: 1 / np.exp(-s).mean()),
            "You took 1 over the mean probability. Probabilities multiply: average their logarithms.",
        ),
        Mistake(
            "sign_forgotten",
            _of_surprises(lambda s: np.exp(-s.mean())),
            "Your number is below 1. The logarithm of a probability is negative: a minus is missing.",
        ),
        Mistake(
            "two_to_the_nats",
            _of_surprises(lambda s: 2 ** s.mean()),
            "You took 2 to a mean in nats. With natural logarithms it is e; with base 2 it is 2.",
        ),
        Mistake(
            "logarithm_of_zero",
            lambda logits, targets: float(np.exp(-_log_of_softmax(logits, targets).mean())),
            "A probability was rounded to 0, and its logarithm is -inf. log_softmax never makes that 0.",
        ),
        Mistake(
            "product_of_probabilities",
            _of_surprises(lambda s: _power(np.prod(np.exp(-s)), -1 / len(s))),
            "You multiplied all probabilities, and a long product is rounded to 0. Average the logarithms.",
        ),
        Mistake(
            "surprise_of_the_likeliest",
            lambda logits, targets: float(np.exp(-log_softmax(logits).max(axis=-1).mean())),
            "You took the likeliest word at each place. Take the word that came: targets.",
        ),
        Mistake(
            "over_all_words",
            lambda logits, targets: float(np.exp(-log_softmax(logits).mean())),
            "You averaged over all words. Pick one log-probability from each row, that of its target.",
        ),
        Mistake(
            "over_the_tokens",
            lambda logits, targets: float(
                np.exp(-log_softmax(logits.T).T[np.arange(len(targets)), targets].mean())
            ),
            "Your softmax runs over the places. Each place has its own distribution: the last axis.",
        ),
        Mistake(
            "overflows",
            _with_overflow,
            "Large logits overflow. log_softmax does softmax and logarithm in one, safely.",
        ),
        Mistake(
            "power_of_the_bits",
            _of_surprises(lambda s: np.exp(s.mean() / np.log(2))),
            "You measured in bits, and took a power of e. Bits go with powers of 2, nats with powers of e.",
        ),
        Mistake(
            "median_surprise",
            _of_surprises(lambda s: np.exp(np.median(s))),
            "You took the median. Take the mean of the surprises.",
        ),
        Mistake(
            "worst_word_alone",
            _of_surprises(lambda s: np.exp(s.max())),
            "That is the worst word alone. Take the mean of all surprises.",
        ),
        Mistake(
            "last_word_alone",
            _of_surprises(lambda s: np.exp(s[-1])),
            "That is the last word alone. Take the mean of all surprises.",
        ),
        Mistake(
            "surprise_expected",
            lambda logits, targets: np.exp(-(softmax(logits) * log_softmax(logits)).sum(axis=1).mean()),
            "You took the mean over all words, weighted: that is what the model expects. Take the "
            "words that came.",
        ),
        Mistake(
            "surprises_squared",
            _of_surprises(lambda s: np.exp((s**2).mean())),
            "You squared the surprises. Take their mean as they are.",
        ),
        *MORE,
    ),
    alternatives=(
        _of_surprises(lambda s: 2 ** (s / np.log(2)).mean()),
        _of_surprises(lambda s: np.prod(np.exp(s / len(s)))),
    ),
    stars=2,
    minutes=10,
)  # fmt: skip
