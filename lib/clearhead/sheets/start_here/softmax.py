"""Cases of 00.softmax."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def _sums_to_one(weights, z, axis):
    return np.allclose(weights.sum(axis=axis), 1)


def cases(rng):
    rows, columns, depth = different_sizes(rng, 3, 5, 11)
    one = ("the weights sum to 1 along the axis", _sums_to_one)
    positive = ("no weight is negative", lambda weights, z, axis: (weights >= 0).all())
    scores = rng.normal(size=(rows, columns))
    far = np.array(
        [
            [10000.0, 10001.0, 9999.0],
            [-10000.0, -10002.0, -9999.0],
            [1e4, -1e4, 9999],
            [-1e4, -2e4, -1e4],
            [2, 1, 0],
        ]
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
            (scores, -1),
            "axis=-1 is the last axis, here the same as axis=1: each row sums to 1.",
            1,
            None,
            (one, positive),
        ),
        Case(
            "three axes, along the last one, with 100 added to all scores",
            (np.stack([scores, -scores]) + 100, 2),
            "axis=2 is the last of three. The 100 change nothing: only differences between scores count.",
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


EXERCISE = exercise_from_text(__file__, cases)
