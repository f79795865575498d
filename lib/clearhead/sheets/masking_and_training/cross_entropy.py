"""Cases of 09.cross_entropy."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import IGNORE, sizes


def cases(rng):
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
            "four equally probable words, by hand",
            (np.zeros((2, 4)), np.array([1, 3])),
            "Each word has probability 1/4, so the loss is ln 4, about 1.386.",
            expected=1.3862943611,
        ),
        Case("random logits", (2 * logits, targets),
             "The loss is the mean of minus the logarithms of the true words' probabilities.",
             properties=(at_least_zero,)),
        Case("two ignored targets", (logits, some),
             "A target of -100 is ignored: leave it out, and divide by the number of targets that are "
             "left.",
             properties=(at_least_zero,)),
        Case("logits in the thousands", (large, some),
             "Exponentials of logits in the thousands overflow. Use log_softmax, which avoids them."),
        Case("only ignored targets", (logits, np.full(T + 3, IGNORE)),
             "If every target is ignored, the loss is 0, not NaN."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
