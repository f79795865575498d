"""The wrong answers of 02.ppmi."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths import embeddings


def ppmi(C):
    """Return the positive pointwise mutual information (T, S) of counts C (T, S)."""
    return embeddings.ppmi(C)


def _ratio(C):
    chance = C.sum(axis=1, keepdims=True) * C.sum(axis=0) / C.sum()
    return C / np.where(chance > 0, chance, 1)


def _quietly(function):
    """Return the function, without NumPy's warnings about logarithms of 0."""

    def answer(C):
        with np.errstate(all="ignore"):
            return function(C)

    return answer


def _over_chance(C):
    chance = C.sum(axis=1, keepdims=True) * C.sum(axis=0) / (C.sum() or 1)
    return C / np.where(chance > 0, chance, 1)


@_quietly
def log_of_ratio(C):
    """Return the logarithm of the counts over those by chance (T, S), 0 where it is not finite."""
    return np.nan_to_num(np.log(_ratio(C)), nan=0.0, neginf=0.0)


def _above_1(ratio):
    """Return the logarithm of the ratios, 0 where a ratio is below 1 or no number."""
    return np.log(np.where(ratio > 1, ratio, 1))


MISTAKES = (
    Mistake(
        "row_sums_not_a_column",
        _quietly(lambda C: np.log(np.maximum(C * C.sum() / (C.sum(axis=1) * C.sum(axis=0)), 1))),
        "The row sums must stand as a column: with keepdims=True they are (T, 1), and (T, 1) times (S,) is a "
        "table (T, S).",
    ),
    Mistake(
        "negative_numbers_kept",
        _quietly(lambda C: np.nan_to_num(np.log(_ratio(C)), nan=0.0, neginf=0.0)),
        "Where a pair meets less often than by chance, the logarithm is negative. Put 0 there.",
    ),
    Mistake(
        "total_forgotten",
        _quietly(lambda C: np.log(np.maximum(np.nan_to_num(C / (C.sum(1, keepdims=True) * C.sum(0))), 1))),
        "All your numbers are 0, as where the sum of all counts is forgotten: chance gives (row sum) · "
        "(column sum) / (sum of all).",
    ),
    Mistake(
        "no_logarithm",
        lambda C: np.maximum(_ratio(C) - 1, 0),
        "This is the ratio less 1, and 0 where that is negative. Take the logarithm of the ratio, and keep "
        "it where it is positive.",
    ),
    Mistake(
        "logarithm_of_one_more",
        lambda C: np.log(1 + _ratio(C)),
        "You added 1 before the logarithm. Then chance itself gives ln 2 and not 0.",
    ),
    Mistake(
        "logarithm_to_base_two",
        lambda C: np.log2(np.maximum(_ratio(C), 1)),
        "You took the logarithm to base 2. Here it is the natural one, np.log.",
    ),
    Mistake(
        "zero_divided_by_zero",
        _quietly(lambda C: np.log(np.maximum(C / (C.sum(1, keepdims=True) * C.sum(0) / C.sum()), 1))),
        "An empty row or column gives 0/0, which is NaN. Divide by 1 there.",
    ),
    Mistake(
        "columns_forgotten",
        lambda C: np.log(np.maximum(C / np.maximum(C.sum(1, keepdims=True), 1) * C.shape[1], 1)),
        "You compared with the row alone, as if all columns were equally common. A common word meets "
        "everybody often: use the column sums, too.",
    ),
    Mistake(
        "size_not_sign",
        lambda C: np.abs(np.log(np.where(_over_chance(C) > 0, _over_chance(C), 1))),
        "You took the logarithm without its sign. Where it is negative, put 0.",
    ),
    Mistake(
        "rows_forgotten",
        lambda C: np.log(np.maximum(C * C.sum() / np.where(C.sum(axis=0) > 0, C.sum(axis=0), 1), 1)),
        "You divided by the sums of the columns, but not by those of the rows. Divide by both.",
    ),
    Mistake(
        "one_added_to_each_count",
        lambda C: ppmi(C + 1),
        "You added 1 to each count first. Take the counts as they are, and treat zeros apart.",
    ),
    Mistake(
        "cells_in_place_of_the_total",
        lambda C: np.log(np.maximum(_over_chance(C) * C.size / (C.sum() or 1), 1)),
        "You took the number of cells for n. It is the sum of all counts.",
    ),
    Mistake(
        "logarithm_of_the_counts",
        lambda C: np.log(np.maximum(C, 1)),
        "You took the logarithm of the counts. Divide them first by what chance would give.",
    ),
    Mistake(
        "ratio_returned",
        _over_chance,
        "This is the ratio, without a logarithm. Take np.log of it, and 0 where that is negative.",
    ),
    Mistake(
        "columns_not_used",
        lambda C: np.log(np.maximum(C * C.sum() / np.where((r := C.sum(1, keepdims=True)) > 0, r, 1), 1)),
        "You divided by the sums of the rows, but not by those of the columns. Divide by both.",
    ),
    Mistake(
        "weighted_by_the_share",
        lambda C: ppmi(C) * C / C.sum(),
        "You multiplied each logarithm by the share of its pair. That is a part of the mutual "
        "information of all pairs: leave the share out.",
    ),
    Mistake(
        "column_sums_twice",
        _quietly(lambda C: _above_1(C * C.sum() / (C.sum(axis=0) * C.sum(axis=0)))),
        "You divided by the sums of the columns twice. One of the two is the sum of the row: axis=1, with "
        "keepdims=True.",
    ),
    Mistake(
        "minimum_taken",
        lambda C: np.minimum(log_of_ratio(C), 0),
        "You put 0 for the positive numbers and kept the others. Take the maximum of 0 and each number.",
    ),
    Mistake(
        "sums_added",
        _quietly(lambda C: _above_1(C * C.sum() / (C.sum(axis=1, keepdims=True) + C.sum(axis=0)))),
        "You added the sums of the row and the column. Multiply them.",
    ),
    Mistake(
        "one_in_place_of_zero",
        lambda C: ppmi(np.where(C == 0, 1, C)),
        "You put 1 where a count is 0, and that changes the sums. Take the counts as they are, and put "
        "the 0 into the result.",
    ),
)
