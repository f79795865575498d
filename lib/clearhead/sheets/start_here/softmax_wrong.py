"""The wrong answers of 00.softmax."""

import numpy as np

from clearhead.checks.exercise import Mistake

from .shared import softmax


def _softmax_in_place(z, axis):
    z -= z.max(axis=axis, keepdims=True)
    return softmax(z, axis)


def _other_axes_as_the_last(z, axis):
    return softmax(z.T, -1).T if axis == 0 else softmax(z, -1)


def _mean_taken_away(z, axis):
    e = np.exp(z - np.mean(z, axis=axis, keepdims=True, where=np.isfinite(z)))
    return e / e.sum(axis=axis, keepdims=True)


def _largest_size_taken_away(z, axis):
    sizes = np.where(np.isfinite(z), np.abs(z), 0)
    e = np.exp(z - sizes.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _exponentials(z, axis):
    return np.exp(z - z.max(axis=axis, keepdims=True))


MISTAKES = (
    Mistake(
        "always_the_last_axis",
        lambda z, axis: softmax(z, -1),
        "The answer sums along the last axis, whatever `axis` says. Hand `axis` on to max and to sum.",
    ),
    Mistake(
        "overflows",
        lambda z, axis: np.exp(z) / np.exp(z).sum(axis=axis, keepdims=True),
        "Right for scores near 0, but e to a large score is infinite, and e to one far below 0 is 0. "
        "Take the largest score along the axis away first.",
    ),
    Mistake(
        "one_maximum_for_all",
        lambda z, axis: np.exp(z - z.max()) / np.exp(z - z.max()).sum(axis=axis, keepdims=True),
        "The largest score of the whole array was taken away, so a row far below it becomes 0 / 0. "
        "Take the largest along the axis.",
    ),
    Mistake(
        "a_finite_number_for_minus_infinity",
        lambda z, axis: softmax(np.where(z == -np.inf, -1000.0, z), axis),
        "You put a finite number in place of minus infinity. Where all other scores lie far below it, it "
        "takes all the weight. Leave minus infinity as it is.",
    ),
    Mistake(
        "keepdims_forgotten",
        lambda z, axis: _exponentials(z, axis) / _exponentials(z, axis).sum(axis=axis),
        "max or sum lost its axis, so it lines up with another one or not at all. Write keepdims=True.",
    ),
    Mistake(
        "axis_never_used",
        lambda z, axis: np.exp(z - z.max()) / np.exp(z - z.max()).sum(),
        "All the weights together sum to 1, not each row or column. Give `axis` to max and to sum.",
    ),
    Mistake(
        "sum_over_everything",
        lambda z, axis: _exponentials(z, axis) / _exponentials(z, axis).sum(),
        "max has its axis but sum has none, so all the weights together sum to 1. Give `axis` to sum.",
    ),
    Mistake(
        "no_exponential",
        lambda z, axis: z / z.sum(axis=axis, keepdims=True),
        "The scores themselves were divided by their sum. Scores can be negative: raise e to them first.",
    ),
    Mistake(
        "wrote_into_its_argument",
        _softmax_in_place,
        "The caller's own array was changed, as by `z -= ...`. Write z = z - ..., which makes a new one.",
    ),
    Mistake(
        "logarithms_returned",
        lambda z, axis: np.log(np.maximum(softmax(z, axis), 0)),
        "These are the logarithms of the weights. Return the weights themselves.",
    ),
    Mistake(
        "not_the_largest_taken_away",
        lambda z, axis: (e := np.exp(z - z.min(axis=axis, keepdims=True))) / e.sum(axis=axis, keepdims=True),
        "What you took away is less than the largest score: powers can still overflow. Take the largest.",
    ),
    Mistake(
        "not_divided_by_the_sum",
        lambda z, axis: np.exp(z - z.max(axis=axis, keepdims=True)),
        "The largest weight is 1, as after a division by the largest e^z. Divide by their sum.",
    ),
    Mistake(
        "mean_in_place_of_the_sum",
        lambda z, axis: softmax(z, axis) * z.shape[axis],
        "You divided by the mean. Divide by the sum, and the weights sum to 1.",
    ),
    Mistake(
        "powers_of_ten",
        lambda z, axis: softmax(z * np.log(10), axis),
        "You took powers of 10. Take powers of e: np.exp.",
    ),
    Mistake(
        "sizes_shared_out",
        lambda z, axis: np.abs(z) / np.maximum(np.abs(z).sum(axis=axis, keepdims=True), 1e-300),
        "You shared out the scores without their sign. Take e to the power of each score first: np.exp.",
    ),
    Mistake(
        "infinity_replaced_by_zero",
        lambda z, axis: softmax(np.where(np.isinf(z), 0, z), axis),
        "You put 0 in the place of minus infinity, and e to the 0 is 1. Leave it: e to the minus "
        "infinity is 0.",
    ),
    Mistake(
        "other_axes_as_the_last",
        _other_axes_as_the_last,
        "Right for the first axis and for the last one, but another axis is treated as the last. "
        "Hand `axis` on to max and to sum.",
    ),
    Mistake(
        "mean_taken_away",
        _mean_taken_away,
        "You took the mean away. The largest score can still lie far above it, so its power overflows: "
        "take the largest away.",
    ),
    Mistake(
        "other_axes_as_the_second",
        lambda z, axis: softmax(z, min(axis, 1)),
        "Right for a table, but where there are three axes you sum along axis 1 when `axis` is 2. "
        "Hand `axis` on to max and to sum.",
    ),
    Mistake(
        "largest_size_taken_away",
        _largest_size_taken_away,
        "You took the largest size away, whatever the sign: scores that are all far below 0 become 0 / 0. "
        "Take the largest score.",
    ),
)
