"""14.retrieval_accuracy: Does an image find its caption?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import vision
from clearhead.maths.vectors import unit_vectors

from .retrieval_accuracy_wrong import MORE
from .shared import cosines


def retrieval_accuracy(x, y, labels):
    """Return the share of images x (B, D) whose nearest caption among y (C, D) is labels (B)."""
    return float((vision.retrieve(x, y) == labels).mean())


def _retrieval_cases(rng):
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


def _share(found, labels):
    return float((found == labels).mean())


EXERCISE = Exercise(
    id="14.retrieval_accuracy",
    title="Does an image find its caption?",
    reference=retrieval_accuracy,
    cases=_retrieval_cases,
    hints=(
        "One row of cosines for each image. Where is the largest?",
        "Bring the rows to length 1, multiply, take argmax along the captions, compare with the labels.",
        "found = (x̂ @ ŷ.T).argmax(axis=1); return (found == labels).mean().",
    ),
    mistakes=(
        Mistake(
            "lengths_of_captions_count",
            lambda x, y, labels: _share((x @ y.T).argmax(axis=1), labels),
            "You compared products, so the length of a caption counts. Bring the rows of y to length 1.",
        ),
        Mistake(
            "distance_not_direction",
            lambda x, y, labels: _share(((x[:, None] - y) ** 2).sum(-1).argmin(axis=1), labels),
            "You compared distances. The towers are trained by direction: use cosines.",
        ),
        Mistake(
            "furthest",
            lambda x, y, labels: _share(cosines(x, y).argmin(axis=1), labels),
            "You took the smallest cosine. The nearest caption has the largest.",
        ),
        Mistake(
            "sign_dropped",
            lambda x, y, labels: _share(np.abs(cosines(x, y)).argmax(axis=1), labels),
            "You dropped the sign of the cosine. A caption that points the other way is not near.",
        ),
        Mistake(
            "search_begins_at_zero",
            lambda x, y, labels: _share(np.maximum(cosines(x, y), 0).argmax(axis=1), labels),
            "Your search begins with 0 as the best so far, so a cosine below 0 is never found. Use argmax.",
        ),
        Mistake(
            "captions_choose",
            lambda x, y, labels: float((labels[cosines(x, y).argmax(axis=0)] == np.arange(len(y))).mean()),
            "Your captions choose images. Here each image chooses: argmax along the captions, axis=1.",
        ),
        Mistake(
            "count_not_share",
            lambda x, y, labels: float((vision.retrieve(x, y) == labels).sum()),
            "You returned a number of images. Divide by how many there are.",
        ),
        Mistake(
            "errors_counted",
            lambda x, y, labels: float((vision.retrieve(x, y) != labels).mean()),
            "You returned the share of errors. One minus it is the accuracy.",
        ),
        Mistake(
            "labels_not_used",
            lambda x, y, labels: float((vision.retrieve(x, y) == np.arange(len(x))).mean()),
            "You compared with 0, 1, 2, ... That holds in a training batch of pairs. Here use the labels.",
        ),
        Mistake(
            "divided_by_the_captions",
            lambda x, y, labels: float((vision.retrieve(x, y) == labels).sum() / len(y)),
            "You divided by the number of captions. The share is of images.",
        ),
        Mistake(
            "percent",
            lambda x, y, labels: 100 * retrieval_accuracy(x, y, labels),
            "You returned per cent. A share lies between 0 and 1.",
        ),
        Mistake(
            "lengths_of_columns",
            lambda x, y, labels: _share((x @ (y / np.linalg.norm(y, axis=0)).T).argmax(axis=1), labels),
            "You divided by the lengths of the columns. Each caption is a row: axis=1.",
        ),
        Mistake(
            "one_of_the_best_two",
            lambda x, y, labels: np.mean(
                [
                    label in row
                    for label, row in zip(labels, np.argsort(-cosines(x, y), axis=1)[:, :2], strict=True)
                ]
            ),
            "You let the second best count. The nearest caption must be the right one.",
        ),
        Mistake(
            "mean_cosine",
            lambda x, y, labels: cosines(x, y)[np.arange(len(x)), labels].mean(),
            "That is the mean cosine with the right caption. Count how often it is the largest.",
        ),
        Mistake(
            "mean_over_captions",
            lambda x, y, labels: np.mean(
                [
                    (cosines(x, y).argmax(axis=1) == labels)[labels == label].mean()
                    for label in np.unique(labels)
                ]
            ),
            "You averaged over the captions. Average over the images.",
        ),
        Mistake(
            "each_image_returned",
            lambda x, y, labels: cosines(x, y).argmax(axis=1) == labels,
            "You returned True or False for each image. Return the share of them.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda x, y, labels: np.mean(
            [np.argmax(unit_vectors(y) @ row) == k for row, k in zip(x, labels, strict=True)]
        ),
        lambda x, y, labels: _share(
            ((unit_vectors(x)[:, None] - unit_vectors(y)) ** 2).sum(-1).argmin(1), labels
        ),
    ),
    stars=1,
    minutes=10,
)
