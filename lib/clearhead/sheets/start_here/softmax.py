"""00.softmax: Softmax along any axis."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import different_sizes


def softmax(z, axis):
    """Return the scores as positive weights that sum to 1 along one axis, same shape as z (...)."""
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _softmax_in_place(z, axis):
    z -= z.max(axis=axis, keepdims=True)
    return softmax(z, axis)


def _exponentials(z, axis):
    return np.exp(z - z.max(axis=axis, keepdims=True))


def _sums_to_one(weights, z, axis):
    return np.allclose(weights.sum(axis=axis), 1)


def _softmax_cases(rng):
    rows, columns, depth = different_sizes(rng, 3)
    one = ("the weights sum to 1 along the axis", _sums_to_one)
    positive = ("no weight is negative", lambda weights, z, axis: (weights >= 0).all())
    scores = rng.normal(size=(rows, columns))
    far = np.array(
        [[10000.0, 10001.0, 9999.0], [-10000.0, -10002.0, -9999.0], [1e4, -1e4, 9999], [-1e4, -2e4, -1e4]]
    )
    blocked = np.array([[0.0, -np.inf, np.log(3)], [-np.inf, 5.0, -np.inf], [-2e3, -np.inf, -2e3]])
    return [
        Case(
            "three scores, worked by hand",
            (np.log([1.0, 2.0, 5.0]), 0),
            "e to the scores is 1, 2 and 5. Together 8.",
            expected=np.array([1 / 8, 2 / 8, 5 / 8]),
        ),
        Case(
            "down the columns of a 2 by 3 table, worked by hand",
            (np.log([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), 0),
            "with axis=0, it is each column that sums to 1.",
            expected=np.array([[0.25, 0.5, 0.75], [0.75, 0.5, 0.25]]),
            properties=(one,),
        ),
        Case(
            "along the rows of a table",
            (scores, 1),
            "with axis=1, each row sums to 1.",
            1,
            None,
            (one, positive),
        ),
        Case(
            "the same scores with 100 added to all: the weights do not change",
            (scores + 100, -1),
            "a softmax sees only differences between scores.",
        ),
        Case(
            "three axes, along the middle one",
            (rng.normal(size=(rows, columns, depth)), 1),
            "keepdims=True keeps the summed axis as size 1, so that the division lines up.",
            2,
            properties=(one,),
        ),
        Case(
            "scores near 10,000 and near -10,000",
            (far, 1),
            "e to the 10,000 overflows to infinity. Take each row's own largest score away first.",
            2,
        ),
        Case(
            "a score of minus infinity gets the weight 0",
            (blocked, 1),
            "e to the minus infinity is 0: nothing special is needed once the largest score is finite.",
            expected=np.array([[0.25, 0, 0.75], [0, 1, 0], [0.5, 0, 0.5]]),
        ),
    ]


EXERCISE = Exercise(
    "00.softmax",
    "Softmax along any axis",
    reference=softmax,
    cases=_softmax_cases,
    hints=(
        "Two steps: e to the power of every score, then divide by the sum along the axis.",
        "z.max(axis=axis, keepdims=True) keeps the axis with size 1, so it can be taken away from z. "
        "sum works alike.",
        "e = np.exp(z - largest along the axis), then e divided by its sum along the axis, both with "
        "keepdims=True.",
    ),
    mistakes=(
        Mistake(
            "always_the_last_axis",
            lambda z, axis: softmax(z, -1),
            "The answer sums along the last axis, whatever `axis` says. Hand `axis` on to max and to sum.",
        ),
        Mistake(
            "overflows",
            lambda z, axis: np.exp(z) / np.exp(z).sum(axis=axis, keepdims=True),
            "Right for small scores, but e to a large score is infinite. Take the largest score "
            "along the axis away first.",
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
            "`z -= ...` changes the caller's own array. Write z = z - ..., which makes a new one.",
        ),
        Mistake(
            "logarithms_returned",
            lambda z, axis: np.log(np.maximum(softmax(z, axis), 0)),
            "These are the logarithms of the weights. Return the weights themselves.",
        ),
        Mistake(
            "smallest_taken_away",
            lambda z, axis: (
                (e := np.exp(z - z.min(axis=axis, keepdims=True))) / e.sum(axis=axis, keepdims=True)
            ),
            "What you took away is less than the largest score: powers still overflow. Take the largest.",
        ),
        Mistake(
            "divided_by_the_largest",
            lambda z, axis: np.exp(z - z.max(axis=axis, keepdims=True)),
            "You divided by the largest e^z, not by their sum. Then the largest weight is 1.",
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
    ),
    alternatives=(
        lambda z, axis: np.exp(z - np.logaddexp.reduce(z, axis=axis, keepdims=True)),
        lambda z, axis: np.moveaxis(softmax(np.moveaxis(z, axis, -1), -1), -1, axis),
    ),
    stars=2,
    minutes=10,
)
