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
            "The exponentials of the scores are 1, 2 and 5, and they sum to 8.",
            expected=np.array([1 / 8, 2 / 8, 5 / 8]),
        ),
        Case(
            "the columns of a 2 by 3 matrix, worked by hand",
            (np.log([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), 0),
            "With `axis=0`, each column must sum to 1.",
            expected=np.array([[0.25, 0.5, 0.75], [0.75, 0.5, 0.25]]),
            properties=(one,),
        ),
        Case(
            "the rows of a matrix",
            (scores, -1),
            "`axis=-1` is the last axis, which is axis 1 here, so each row must sum to 1.",
            1,
            None,
            (one, positive),
        ),
        Case(
            "three axes, along the last one, with 100 added to every score",
            (np.stack([scores, -scores]) + 100, 2),
            "Here `axis=2` is the last of three axes. Adding 100 to every score changes no weight, because "
            "only the differences between scores matter.",
        ),
        Case(
            "three axes, along the middle one",
            (rng.normal(size=(rows, columns, depth)), 1),
            "Here the sum runs along the middle axis. With `keepdims=True` this axis keeps size 1, so that "
            "the division broadcasts along it.",
            2,
            properties=(one,),
        ),
        Case(
            "scores near 10,000 and near -10,000",
            (far, 1),
            "The exponential of 10,000 overflows to infinity, so subtract the largest score of each row "
            "first.",
            2,
        ),
        Case(
            "scores of minus infinity",
            (blocked, 1),
            "The exponential of minus infinity is 0, so such a score has weight 0. Each row has at "
            "least one finite score.",
            expected=np.array([[0.25, 0, 0.75], [0, 1, 0], [0.5, 0, 0.5]]),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
