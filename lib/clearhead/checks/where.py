"""Say where wrong values stand: on one side of the diagonal, in one row, where 0 was expected."""

import numpy as np

from .comparing import all_close
from .relations_of_places import lines

PLACES = {
    "on the diagonal": lambda i, j: i == j,
    "above the diagonal": lambda i, j: i < j,
    "below the diagonal": lambda i, j: i > j,
}


def truths(arrays):
    """Return the words for a table of True and False that is turned round or has its axes exchanged."""
    if any(got.dtype.kind != "b" for got, _ in arrays):
        return ""
    if all(want.ndim == got.ndim == 0 for got, want in arrays):
        said = {bool(got) for got, _ in arrays}
        both = len(said) == 2
        return "" if both else f"it says {said.copy().pop()} where {not said.pop()} was expected"
    if all(got.shape == want.shape and (got != want).all() for got, want in arrays):
        return "each True or False is the opposite of what was expected"
    square = all(got.ndim == 2 and got.T.shape == want.shape for got, want in arrays)
    if square and all((want == got.T).all() for got, want in arrays):
        return "rows and columns are exchanged"
    if all(got.shape == want.shape for got, want in arrays):
        if all((want | ~got).all() for got, want in arrays):
            return "nothing is True that must be False, but some that must be True is False"
        if all((got | ~want).all() for got, want in arrays):
            return "nothing is False that must be True, but some that must be False is True"
    return ""


def places(arrays):
    """Return the words for where all wrong numbers stand, where others of the same array are right.

    Nearly all of a wide table stands above its diagonal, so there it says nothing.
    """
    if any(got.shape != want.shape or not want.ndim for got, want in arrays):
        return ""
    with np.errstate(all="ignore"):
        wrong = [~np.isclose(got * 1.0, want * 1.0, rtol=1e-6, atol=1e-6) for got, want in arrays]
    axes = wrong[0].ndim
    if any(bad.ndim != axes or bad.all() for bad in wrong):
        return ""
    if axes >= 2:
        for words, holds in PLACES.items():
            few = all(
                min(bad.shape[-2:]) > 1 and holds(*np.indices(bad.shape[-2:])).mean() < 0.6 for bad in wrong
            )
            if few and all(holds(*np.nonzero(bad)[-2:]).all() for bad in wrong):
                return f"all wrong values stand {words}"
    for axis in range(axes):
        noun = "number" if axes == 1 else ("row", "column")[axis] if axes == 2 else f"index of axis {axis}"
        lines = [np.unique(np.nonzero(bad)[axis]) for bad in wrong]
        for end, at in (("first", lambda n: 0), ("last", lambda n: n - 1)):
            ends = [at(bad.shape[axis]) for bad in wrong]
            if all(bad.shape[axis] > 2 for bad in wrong) and all(
                line.tolist() == [place] for line, place in zip(lines, ends, strict=True)
            ):
                return f"only the {end} {noun} is wrong"
            if max(bad.shape[axis] for bad in wrong) > 2 and all(
                place not in line and len(line) == bad.shape[axis] - 1
                for line, place, bad in zip(lines, ends, wrong, strict=True)
            ):
                return f"only the {end} {noun} is right"
    return ""


def in_part(pairs, tolerance):
    """Return a sentence on arrays that are wrong line by line, or in places that share a value."""
    return _by_shares(pairs, tolerance) or _by_values(pairs, tolerance)


def _by_shares(pairs, tolerance):
    """Return the words for rows or columns that are each off by a factor, or a term, of their own."""
    if any(want.ndim < 2 or _has_a_line_of_zeros(got) for got, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in lines(pairs):
            for noun, parts in (
                ("factor", [np.where(want == 0, np.nan, got / want) for got, want in pairs]),
                ("term", [got * 1.0 - want for got, want in pairs]),
            ):
                unchanged = 1 if noun == "factor" else 0
                if all(
                    _one_each(x, got, want, axis, tolerance, unchanged)
                    for x, (got, want) in zip(parts, pairs, strict=True)
                ):
                    return f"in each {line} that is wrong, all numbers are off by one {noun} of its own"
    return ""


def _has_a_line_of_zeros(got):
    """Return True where a row or a column holds nothing but 0, which is no factor."""
    return any(not (got != 0).any(axis=axis).all() for axis in (-1, -2))


def _one_each(numbers, got, want, axis, tolerance, unchanged):
    """Return True where each line holds one number, known in three places or more.

    The numbers of a line that is wrong must agree far better than they differ from `unchanged`, the factor 1
    or the term 0: errors of a millionth in every place are not one factor of 1.000001.
    """
    known = np.isfinite(numbers)
    low, high = (
        np.nanmin(np.where(known, numbers, np.inf), axis),
        np.nanmax(np.where(known, numbers, -np.inf), axis),
    )
    zeros = all_close(got[~known], want[~known], tolerance)
    many = known.sum(axis)
    enough = many.max() >= 3 and (many != 1).all()
    low, high = low[many > 0], high[many > 0]
    apart, away = high - low, np.maximum(np.abs(low - unchanged), np.abs(high - unchanged))
    clear = (apart <= 0.01 * away) | (away <= 10 * tolerance * (1 + np.abs(unchanged)))
    several = bool((away > 10 * tolerance).any())
    return zeros and bool(enough) and several and bool(clear.all()) and all_close(low, high, 10 * tolerance)


def _by_values(pairs, tolerance):
    """Return the words for wrong numbers that are all 0, or stand where 0 or infinity was expected."""
    wrong = [~np.isclose(got * 1.0, want, rtol=tolerance, atol=tolerance) for got, want in pairs]
    right = [~bad for bad in wrong]
    if not all(bad.any() and fine.any() for bad, fine in zip(wrong, right, strict=True)):
        return ""
    if all((got[bad] == 0).all() for bad, (got, _) in zip(wrong, pairs, strict=True)):
        return "wherever it is wrong, you have 0"
    for words, value in (("0", 0), ("minus infinity", -np.inf), ("infinity", np.inf), ("1", 1)):
        if all(((want == value) == bad).all() for bad, (_, want) in zip(wrong, pairs, strict=True)):
            return f"it is wrong wherever {words} was expected, and right everywhere else"
    return ""
