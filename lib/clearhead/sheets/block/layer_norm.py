"""Cases of 08.layer_norm."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def _is_normalized(y, x, gain, bias, eps):
    return np.allclose(np.mean(y, axis=-1), 0, atol=1e-6) and np.allclose(np.var(y, axis=-1), 1, atol=1e-3)


def cases(rng):
    B, T, D = sizes(rng, 3)
    D += 2
    x, gain, bias = rng.normal(size=(T, D)), rng.normal(size=D), rng.normal(size=D)
    normalized = ("each row has mean 0 and variance 1", _is_normalized)
    return [
        Case(
            "two rows, by hand",
            (np.array([[5.0, 5, 9, 9], [1, 0, 0, 1]]), np.ones(4), np.zeros(4), 0.0),
            "The first row has mean 7 and variance 4, so its differences from the mean, -2 and 2, are "
            "divided by 2.",
            expected=np.array([[-1.0, -1, 1, 1], [1, -1, -1, 1]]),
        ),
        Case(
            "a row of integers",
            (np.array([[5, 5, 9, 9]]), gain[:1].repeat(4), bias[:1].repeat(4), 1e-5),
            "The row holds integers here, but the result has decimals.",
        ),
        Case(
            "a gain of 1 and a bias of 0, with rows far from 0",
            (10.0**8 + 50 * x, np.ones(D), np.zeros(D), 1e-5),
            "Every row is normalized, whatever its mean and its standard deviation are.",
            properties=(normalized,),
        ),
        Case(
            "random gain and bias",
            (x, gain, bias, 1e-5),
            "Multiply by the gain first, then add the bias.",
        ),
        Case(
            "a large epsilon",
            (x, gain, bias, 0.5),
            "Epsilon is added to the variance, inside the square root.",
        ),
        Case(
            "a row of equal numbers, with the default epsilon",
            (np.vstack([x / 100, np.full((1, D), 3.0)]), gain, bias),
            "The variance of the last row is 0, and epsilon prevents a division by 0. No `eps` is "
            "passed here, so it has its default of 1e-5.",
        ),
        Case(
            "a batch of sequences",
            (rng.normal(size=(B, T, D)), gain, bias, 1e-5),
            "The entries of one token lie along the last axis, which is axis=-1.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
