"""Name what stands elsewhere, line by line: moved, turned round, cut off, added up, or wrong in part."""

from itertools import permutations

import numpy as np

from .comparing import all_close

ALONG = {
    "after a softmax": lambda x, axis: _softmax(x, axis),
    "after the logarithm of a softmax": lambda x, axis: np.log(_softmax(x, axis)),
    "added up from the first number on": lambda x, axis: np.cumsum(x, axis),
    "divided by its sum": lambda x, axis: x / x.sum(axis=axis, keepdims=True),
    "divided by its length": lambda x, axis: x / np.linalg.norm(x, axis=axis, keepdims=True),
    "divided by its largest number": lambda x, axis: x / x.max(axis=axis, keepdims=True),
    "less its mean": lambda x, axis: x - x.mean(axis=axis, keepdims=True),
    "less its largest number": lambda x, axis: x - x.max(axis=axis, keepdims=True),
    "sorted upwards": np.sort,
    "sorted downwards": lambda x, axis: -np.sort(-x, axis),
}
_BACK = ": along this axis they run from back to front"
FOLDS = {"sum": np.sum, "mean": np.mean, "largest number": np.max}


def by_place(pairs, tolerance):
    """Return the words for right numbers that stand one place on, turned round or with axes exchanged."""
    axes = min(want.ndim for _, want in pairs)
    names = (
        ["place"]
        if axes == 1
        else ["row", "column"]
        if axes == 2
        else [f"index of axis {k}" for k in range(axes)]
    )
    for axis, name in enumerate(names):
        if all(all_close(np.flip(got, axis), want, tolerance) for got, want in pairs):
            return f"the numbers are right, but the last {name} stands first{'' if axes < 3 else _BACK}"
        for step, way in ((1, "early"), (-1, "late")):
            if all(_moved(got, want, axis, step, tolerance) for got, want in pairs):
                return f"each {name} stands one place too {way}"
    if axes == 2 and all(all_close(got.T, want, tolerance) for got, want in pairs):
        return "rows and columns are exchanged"
    return ""


def _moved(got, want, axis, step, tolerance):
    """Return True where got is want, moved by one along an axis, whatever came in at the edge."""
    n = want.shape[axis]
    if n < 3:
        return False
    here, there = (slice(None, -1), slice(1, None)) if step > 0 else (slice(1, None), slice(None, -1))
    front = (slice(None),) * axis
    return all_close(got[(*front, here)], want[(*front, there)], tolerance)


def by_rows(pairs, tolerance):
    """Return the words for rows that are all alike, where others were expected."""
    if all(g.ndim > 1 and len(g) > 1 and all_close(g, g[:1] + 0 * g, tolerance) for g, _ in pairs):
        return "all your rows are alike; those expected are not"
    return ""


def by_line(pairs, tolerance):
    """Return the words for what was done to each row or column, or is still to be done."""
    if any(want.ndim == 0 or want.size < 3 for _, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in _lines(pairs):
            for words, f in ALONG.items():
                if all(all_close(got, f(want * 1.0, axis), tolerance) for got, want in pairs):
                    return f"each {line} is the one expected, {words}"
                if all(all_close(f(got * 1.0, axis), want, tolerance) for got, want in pairs):
                    return f"each of your {line}s, {words}, is the one expected"
    return ""


def _lines(pairs):
    """Return the axes along which all arrays can be read, and what one line along each is called."""
    if any(want.ndim == 1 for _, want in pairs):
        return [(-1, "row")] if all(want.ndim == 1 for _, want in pairs) else []
    return [(-1, "row"), (-2, "column")]


def _softmax(x, axis):
    """Return the softmax along an axis."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def by_shape(pairs, tolerance):
    """Return the words for right numbers in another shape: exchanged, cut off, too many, not added up."""
    axes = {(got.ndim, want.ndim) for got, want in pairs}
    if len(axes) > 1:
        return ""
    have, need = axes.pop()
    if all(got.size == want.size and all_close(got.ravel(), want.ravel(), tolerance) for got, want in pairs):
        return "the numbers are right and in the right order; only the shape is another one"
    if have == need:
        for order in list(permutations(range(have)))[1:24]:
            if all(all_close(got.transpose(order), want, tolerance) for got, want in pairs):
                return "the numbers are right, but axes are exchanged"
        return _by_length(pairs, have, tolerance)
    for noun, fold in FOLDS.items():
        for axis in range(max(have, need)):
            if have == need + 1 and all(all_close(fold(g, axis=axis), w, tolerance) for g, w in pairs):
                return f"the {noun} of yours along axis {axis} is what was expected"
            if need == have + 1 and all(all_close(g, fold(w, axis=axis), tolerance) for g, w in pairs):
                return f"what came back is the {noun} of what was expected, along axis {axis}"
    return ""


def _by_length(pairs, axes, tolerance):
    """Return the words for an array that is right but for rows at one end, too many or too few."""
    for axis in range(axes):
        for end, cut in (("last", lambda n: slice(None, n)), ("first", lambda n: slice(-n, None))):
            for few in (0, 1):
                kept = []
                for pair in pairs:
                    n = pair[few].shape[axis]
                    other = pair[1 - few][(slice(None),) * axis + (cut(n),)] if n else None
                    kept.append(other is not None and all_close(other, pair[few], tolerance))
                if all(kept):
                    noun = "numbers" if axes == 1 else ("rows", "columns", "numbers")[min(axis, 2)]
                    what = "are missing" if few == 0 else "are too many"
                    return f"the numbers are right, but the {end} {noun} {what}"
    return ""


def by_size(pairs, sizes):
    """Return the words for an axis that is as long as another axis of the arguments than the one expected."""
    if len({(got.ndim, want.ndim) for got, want in pairs}) > 1 or pairs[0][0].ndim != pairs[0][1].ndim:
        return ""
    for axis in range(pairs[0][0].ndim):
        if all(got.shape[axis] == want.shape[axis] for got, want in pairs):
            continue
        like = [_as_long([pair[which].shape[axis] for pair in pairs], sizes) for which in (0, 1)]
        if all(like):
            return f"axis {axis} of yours is as long as {like[0]}; expected: as {like[1]}"
    return ""


def _as_long(lengths, sizes):
    """Return the name of the first size that is as long in every case, "" where there is none."""
    names = [name for name in sizes[0] if all(s.get(name) == n for s, n in zip(sizes, lengths, strict=True))]
    names = [name for name in names if "axis" in name]
    return names[0].removeprefix("the size of ") if names else ""


def in_part(pairs, tolerance):
    """Return a sentence on arrays that are wrong line by line, or in places that share a value."""
    return _by_shares(pairs, tolerance) or _by_values(pairs, tolerance)


def _by_shares(pairs, tolerance):
    """Return the words for rows or columns that are each off by a factor, or a term, of their own."""
    if any(want.ndim < 2 for _, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in _lines(pairs):
            for noun, parts in (
                ("factor", [np.where(want == 0, np.nan, got / want) for got, want in pairs]),
                ("term", [got * 1.0 - want for got, want in pairs]),
            ):
                if all(
                    _one_each(x, got, want, axis, tolerance)
                    for x, (got, want) in zip(parts, pairs, strict=True)
                ):
                    return f"in each {line} all numbers are off by one {noun} of its own"
    return ""


def _one_each(numbers, got, want, axis, tolerance):
    """Return True where each line holds one number, known in three places or more."""
    known = np.isfinite(numbers)
    low, high = (
        np.nanmin(np.where(known, numbers, np.inf), axis),
        np.nanmax(np.where(known, numbers, -np.inf), axis),
    )
    zeros = all_close(got[~known], want[~known], tolerance)
    many = known.sum(axis)
    enough = many.max() >= 3 and (many != 1).all()
    return zeros and bool(enough) and all_close(low[many > 0], high[many > 0], 10 * tolerance)


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
