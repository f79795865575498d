"""Cases of 10.perplexity."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, V = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    logits, targets = rng.normal(size=(T, V)), rng.integers(0, V, size=T)
    at_least_one = ("a perplexity is 1 or more", lambda out, *given: np.all(np.asarray(out) >= 1 - 1e-12))
    return [
        Case(
            "one half and one eighth, by hand",
            (np.log([[0.5, 0.5], [0.125, 0.875]]), np.array([0, 0])),
            "For 1/2 and 1/8 the surprisals are ln 2 and ln 8. Their mean is ln 4, so the perplexity is 4.",
            expected=4.0,
        ),
        Case("five equally probable words", (np.zeros((T, 5)), np.full(T, 2)),
             "A model that gives 5 words the same probability has perplexity 5.",
             expected=5.0),
        Case("random logits", (logits, targets),
             "Take the surprisals, then their mean, and then its exponential.", properties=(at_least_one,)),
        Case("a longer text", (2 * rng.normal(size=(30, V)), rng.integers(0, V, size=30)),
             "Perplexity is an average, so it does not grow with the length of the text.",
             properties=(at_least_one,)),
        Case("logits in the thousands", (np.array([[3000.0, 0.0], [2999.0, 3000.0]]), np.array([0, 0])),
             "Exponentials of logits in the thousands overflow. Use log_softmax, which avoids them."),
        Case("one word with a tiny probability", (np.vstack([np.zeros((19, 2)), [[0.0, 900.0]]]),
                                              np.zeros(20, dtype=int)),
             "The probability of this word is rounded to 0, but its logarithm is -900. Use log_softmax."),
        Case("two thousand words", (rng.normal(size=(2000, V)), rng.integers(0, V, size=2000)),
             "A product of 2,000 probabilities is rounded to 0. Take the mean of the logarithms."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
