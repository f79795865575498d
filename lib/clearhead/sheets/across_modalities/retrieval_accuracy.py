"""Cases of 14.retrieval_accuracy."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.vectors import unit_vectors


def cases(rng):
    C, D, B = (int(size) for size in rng.permutation([5, 7, 11]))
    y = rng.normal(size=(C, D)) * np.linspace(0.2, 3, C)[:, None]
    labels = rng.integers(C, size=B)
    x = unit_vectors(y)[labels] * rng.uniform(0.2, 4, size=(B, 1)) + 0.5 * rng.normal(size=(B, D))
    share = ("it is a share, from 0 to 1", lambda share, *_: 0 <= share <= 1)
    captions = np.array([[1.0, 0], [0, 1], [6, 6]])
    images = np.array([[2.0, 0.1], [0.1, 0.3], [3, 0.2], [1, 0.9]])
    return [
        Case(
            "four images, three captions, by hand",
            (images, captions, np.array([0, 1, 2, 2])),
            "By direction the images belong to captions 0, 1, 0 and 2. The third is labelled 2.",
            expected=0.75,
        ),
        Case("random vectors", (x, y, labels), "One caption for each image.", properties=(share,)),
        Case("other vectors", (x[::-1][:-2], y, labels[:-2]), "Compare by cosine.", properties=(share,)),
        Case("all right", (5 * y, y, np.arange(C)), "Each caption is nearest to itself.", expected=1.0),
        Case(
            "five images, two captions",
            (
                np.array([[3.0, 1], [2, 0.1], [0.2, 1], [0.1, 4], [5, 1]]),
                np.eye(2),
                np.array([0, 0, 1, 1, 0]),
            ),
            "Images 0, 1 and 4 are all nearest to caption 0: each image looks, not each caption.",
            expected=1.0,
        ),
        Case(
            "all captions point away",
            (np.array([[-3.0, -1], [-1, -2], [-9, -10]]), captions, np.array([1, 0, 1])),
            "All cosines are below 0. The nearest caption has the largest: two of three images find theirs.",
            expected=2 / 3,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
