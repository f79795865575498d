"""More wrong answers of 08.layer_norm."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.layers import layer_norm


def _along(axis):
    """Return a norm along other axes than the last."""

    def norm(x, gain, bias, epsilon=1e-5):
        y = x - x.mean(axis=axis, keepdims=True)
        return gain * y / np.sqrt(x.var(axis=axis, keepdims=True) + epsilon) + bias

    return norm


def _two_means(x, gain, bias, epsilon=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True) - mean**2
    return gain * (x - mean) / np.sqrt(variance + epsilon) + bias


def _spread_not_squared(x, gain, bias, epsilon=1e-5):
    y = x - x.mean(axis=-1, keepdims=True)
    return gain * y / np.sqrt(np.abs(y).mean(axis=-1, keepdims=True) + epsilon) + bias


MORE = (
    Mistake(
        "sum_of_squares",
        lambda x, gain, bias, epsilon=1e-5: (
            gain
            * (y := x - x.mean(axis=-1, keepdims=True))
            / np.sqrt((y**2).sum(axis=-1, keepdims=True) + epsilon)
            + bias
        ),
        "You took the sum of the squares. The variance is their mean.",
    ),
    Mistake(
        "epsilon_of_its_own",
        lambda x, gain, bias, e=1e-5: layer_norm(x, gain, bias, 1e-5),
        "You wrote a number for epsilon. Use the argument.",
    ),
    Mistake(
        "bias_subtracted",
        lambda x, gain, bias, epsilon=1e-5: layer_norm(x, gain, -bias, epsilon),
        "You subtracted the bias. Add it.",
    ),
    Mistake(
        "gain_added",
        lambda x, gain, bias, epsilon=1e-5: layer_norm(x, np.ones_like(gain), gain + bias, epsilon),
        "You added the gain. Multiply by it.",
    ),
    Mistake(
        "one_added_to_the_gain",
        lambda x, gain, bias, epsilon=1e-5: layer_norm(x, 1 + gain, bias, epsilon),
        "You multiplied by 1 + gain, as some models do. Multiply by the gain itself.",
    ),
    Mistake(
        "another_default",
        lambda x, gain, bias, epsilon=1e-6: layer_norm(x, gain, bias, epsilon),
        "Your epsilon is 1e-6 where none is given. The stub has epsilon=1e-5: leave it so.",
    ),
    Mistake(
        "squares_minus_the_square_of_the_mean",
        _two_means,
        "Your variance is the mean of the squares minus the square of the mean. Far from 0 both are large, "
        "and their difference loses its digits: subtract the mean first, then square.",
    ),
    Mistake(
        "axis_1",
        _along(1),
        "Your axis is 1, which is the last one of a table alone. Several sentences have three axes: axis=-1.",
    ),
    Mistake(
        "one_mean_for_each_sentence",
        lambda x, gain, bias, epsilon=1e-5: np.array([_along(None)(row, gain, bias, epsilon) for row in x]),
        "You took one mean for each x[0], x[1], ..., which are tables where there are several sentences. "
        "Each token has its own mean: axis=-1, keepdims=True.",
    ),
    Mistake(
        "deviations_not_squared",
        _spread_not_squared,
        "You took the mean of the absolute values. The variance is the mean of the squares.",
    ),
    Mistake(
        "epsilon_as_a_floor",
        lambda x, gain, bias, epsilon=1e-5: (
            gain * (x - x.mean(-1, keepdims=True)) / np.maximum(x.std(-1, keepdims=True), epsilon) + bias
        ),
        "You divide by the larger one, epsilon or the root. Add epsilon to the variance, under the root.",
    ),
    Mistake(
        "epsilon_as_a_floor_of_the_variance",
        lambda x, gain, bias, epsilon=1e-5: (
            gain * (x - x.mean(-1, keepdims=True)) / np.sqrt(np.maximum(x.var(-1, keepdims=True), epsilon))
            + bias
        ),
        "You take the larger one, epsilon or the variance. Add epsilon to the variance, under the root.",
    ),
    Mistake(
        "squares_of_the_row_itself",
        lambda x, gain, bias, epsilon=1e-5: (
            gain * (x - x.mean(-1, keepdims=True)) / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon) + bias
        ),
        "You squared x itself for the variance. Square what is left when the mean is subtracted.",
    ),
    Mistake(
        "in_float32",
        lambda x, gain, bias, epsilon=1e-5: layer_norm(x.astype(np.float32), gain, bias, epsilon),
        "You compute in float32, which keeps seven digits: too few for rows far from 0. Leave x as it is.",
    ),
)
