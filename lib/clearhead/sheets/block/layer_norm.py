"""08.layer_norm: Layer norm."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.layers import layer_norm

from .layer_norm_wrong import MORE
from .shared import different_sizes


def _norm_with(middle=None, spread=None, last=None):
    """Return a norm that subtracts, divides or ends in its own way; each part sees x, the last one also y."""

    def mean(x):
        return x.mean(axis=-1, keepdims=True)

    def root(x, epsilon):
        return np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)

    def norm(x, gain, bias, epsilon=1e-5):
        y = (x - (middle or mean)(x)) / (spread or root)(x, epsilon)
        return last(y, gain, bias) if last else gain * y + bias

    return norm


def _is_normalized(y, x, gain, bias, epsilon):
    return np.allclose(np.mean(y, axis=-1), 0, atol=1e-6) and np.allclose(np.var(y, axis=-1), 1, atol=1e-3)


def _norm_cases(rng):
    B, T, D = different_sizes(rng, 3)
    D += 2
    x, gain, bias = rng.normal(size=(T, D)), rng.normal(size=D), rng.normal(size=D)
    normalized = ("each row has mean 0 and variance 1", _is_normalized)
    return [
        Case(
            "two rows, by hand",
            (np.array([[5.0, 5, 9, 9], [1, 0, 0, 1]]), np.ones(4), np.zeros(4), 0.0),
            "The first row has mean 7 and variance 4, so its numbers are -2 and 2, divided by 2.",
            expected=np.array([[-1.0, -1, 1, 1], [1, -1, -1, 1]]),
        ),
        Case(
            "a row of whole numbers",
            (np.array([[5, 5, 9, 9]]), gain[:1].repeat(4), bias[:1].repeat(4), 1e-5),
            "What goes in is whole, and what comes out is not.",
        ),
        Case(
            "gain 1 and bias 0, rows far from 0",
            (10.0**8 + 50 * x, np.ones(D), np.zeros(D), 1e-5),
            "The mean and the spread of a row must not matter.",
            properties=(normalized,),
        ),
        Case(
            "random gain and bias",
            (x, gain, bias, 1e-5),
            "Stretch first, then shift: times the gain, then plus the bias.",
        ),
        Case("a large epsilon", (x, gain, bias, 0.5), "Epsilon is added to the variance, under the root."),
        Case(
            "a row of equal numbers",
            (np.vstack([x / 100, np.full((1, D), 3.0)]), gain, bias),
            "Its variance is 0. What keeps you from dividing by 0? Here no epsilon is given: it is 1e-5.",
        ),
        Case(
            "several sentences at once",
            (rng.normal(size=(B, T, D)), gain, bias, 1e-5),
            "The numbers of one token lie along the last axis, axis=-1.",
        ),
    ]


EXERCISE = Exercise(
    id="08.layer_norm",
    title="Layer norm",
    reference=layer_norm,
    cases=_norm_cases,
    hints=(
        "Each row alone: which axis holds the numbers of one token? And how do you keep that axis, so that "
        "the shapes fit?",
        "x.mean(axis=-1, keepdims=True) is the mean of each row. The variance is the mean of the squares of "
        "what is left.",
        "centred / np.sqrt(variance + epsilon), then times gain, then plus bias.",
    ),
    mistakes=(
        Mistake(
            "unbiased_variance",
            _norm_with(spread=lambda x, e: np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + e)),
            "You divided the squares by D - 1. PyTorch's layer norm divides by D: take their mean (ddof=0).",
        ),
        Mistake(
            "as_in_the_annotated_transformer",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True, ddof=1) + e),
            "This is the form of the Annotated Transformer: D - 1 below the squares, epsilon outside the "
            "root. PyTorch's has D, and epsilon inside.",
        ),
        Mistake(
            "epsilon_outside_the_root",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True) + e),
            "You added epsilon after the root. It belongs to the variance: √(variance + epsilon).",
        ),
        Mistake(
            "epsilon_forgotten",
            _norm_with(spread=lambda x, e: x.std(axis=-1, keepdims=True)),
            "Epsilon is missing. Without it, a row of equal numbers is divided by 0.",
        ),
        Mistake(
            "divided_by_the_variance",
            _norm_with(spread=lambda x, e: x.var(axis=-1, keepdims=True) + e),
            "You divided by the variance. Divide by its square root, so that the variance becomes 1.",
        ),
        Mistake(
            "mean_over_tokens",
            lambda x, gain, bias, e=1e-5: (
                gain * (x - x.mean(axis=-2, keepdims=True)) / np.sqrt(x.var(axis=-2, keepdims=True) + e)
                + bias
            ),
            "You normalized each column over the tokens. Layer norm works along each row: axis=-1.",
        ),
        Mistake(
            "one_mean_for_all",
            _norm_with(middle=lambda x: x.mean(), spread=lambda x, e: np.sqrt(x.var() + e)),
            "You took one mean and one variance for the whole table. Each row has its own: axis=-1, "
            "keepdims=True.",
        ),
        Mistake(
            "mean_not_subtracted",
            _norm_with(
                middle=lambda x: 0, spread=lambda x, e: np.sqrt((x**2).mean(axis=-1, keepdims=True) + e)
            ),
            "You divided each row by the root of its mean square, as RMS norm does. Subtract the mean of "
            "the row first.",
        ),
        Mistake(
            "gain_and_bias_forgotten",
            _norm_with(last=lambda y, gain, bias: y),
            "The rows are normalized rightly. Multiply by the gain and add the bias at the end.",
        ),
        Mistake(
            "bias_forgotten",
            _norm_with(last=lambda y, gain, bias: gain * y),
            "The gain is right. Add the bias at the end.",
        ),
        Mistake(
            "bias_before_gain",
            _norm_with(last=lambda y, gain, bias: gain * (y + bias)),
            "You added the bias before you multiplied. Multiply by the gain first, then add the bias.",
        ),
        Mistake(
            "gain_forgotten",
            _norm_with(last=lambda y, gain, bias: y + bias),
            "The bias is right. Multiply by the gain before you add it.",
        ),
        Mistake(
            "gain_and_bias_exchanged",
            _norm_with(last=lambda y, gain, bias: bias * y + gain),
            "Gain and bias have changed places: multiply by the gain, add the bias.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda x, gain, bias, e=1e-5: (
            (x - x.mean(-1)[..., None]) * (x.var(-1)[..., None] + e) ** -0.5 * gain + bias
        ),
        lambda x, gain, bias, e=1e-5: np.apply_along_axis(
            lambda row: (row - row.mean()) / np.sqrt(row.var() + e) * gain + bias, -1, x
        ),
    ),
    stars=1,
    minutes=10,
)
