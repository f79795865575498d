"""02.ppmi: More often than by chance."""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
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


def _ppmi_cases(rng):
    T, S = sorted(int(size) for size in rng.permutation(np.arange(4, 9))[:2])
    counts = rng.poisson(2.0, size=(T, S)).astype(float) + np.eye(T, S)
    chance = np.outer(rng.integers(1, 9, size=T), rng.integers(1, 9, size=S)).astype(float)
    square = rng.poisson(1.5, size=(T, T)).astype(float) + np.eye(T)
    empty = rng.poisson(2.0, size=(S, T)).astype(float) + np.eye(S, T)
    empty[1], empty[:, 2] = 0, 0
    positive = ("no number is negative", lambda P, C: np.all(P >= 0))
    finite = ("no NaN, no infinity", lambda P, C: np.all(np.isfinite(P)))
    return [
        Case(
            "two by two, by hand",
            (np.array([[4.0, 1.0], [1.0, 4.0]]),),
            "By chance each place would have 5 · 5 / 10 = 2.5. 4 is 1.6 times as many, 1 is fewer.",
            expected=np.array([[np.log(1.6), 0.0], [0.0, np.log(1.6)]]),
        ),
        Case(
            "random counts, a wide table",
            (counts,),
            "Rows have their own sums, and so do columns.",
            2,
            properties=(positive,),
        ),
        Case("a tall table", (counts[:, ::-1].T.copy(),), "Rows and columns are not equally many."),
        Case(
            "counts as chance would have them",
            (chance,),
            "Nothing meets more often than by chance, so everything is 0.",
            expected=np.zeros((T, S)),
        ),
        Case(
            "a symmetric table",
            (square + square.T,),
            "A symmetric table of counts gives a symmetric result.",
            properties=(("it is symmetric", lambda P, C: np.allclose(P, np.transpose(P))),),
        ),
        Case(
            "a word that never comes",
            (empty,),
            "An empty row or column gives 0/0. Put 0 there.",
            2,
            properties=(finite,),
        ),
        Case(
            "pairs that never meet", (np.diag([1.0, 2, 3]),), "ln 0 is -∞. Put 0 there.", properties=(finite,)
        ),
    ]


def _over_chance(C):
    chance = C.sum(axis=1, keepdims=True) * C.sum(axis=0) / (C.sum() or 1)
    return C / np.where(chance > 0, chance, 1)


EXERCISE = Exercise(
    "02.ppmi",
    "More often than by chance",
    ppmi,
    _ppmi_cases,
    hints=(
        "For each place: what was seen, what chance would give, and their ratio.",
        "By chance: (row sum) · (column sum) / (sum of all). keepdims=True keeps the row sums as a column.",
        "Make the ratio safe with np.where(chance > 0, chance, 1); then np.log(np.maximum(ratio, 1)) needs "
        "no further care.",
    ),
    mistakes=(
        Mistake(
            "negative_numbers_kept",
            _quietly(lambda C: np.nan_to_num(np.log(_ratio(C)), nan=0.0, neginf=0.0)),
            "Where a pair meets less often than by chance, the logarithm is negative. Put 0 there.",
        ),
        Mistake(
            "total_forgotten",
            _quietly(
                lambda C: np.log(np.maximum(np.nan_to_num(C / (C.sum(1, keepdims=True) * C.sum(0))), 1))
            ),
            "All your numbers are 0, as where the sum of all counts is forgotten: chance gives (row sum) · "
            "(column sum) / (sum of all).",
        ),
        Mistake(
            "no_logarithm",
            lambda C: np.maximum(_ratio(C) - 1, 0),
            "This is the ratio, less 1. Take its logarithm, and keep it where it is positive.",
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
    ),
    alternatives=(
        _quietly(lambda C: np.maximum(np.nan_to_num(np.log(_ratio(C)), neginf=0.0), 0)),
        lambda C: np.array(
            [
                [
                    max(0.0, math.log(C[i, j] * C.sum() / (C[i].sum() * C[:, j].sum()))) if C[i, j] else 0.0
                    for j in range(C.shape[1])
                ]
                for i in range(len(C))
            ]
        ),
    ),
    stars=2,
    minutes=15,
)
