"""Say where values are: right ones in other positions or another shape, and wrong ones among right ones."""

from itertools import permutations

import numpy as np

from ..comparing import all_close

ALONG = {
    "after a softmax": lambda x, axis: _softmax(x, axis),
    "after the logarithm of a softmax": lambda x, axis: np.log(_softmax(x, axis)),
    "added up from the first number on": lambda x, axis: np.cumsum(x, axis),
    "divided by its sum": lambda x, axis: x / x.sum(axis=axis, keepdims=True),
    "divided by its length": lambda x, axis: x / np.linalg.norm(x, axis=axis, keepdims=True),
    "divided by its largest number": lambda x, axis: x / x.max(axis=axis, keepdims=True),
    "less its mean": lambda x, axis: x - x.mean(axis=axis, keepdims=True),
    "less its largest number": lambda x, axis: x - x.max(axis=axis, keepdims=True),
    "divided by its standard deviation": lambda x, axis: x / x.std(axis=axis, keepdims=True),
    "less its mean, and divided by its standard deviation": lambda x, axis: _standard(x, axis),
    "added up from the last number back": lambda x, axis: np.flip(np.cumsum(np.flip(x, axis), axis), axis),
    "with 1 at its largest number, and 0 elsewhere": lambda x, axis: 1.0 * (x == x.max(axis, keepdims=True)),
    "sorted upwards": np.sort,
    "sorted downwards": lambda x, axis: -np.sort(-x, axis),
}
_BACK = ": along this axis they run from back to front"
#: What an axis counts: along the last one lie the columns, along the one before it the rows.
ALONE = {"row": "column", "column": "row"}
FOLDS = {"sum": np.sum, "mean": np.mean, "largest number": np.max}
PLACES = {
    "on the diagonal": lambda i, j: i == j,
    "above the diagonal": lambda i, j: i < j,
    "below the diagonal": lambda i, j: i > j,
}


def by_position(pairs, tolerance):
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
        for step, way, but in ((1, "early", "first"), (-1, "late", "last")):
            if all(_moved(got, want, axis, step, tolerance) for got, want in pairs):
                noun = "number" if name == "place" else name
                return f"each {noun} but the {but} stands one place too {way}"
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


def by_row_order(pairs, tolerance):
    """Return the words for lines that are all alike, or that stand in another order."""
    for axis, line in lines(pairs):
        if all(got.shape[axis] > 1 and _alike(got, axis, tolerance) for got, _ in pairs) and not any(
            _alike(want, axis, tolerance) for _, want in pairs
        ):
            what = "number" if pairs[0][1].ndim == 1 else ALONE[line]
            said = f"all your {what}s are alike; those expected are not"
            return said + next(
                (f": each is their {n}" for n in FOLDS if _folded(pairs, n, axis, tolerance)), ""
            )
    if all(want.ndim == 2 and len(want) > 2 for _, want in pairs):
        for turn, line in ((np.asarray, "row"), (np.transpose, "column")):
            if all(_ordered(turn(got), turn(want), tolerance) for got, want in pairs):
                return f"the {line}s are right, but stand in another order"
    return ""


def _folded(pairs, noun, axis, tolerance):
    """Return True where each line that came back is the sum (or mean, ...) of those expected."""
    folded = [(got, FOLDS[noun](want, axis, keepdims=True) + 0 * got) for got, want in pairs]
    return all(all_close(*pair, tolerance) for pair in folded)


def _alike(got, axis, tolerance):
    """Return True where all lines across an axis are the same."""
    return bool(np.isfinite(got).all()) and all_close(got, np.take(got, [0], axis) + 0 * got, tolerance)


def _ordered(got, want, tolerance):
    """Return True where two tables hold the same rows, in whatever order."""
    return all_close(got[np.lexsort(got.T)], want[np.lexsort(want.T)], tolerance)


def by_row_transform(pairs, tolerance):
    """Return the words for what was done to each row or column, or is still to be done."""
    if any(want.ndim == 0 or want.size < 3 for _, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in lines(pairs):
            for words, f in ALONG.items():
                if words.startswith("added up") and not all(np.isfinite(got).all() for got, _ in pairs):
                    continue  # infinity swallows what is added to it
                if all(all_close(got, f(want * 1.0, axis), tolerance) for got, want in pairs):
                    return f"each {line} is the one expected, {words}"
                if all(all_close(f(got * 1.0, axis), want, tolerance) for got, want in pairs):
                    return f"each of your {line}s, {words}, is the one expected"
    return ""


def lines(pairs):
    """Return the axes along which all arrays can be read, and what one line along each is called."""
    if any(want.ndim == 1 for _, want in pairs):
        return [(-1, "row")] if all(want.ndim == 1 for _, want in pairs) else []
    return [(-1, "row"), (-2, "column")]


def _standard(x, axis):
    """Return the numbers along an axis with mean 0 and standard deviation 1."""
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / centred.std(axis=axis, keepdims=True)


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
                    known = {1: ["numbers"], 2: ["rows", "columns"]}.get(axes)
                    noun = known[axis] if known else f"numbers of axis {axis}"
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


def boolean_tables(arrays):
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
        wrong_lines = [np.unique(np.nonzero(bad)[axis]) for bad in wrong]
        for end, at in (("first", lambda n: 0), ("last", lambda n: n - 1)):
            ends = [at(bad.shape[axis]) for bad in wrong]
            if all(bad.shape[axis] > 2 for bad in wrong) and all(
                line.tolist() == [place] for line, place in zip(wrong_lines, ends, strict=True)
            ):
                return f"only the {end} {noun} is wrong"
            if max(bad.shape[axis] for bad in wrong) > 2 and all(
                place not in line and len(line) == bad.shape[axis] - 1
                for line, place, bad in zip(wrong_lines, ends, wrong, strict=True)
            ):
                return f"only the {end} {noun} is right"
    return ""


def by_parts(pairs, tolerance):
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
