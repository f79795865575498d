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
            "two perpendicular vectors, worked by hand",
            (np.sqrt(np.log(3)) * np.array([[1.0, 0, 0], [0, 0, 1]]),),
            "The scores are ln 3 and 0, so the weights of a row are 3/4 and 1/4.",
            expected=(
                np.sqrt(np.log(3)) * np.array([[0.75, 0, 0.25], [0.25, 0, 0.75]]),
                np.array([[0.75, 0.25], [0.25, 0.75]]),
            ),
            properties=rows,
        ),
        Case(
            "the sentence I ate an apple",
            (apple,),
            "Row i of A belongs to word i, so the softmax runs along each row.",
            1,
            properties=rows,
        ),
        Case(
            "a vector that gives another one more weight than itself",
            (np.array([[1.0, 0, 0], [5, 1, 0]]),),
            "The score of the first vector with itself is 1, and with the second vector it is 5.",
            properties=(
                *rows,
                (
                    "the first vector gives the second one a weight above 0.98",
                    lambda out, X: out[1][0][1] > 0.98,
                ),
            ),
        ),
        Case("random vectors", (rng.normal(size=(5, 3)),), "", 2, properties=rows),
        Case(
            "long vectors",
            (long,),
            "The first word has scores of 4097 and 4098, and both of them get a weight. Subtract the "
            "largest score of each row before the exponential.",
            properties=rows,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
