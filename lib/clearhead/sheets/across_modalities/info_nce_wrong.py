"""More wrong answers of 14.info_nce."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax


def _unit(x, axis=1):
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def _sides(S):
    """Return the mean surprise of the rows, and that of the columns."""
    return -np.diag(log_softmax(S)).mean(), -np.diag(log_softmax(S.T)).mean()


def _loss(scores=lambda x, y, t: _unit(x) @ _unit(y).T / t, join=lambda S: sum(_sides(S)) / 2):
    """Return join of scores(x, y, temperature)."""
    return lambda x, y, temperature: join(scores(x, y, temperature))


def _sharper_rows(x, y, t):
    S = _unit(x) @ _unit(y).T
    return (_sides(S / t)[0] + _sides(S)[1]) / 2


MORE = (
    Mistake(
        "columns_of_length_1",
        _loss(lambda x, y, t: _unit(x, 0) @ _unit(y, 0).T / t),
        "You brought the columns to length 1. Each vector is a row: axis=1, keepdims=True.",
    ),
    Mistake(
        "one_length_for_all",
        _loss(lambda x, y, t: (x / np.linalg.norm(x)) @ (y / np.linalg.norm(y)).T / t),
        "You divided by the length of the whole table. Each row has its own: axis=1, keepdims=True.",
    ),
    Mistake(
        "divided_by_the_squared_length",
        _loss(lambda x, y, t: x / (x**2).sum(1, keepdims=True) @ (y / (y**2).sum(1, keepdims=True)).T / t),
        "You divided by the squared length. Divide by its root.",
    ),
    Mistake(
        "divided_by_the_sum",
        _loss(
            lambda x, y, t: x / np.abs(x).sum(1, keepdims=True) @ (y / np.abs(y).sum(1, keepdims=True)).T / t
        ),
        "You divided by the sum of the sizes. The length is the root of the sum of the squares.",
    ),
    Mistake(
        "in_bits",
        _loss(join=lambda S: sum(_sides(S)) / 2 / np.log(2)),
        "Your surprise is in bits. Take the natural logarithm.",
    ),
    Mistake(
        "the_larger_of_both",
        _loss(join=lambda S: max(_sides(S))),
        "You took the larger of the two losses. Take their mean.",
    ),
    Mistake(
        "all_pairs_averaged",
        _loss(join=lambda S: -(log_softmax(S).mean() + log_softmax(S.T).mean()) / 2),
        "You took the mean over all pairs. Only partners count: the diagonal.",
    ),
    Mistake(
        "all_pairs_added_up",
        _loss(join=lambda S: -(log_softmax(S).sum() + log_softmax(S.T).sum()) / 2 / len(S)),
        "You added up all pairs. Only partners count: the diagonal.",
    ),
    Mistake(
        "distances_for_cosines",
        _loss(lambda x, y, t: -((_unit(x)[:, None] - _unit(y)) ** 2).sum(axis=2) / t),
        "You took squared distances, which count each cosine twice. Compare by cosine.",
    ),
    Mistake(
        "temperature_on_rows_alone",
        _sharper_rows,
        "You divided by the temperature for the rows alone. Divide for the columns, too.",
    ),
    Mistake(
        "root_of_the_temperature",
        _loss(lambda x, y, t: _unit(x) @ _unit(y).T / np.sqrt(t)),
        "You divided by the root of the temperature. Divide by it.",
    ),
    Mistake(
        "e_to_the_temperature",
        _loss(lambda x, y, t: _unit(x) @ _unit(y).T * np.exp(t)),
        "You multiplied by e to the temperature. Divide by it.",
    ),
    Mistake(
        "partners_alone",
        _loss(join=lambda S: -np.diag(S).mean()),
        "You took the scores of the partners alone. Compare with all others: -log_softmax.",
    ),
    Mistake(
        "cosines_missing_to_one",
        _loss(lambda x, y, t: _unit(x) @ _unit(y).T, lambda S: (1 - np.diag(S)).mean()),
        "You took 1 minus the cosine of the partners. Each chooses among all: -log_softmax.",
    ),
    Mistake(
        "mean_surprise_of_the_best",
        _loss(join=lambda S: -(log_softmax(S).max(axis=1).mean() + log_softmax(S.T).max(axis=1).mean()) / 2),
        "You took the likeliest choice of each row. Take the partner: the diagonal.",
    ),
    Mistake(
        "one_loss_for_each_pair",
        _loss(join=lambda S: -(np.diag(log_softmax(S)) + np.diag(log_softmax(S.T))) / 2),
        "You returned a loss for each pair. Return the mean.",
    ),
    Mistake(
        "x_against_itself",
        _loss(lambda x, y, t: _unit(x) @ _unit(x).T / t),
        "You compared x with x. Compare x with y.",
    ),
    Mistake(
        "softmax_over_the_whole_table",
        _loss(join=lambda S: -np.mean(np.diag(S) - S.max() - np.log(np.exp(S - S.max()).sum()))),
        "You divided by the sum over the whole table. Each row, and each column, is a choice of its own.",
    ),
)
