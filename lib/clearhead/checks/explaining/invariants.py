"""Properties that the expected results have and the returned ones lack, or the other way round."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..comparing import all_close


class Property(NamedTuple):
    """A property of an array, with the clauses on results that have it and results that lack it."""

    holds: Callable
    expected: str  # "every row should sum to 1"
    not_yours: str  # "not all of yours do"
    yours: str  # "every row of yours sums to 1"
    not_expected: str  # "not every expected row does"
    instead: str = ""  # "every row does", after a clause on what the columns should do
    group: str = ""  # properties of one group are combined into one sentence

    @classmethod
    def of_lines(cls, holds, line, should, has, group):
        """Return a Property that every row, or every column, may have."""
        return cls(
            holds,
            f"every {line} should {should}",
            "not all of yours do",
            f"every {line} of yours {has}",
            f"not every expected {line} does",
            f"every {line} does",
            group,
        )

    @classmethod
    def of_entries(cls, holds, which, instead, group):
        """Return a Property of the entries in one part of a table, which may all be 0."""
        return cls(
            holds,
            f"all entries {which} should be 0",
            "not all of yours are",
            f"all your entries {which} are 0",
            "not all expected ones are",
            f"those {instead} are",
            group,
        )


SUMS, MEANS, SQUARES, ZEROS = "sums", "means", "squares", "zeros"
PROPERTIES = [
    Property.of_lines(lambda x: _all(x.sum(axis=-1), 1), "row", "sum to 1", "sums to 1", SUMS),
    Property.of_lines(
        lambda x: x.ndim > 1 and _all(x.sum(axis=-2), 1), "column", "sum to 1", "sums to 1", SUMS
    ),
    Property(
        lambda x: x.ndim > 1 and _all(x.sum(), 1),
        "all entries together should sum to 1",
        "yours do not",
        "all your entries together sum to 1",
        "the expected ones do not",
        "all entries together do",
        SUMS,
    ),
    Property.of_lines(lambda x: _all(x.mean(axis=-1), 0), "row", "have mean 0", "has mean 0", MEANS),
    Property.of_lines(
        lambda x: x.ndim > 1 and _all(x.mean(axis=-2), 0), "column", "have mean 0", "has mean 0", MEANS
    ),
    Property.of_lines(
        lambda x: _all((x**2).sum(axis=-1), 1), "row", "have length 1", "has length 1", SQUARES
    ),
    Property.of_lines(
        lambda x: x.ndim > 1 and _all((x**2).sum(axis=-2), 1),
        "column",
        "have length 1",
        "has length 1",
        SQUARES,
    ),
    Property(
        lambda x: x.ndim > 1 and all_close(x, np.swapaxes(x, -1, -2), 1e-6),
        "the table should be symmetric",
        "yours is not",
        "your table is symmetric",
        "the expected one is not",
    ),
    Property.of_entries(
        lambda x: x.ndim > 1 and _all(np.diagonal(x, 0, -2, -1), 0), "on the diagonal", "on it", ZEROS
    ),
    Property.of_entries(
        lambda x: x.ndim > 1 and _all(np.triu(x, 1), 0), "above the diagonal", "above it", ZEROS
    ),
    Property.of_entries(
        lambda x: x.ndim > 1 and _all(np.tril(x, -1), 0), "below the diagonal", "below it", ZEROS
    ),
    Property(
        lambda x: bool((x >= 0).all()),
        "no entry should be negative",
        "some of yours are",
        "none of your entries is negative",
        "some of the expected ones are",
    ),
    Property(
        lambda x: bool((x == np.round(x)).all()),
        "all entries should be integers",
        "not all of yours are",
        "all your entries are integers",
        "not all expected ones are",
    ),
]
#: The clauses on the properties of rows for a result that is a vector.
OF_VECTORS = {
    SUMS: (
        "the entries should sum to 1",
        "yours do not",
        "your entries sum to 1",
        "the expected ones do not",
    ),
    MEANS: (
        "the entries should have mean 0",
        "yours do not",
        "your entries have mean 0",
        "the expected ones do not",
    ),
    SQUARES: (
        "the result should have length 1",
        "yours does not",
        "your result has length 1",
        "the expected one does not",
    ),
}


def invariants(pairs):
    """Return the clause about a property of all expected and no returned results, or the opposite.

    A property counts where it holds in every failed case on the one side, and in none on the other.
    """
    if any(want.size < 2 or not np.isfinite(got).all() or not np.isfinite(want).all() for got, want in pairs):
        return ""  # infinity has no decimals, and it is neither a sum nor a mean
    returned, expected = [got for got, _ in pairs], [want for _, want in pairs]
    lost, gained = _only(expected, returned), _only(returned, expected)
    if lost and gained and lost.group and lost.group == gained.group:
        return f"{lost.expected}, but in your result {gained.instead}"
    if lost:
        return f"{lost.expected}, but {lost.not_yours}"
    return f"{gained.yours}, but {gained.not_expected}" if gained else ""


def _only(these, not_those):
    """Return the first Property that all of `these` arrays have and none of `not_those`, or None."""
    vectors = all(x.ndim == 1 for x in these)
    for each in PROPERTIES:
        if all(map(each.holds, these)) and not any(map(each.holds, not_those)):
            return each._replace(**_of_vectors(each)) if vectors and each.group else each
    return None


def _of_vectors(property):
    """Return the clauses of a Property of rows, adapted to a vector."""
    names = ("expected", "not_yours", "yours", "not_expected")
    return dict(zip(names, OF_VECTORS[property.group], strict=True))


def _all(numbers, value):
    """Return True if all numbers are equal to a value up to rounding."""
    return bool(np.isclose(numbers, value, rtol=1e-6, atol=1e-6).all())
