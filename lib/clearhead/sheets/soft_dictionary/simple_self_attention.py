"""Cases of 04.simple_self_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    rows = (
        ("each row of A sums to 1", lambda out, X: np.allclose(np.asarray(out[1]).sum(axis=1), 1)),
        ("Z has the shape of X", lambda out, X: np.shape(out[0]) == X.shape),
    )
    long = np.zeros((4, 6))  # scores of 4097 and 4098
    long[:, :3] = [[64, 1, 0], [64, 2, 0], [-20, 0, 5], [0, 30, -9]]
    apple = np.array([[0, 0, 0], [2, 0, 0], [0, 0, 0], [1, 1, 0]])
    return [
        Case(
            "two vectors at a right angle, worked by hand",
            (np.sqrt(np.log(3)) * np.array([[1.0, 0, 0], [0, 0, 1]]),),
            "the scores are ln 3 and 0, so the weights of a row are 3/4 and 1/4",
            expected=(
                np.sqrt(np.log(3)) * np.array([[0.75, 0, 0.25], [0.25, 0, 0.75]]),
                np.array([[0.75, 0.25], [0.25, 0.75]]),
            ),
            properties=rows,
        ),
        Case(
            "I ate an apple",
            (apple,),
            "row i of A belongs to word i: softmax runs along each row",
            1,
            properties=rows,
        ),
        Case(
            "a vector that looks away from itself",
            (np.array([[1.0, 0, 0], [5, 1, 0]]),),
            "the score of the first with itself is 1, with the second 5",
            properties=(*rows, ("the first looks more at the second", lambda out, X: out[1][0][1] > 0.98)),
        ),
        Case("fresh numbers", (rng.normal(size=(5, 3)),), "", 2, properties=rows),
        Case(
            "long vectors",
            (long,),
            "the scores of the first word are 4097, 4098 and less, so two of its weights are not 0. Subtract "
            "the largest score of each row before the exponential",
            properties=rows,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
