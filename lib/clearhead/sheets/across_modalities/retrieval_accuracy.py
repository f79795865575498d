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
    share = ("the result is a fraction between 0 and 1", lambda share, *_: 0 <= share <= 1)
    captions = np.array([[1.0, 0], [0, 1], [6, 6]])
    images = np.array([[2.0, 0.1], [0.1, 0.3], [3, 0.2], [1, 0.9]])
    return [
        Case(
            "four images, three captions, by hand",
            (images, captions, np.array([0, 1, 2, 2])),
            "By direction, the captions nearest to the images are 0, 1, 0 and 2. The third image has "
            "the label 2.",
            expected=0.75,
        ),
        Case(
            "random vectors", (x, y, labels), "Find the nearest caption of each image.", properties=(share,)
        ),
        Case(
            "other vectors",
            (x[::-1][:-2], y, labels[:-2]),
            "Compare the vectors by their cosines.",
            properties=(share,),
        ),
        Case(
            "images with the directions of their captions",
            (5 * y, y, np.arange(C)),
            "Every image has exactly the direction of its own caption, so all of them find it.",
            expected=1.0,
        ),
        Case(
            "five images and two captions",
            (
                np.array([[3.0, 1], [2, 0.1], [0.2, 1], [0.1, 4], [5, 1]]),
                np.eye(2),
                np.array([0, 0, 1, 1, 0]),
            ),
            "Images 0, 1 and 4 are all nearest to caption 0, because several images can have the same "
            "caption.",
            expected=1.0,
        ),
        Case(
            "only negative cosines",
            (np.array([[-3.0, -1], [-1, -2], [-9, -10]]), captions, np.array([1, 0, 1])),
            "All cosines are negative, and the nearest caption has the largest of them. Two of the "
            "three images find their caption.",
            expected=2 / 3,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
