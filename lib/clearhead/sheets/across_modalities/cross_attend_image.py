"""Cases of 14.cross_attend_image."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

#: Scores of thousands, whole numbers; for the first row two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def cases(rng):
    T, S, D, d, e = (int(size) for size in rng.permutation([3, 5, 6, 7, 8]))
    question, patches = rng.normal(size=(T, D)), rng.normal(size=(S, D))
    W_q, W_k, W_v = (rng.normal(size=(D, size)) for size in (d, d, e))
    sums = ("each row of A sums to 1", lambda out, *_: np.allclose(np.sum(out[1], axis=1), 1))
    red = np.sqrt(2) * np.log(8) * np.array([[1.0, 0, 0, 0]])
    seen = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0]])
    colour, shape = np.eye(4)[:, :2], np.eye(4)[:, 2:]
    return [
        Case(
            "the word red and a red disc, by hand",
            (red, seen, colour, colour, shape),
            "After the division by √2, the scores are ln 8, 0 and 0, so the weights are 0.8, 0.1 and 0.1.",
            expected=(np.array([[0.8, 0.1]]), np.array([[0.8, 0.1, 0.1]])),
        ),
        Case(
            "random words and patches",
            (question, patches, W_q, W_k, W_v),
            "Both results have one row per word.",
            properties=(sums,),
        ),
        Case(
            "one word and many patches",
            (question[:1], np.vstack([patches, 2 * patches[::-1]]), W_q, W_k, W_v),
            "A has one row, with one column per patch.",
            properties=(sums,),
        ),
        Case(
            "large scores",
            (LARGE[:2], LARGE, np.eye(4), np.eye(4), np.arange(1.0, 13).reshape(4, 3)),
            "Some scores are in the thousands, so subtract the largest score of each row before the "
            "exponential. Two scores of the first row differ by only 1.",
            properties=(sums,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
