"""More wrong answers of 14.retrieval_accuracy."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def _cosines(x, y):
    return _unit(x) @ _unit(y).T


def _found(choose):
    """Return the share of images for which choose(x, y) gives the label."""
    return lambda x, y, labels: float((choose(x, y) == labels).mean())


MORE = (
    Mistake(
        "columns_brought_to_length_1",
        _found(
            lambda x, y: ((x / np.linalg.norm(x, axis=0)) @ (y / np.linalg.norm(y, axis=0)).T).argmax(axis=1)
        ),
        "You brought the columns to length 1. A vector is a row: take its norm along the last axis.",
    ),
    Mistake(
        "captions_look_for_images",
        lambda x, y, labels: float(np.mean(_cosines(x, y).argmax(axis=0)[labels] == np.arange(len(x)))),
        "You looked for the nearest image of each caption: axis 0. Each image looks for its caption: axis=1.",
    ),
    Mistake(
        "divided_by_the_squared_length",
        _found(lambda x, y: (x @ (y / (y**2).sum(axis=1, keepdims=True)).T).argmax(axis=1)),
        "You divided captions by their squared length. Divide by the length: the root of the sum of squares.",
    ),
    Mistake(
        "divided_by_the_sum",
        _found(lambda x, y: (x @ (y / np.abs(y).sum(axis=1, keepdims=True)).T).argmax(axis=1)),
        "You divided captions by the sum of their sizes. Divide by the length: the root of the sum of "
        "squares.",
    ),
    Mistake(
        "mean_taken_off",
        _found(
            lambda x, y: _cosines(x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)).argmax(axis=1)
        ),
        "You took the mean off each row first: that is a correlation. Compare by cosine.",
    ),
    Mistake(
        "distance_of_unit_images",
        _found(lambda x, y: ((_unit(x)[:, None] - y) ** 2).sum(axis=2).argmin(axis=1)),
        "You took the distance, and the captions keep their lengths. Compare by cosine.",
    ),
    Mistake(
        "second_best",
        _found(lambda x, y: np.argsort(_cosines(x, y), axis=1)[:, -2]),
        "You took the second nearest caption. Take the nearest.",
    ),
    Mistake(
        "cosine_above_a_half",
        lambda x, y, labels: float((_cosines(x, y)[np.arange(len(x)), labels] > 0.5).mean()),
        "You asked whether the cosine with the right caption is above 0.5. Ask whether it is the largest.",
    ),
    Mistake(
        "cosine_above_zero",
        lambda x, y, labels: float((_cosines(x, y)[np.arange(len(x)), labels] > 0).mean()),
        "You asked whether the cosine with the right caption is above 0. Ask whether it is the largest.",
    ),
    Mistake(
        "mean_softmax",
        lambda x, y, labels: float(
            (np.exp(_cosines(x, y)) / np.exp(_cosines(x, y)).sum(axis=1, keepdims=True))[
                np.arange(len(x)), labels
            ].mean()
        ),
        "That is a mean probability. Count the images whose nearest caption is the right one.",
    ),
    Mistake(
        "largest_column_sum",
        lambda x, y, labels: float((_cosines(x, y).sum(axis=0).argmax() == labels).mean()),
        "You took one caption for all images. Each has its own nearest: argmax along axis 1.",
    ),
    Mistake(
        "captions_found",
        lambda x, y, labels: _cosines(x, y).argmax(axis=1),
        "You returned the captions that were found. Compare them with the labels, and take the mean.",
    ),
    Mistake(
        "whole_division",
        lambda x, y, labels: int((_cosines(x, y).argmax(axis=1) == labels).sum()) // len(x),
        "You divide without a remainder (//), so only 0 and 1 come out. Divide with /.",
    ),
    Mistake(
        "captions_of_the_labels_alone",
        lambda x, y, labels: float((_cosines(x, y[labels]).argmax(axis=1) == np.arange(len(x))).mean()),
        "You compared with the captions of the labels, in their order. A caption that stands there twice "
        "then counts once: search in y, and compare with the labels.",
    ),
    Mistake(
        "rounded",
        lambda x, y, labels: round(float((_cosines(x, y).argmax(axis=1) == labels).mean()), 2),
        "You rounded the share. Return it as it is.",
    ),
    Mistake(
        "softmax_over_the_images",
        _found(lambda x, y: (np.exp(c := _cosines(x, y)) / np.exp(c).sum(axis=0)).argmax(axis=1)),
        "You let the images share each caption (a softmax along axis 0) before you chose. Compare the "
        "cosines of one image.",
    ),
)
