"""Descriptions of where entries are: right ones in other positions or shapes, and wrong ones among them."""

from itertools import permutations

import numpy as np

from ..comparing import all_close

#: Descriptions of an operation that was applied to each line, and of the same operation if it is missing,
#: with the function that applies it.
ALONG = (
    ("the softmax of the expected {0}", "if you applied a softmax to it", lambda x, axis: _softmax(x, axis)),
    (
        "the logarithm of the softmax of the expected {0}",
        "if you took the logarithm of its softmax",
        lambda x, axis: np.log(_softmax(x, axis)),
    ),
    ("the cumulative sum of the expected {0}", "if you took its cumulative sum", np.cumsum),
    (
        "the expected {0} divided by its sum",
        "if you divided it by its sum",
        lambda x, axis: x / x.sum(axis=axis, keepdims=True),
    ),
    (
        "the expected {0} divided by its norm",
        "if you divided it by its norm",
        lambda x, axis: x / np.linalg.norm(x, axis=axis, keepdims=True),
    ),
    (
        "the expected {0} divided by its largest entry",
        "if you divided it by its largest entry",
        lambda x, axis: x / x.max(axis=axis, keepdims=True),
    ),
    (
        "the expected {0} minus its mean",
        "if you subtracted its mean",
        lambda x, axis: x - x.mean(axis=axis, keepdims=True),
    ),
    (
        "the expected {0} minus its largest entry",
        "if you subtracted its largest entry",
        lambda x, axis: x - x.max(axis=axis, keepdims=True),
    ),
    (
        "the expected {0} divided by its standard deviation",
        "if you divided it by its standard deviation",
        lambda x, axis: x / x.std(axis=axis, keepdims=True),
    ),
    (
        "the expected {0}, scaled to mean 0 and standard deviation 1",
        "if you scaled it to mean 0 and standard deviation 1",
        lambda x, axis: _standard(x, axis),
    ),
    (
        "the cumulative sum of the expected {0}, started from its end",
        "if you took its cumulative sum, started from its end",
        lambda x, axis: np.flip(np.cumsum(np.flip(x, axis), axis), axis),
    ),
    (
        "1 at the largest entry of the expected {0}, and 0 elsewhere",
        "if its largest entry were 1 and all others were 0",
        lambda x, axis: 1.0 * (x == x.max(axis, keepdims=True)),
    ),
    ("the expected {0} in ascending order", "if you sorted it in ascending order", np.sort),
    (
        "the expected {0} in descending order",
        "if you sorted it in descending order",
        lambda x, axis: -np.sort(-x, axis),
    ),
)
#: The lines that are all equal if the entries along each row, or along each column, are equal.
ALONE = {"row": "column", "column": "row"}
FOLDS = {"sum": np.sum, "mean": np.mean, "maximum": np.max}
PLACES = {
    "on the diagonal": lambda i, j: i == j,
    "above the diagonal": lambda i, j: i < j,
    "below the diagonal": lambda i, j: i > j,
}


def by_position(pairs, tolerance):
    """Return the clause about right entries that are reversed, shifted by one position or transposed."""
    axes = min(want.ndim for _, want in pairs)
    nouns = ["entries"] if axes == 1 else ["rows", "columns"]
    for axis in range(axes):
        noun = nouns[axis] if axes < 3 else "entries"
        along = "" if axes < 3 else f" along axis {axis}"
        if all(all_close(np.flip(got, axis), want, tolerance) for got, want in pairs):
            return f"your {noun} are right, but in reverse order{along}"
        one = {"entries": "entry", "rows": "row", "columns": "column"}[noun]
        for step, direction, but in ((1, "early", "first"), (-1, "late", "last")):
            if all(_moved(got, want, axis, step, tolerance) for got, want in pairs):
                if axes < 3:
                    return f"every expected {one} except the {but} one comes one position too {direction}"
                return f"your entries are shifted: along axis {axis}, they come one position too {direction}"
    if axes == 2 and all(all_close(got.T, want, tolerance) for got, want in pairs):
        return "your result is the transpose of the expected one"
    return ""


def _moved(got, want, axis, step, tolerance):
    """Return True if `got` is `want` shifted by one position along an axis, apart from the edge."""
    n = want.shape[axis]
    if n < 3:
        return False
    here, there = (slice(None, -1), slice(1, None)) if step > 0 else (slice(1, None), slice(None, -1))
    front = (slice(None),) * axis
    return all_close(got[(*front, here)], want[(*front, there)], tolerance)


def by_row_order(pairs, tolerance):
    """Return the clause about rows or columns that are all equal, or right but in the wrong order."""
    for axis, line in lines(pairs):
        if all(got.shape[axis] > 1 and _alike(got, axis, tolerance) for got, _ in pairs) and not any(
            _alike(want, axis, tolerance) for _, want in pairs
        ):
            what = "entries" if pairs[0][1].ndim == 1 else f"{ALONE[line]}s"
            folds = (fold for fold in FOLDS if _folded(pairs, fold, axis, tolerance))
            each = next((f": each is the {fold} of the expected ones" for fold in folds), "")
            return f"all your {what} are equal{each or ', but the expected ones differ'}"
    if all(want.ndim == 2 and len(want) > 2 for _, want in pairs):
        for turn, line in ((np.asarray, "row"), (np.transpose, "column")):
            if all(_ordered(turn(got), turn(want), tolerance) for got, want in pairs):
                return f"your {line}s are right, but in the wrong order"
    return ""


def _folded(pairs, noun, axis, tolerance):
    """Return True if each returned row or column is the sum, mean or maximum of the expected ones."""
    folded = [(got, FOLDS[noun](want, axis, keepdims=True) + 0 * got) for got, want in pairs]
    return all(all_close(*pair, tolerance) for pair in folded)


def _alike(got, axis, tolerance):
    """Return True if the entries along an axis are finite and all equal."""
    return bool(np.isfinite(got).all()) and all_close(got, np.take(got, [0], axis) + 0 * got, tolerance)


def _ordered(got, want, tolerance):
    """Return True if two tables hold the same rows in any order."""
    return all_close(got[np.lexsort(got.T)], want[np.lexsort(want.T)], tolerance)


def by_row_transform(pairs, tolerance):
    """Return the clause about an operation that was applied to each row or column, or is missing."""
    if any(want.ndim == 0 or want.size < 3 for _, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in lines(pairs):
            what, expected = ("your result", "one") if pairs[0][1].ndim == 1 else (f"every {line}", line)
            for done, to_do, f in ALONG:
                if "cumulative" in done and not all(np.isfinite(got).all() for got, _ in pairs):
                    continue  # infinity swallows what is added to it
                if all(all_close(got, f(want * 1.0, axis), tolerance) for got, want in pairs):
                    return f"{what} is {done.format(expected)}"
                if all(all_close(f(got * 1.0, axis), want, tolerance) for got, want in pairs):
                    return f"{what} would be right {to_do}"
    return ""


def lines(pairs):
    """Return pairs of an axis that all arrays have and the name of a line along it, such as (-1, "row")."""
    if any(want.ndim == 1 for _, want in pairs):
        return [(-1, "row")] if all(want.ndim == 1 for _, want in pairs) else []
    return [(-1, "row"), (-2, "column")]


def _standard(x, axis):
    """Return an array scaled along an axis to mean 0 and standard deviation 1."""
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / centred.std(axis=axis, keepdims=True)


def _softmax(x, axis):
    """Return the softmax of an array along an axis."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def by_shape(pairs, tolerance):
    """Return the clause about right entries in a wrong shape, such as transposed or incomplete ones."""
    axes = {(got.ndim, want.ndim) for got, want in pairs}
    if len(axes) > 1:
        return ""
    have, need = axes.pop()
    if all(got.size == want.size and all_close(got.ravel(), want.ravel(), tolerance) for got, want in pairs):
        return "your entries are right and in the right order, but the shape is wrong"
    if have == need:
        for order in list(permutations(range(have)))[1:24]:
            if all(all_close(got.transpose(order), want, tolerance) for got, want in pairs):
                if have == 2:
                    return "your result is the transpose of the expected one"
                return "your entries are right, but the axes are in the wrong order"
        return _by_length(pairs, have, tolerance)
    for noun, fold in FOLDS.items():
        for axis in range(max(have, need)):
            if have == need + 1 and all(all_close(fold(g, axis=axis), w, tolerance) for g, w in pairs):
                return f"your result would be right if you took its {noun} along axis {axis}"
            if need == have + 1 and all(all_close(g, fold(w, axis=axis), tolerance) for g, w in pairs):
                return f"your result is the {noun} of the expected one along axis {axis}"
    return ""


def _by_length(pairs, axes, tolerance):
    """Return the clause about an array that is right except for extra or missing rows at one end."""
    for axis in range(axes):
        for end, cut in (("end", lambda n: slice(None, n)), ("beginning", lambda n: slice(-n, None))):
            for few in (0, 1):
                kept = []
                for pair in pairs:
                    n = pair[few].shape[axis]
                    other = pair[1 - few][(slice(None),) * axis + (cut(n),)] if n else None
                    kept.append(other is not None and all_close(other, pair[few], tolerance))
                if all(kept):
                    known = {1: ["entries"], 2: ["rows", "columns"]}.get(axes)
                    noun = known[axis] if known else "entries"
                    where = f"at the {end}" if known else f"at the {end} of axis {axis}"
                    what = f"{noun} are missing" if few == 0 else f"there are extra {noun}"
                    return f"{what} {where} of your result; the rest is right"
    return ""


def by_size(pairs, sizes):
    """Return the clause about an axis that has the size of the wrong axis of an argument."""
    if len({(got.ndim, want.ndim) for got, want in pairs}) > 1 or pairs[0][0].ndim != pairs[0][1].ndim:
        return ""
    for axis in range(pairs[0][0].ndim):
        if all(got.shape[axis] == want.shape[axis] for got, want in pairs):
            continue
        like = [_as_long([pair[which].shape[axis] for pair in pairs], sizes) for which in (0, 1)]
        if all(like):
            alike = in_which_equal(got.shape[axis] == want.shape[axis] for got, want in pairs)
            return f"axis {axis} of your result has size `{like[0]}`, but should have size `{like[1]}`{alike}"
    return ""


def in_which_equal(equal):
    """Return the end of a clause on two sizes, which says in which cases they are equal, or ""."""
    equal = list(equal)
    which = "the first" if equal[0] else "some" if any(equal) else ""
    return which and f"; in {which} of these cases, the two happen to be equal"


def _as_long(lengths, sizes):
    """Return the name of the first size of an array that equals the length in every case, or ""."""
    names = [name for name in sizes[0] if all(s.get(name) == n for s, n in zip(sizes, lengths, strict=True))]
    names = [name for name in names if ".shape[" in name]
    return names[0] if names else ""


def boolean_tables(arrays):
    """Return the clause about booleans that are constant, inverted, transposed or partly wrong."""
    if any(got.dtype.kind != "b" for got, _ in arrays):
        return ""
    if all(want.ndim == got.ndim == 0 for got, want in arrays):
        values = {bool(got) for got, _ in arrays}
        both = len(values) == 2
        return (
            "" if both else f"your answer returns {values.copy().pop()} where {not values.pop()} is expected"
        )
    if all(got.shape == want.shape and (got != want).all() for got, want in arrays):
        return "every entry is the opposite of the expected one"
    square = all(got.ndim == 2 and got.T.shape == want.shape for got, want in arrays)
    if square and all((want == got.T).all() for got, want in arrays):
        return "your result is the transpose of the expected one"
    if all(got.shape == want.shape for got, want in arrays):
        if all((want | ~got).all() for got, want in arrays):
            return "some entries that should be True are False; all others are right"
        if all((got | ~want).all() for got, want in arrays):
            return "some entries that should be False are True; all others are right"
    return ""


def places(arrays):
    """Return the clause about where the wrong entries of partly right arrays are.

    A part of a table is named only if it holds less than 60% of the entries, because nearly all entries of a
    wide table are above its diagonal.
    """
    if any(got.shape != want.shape or not want.ndim for got, want in arrays):
        return ""
    with np.errstate(all="ignore"):
        wrong = [~np.isclose(got * 1.0, want * 1.0, rtol=1e-6, atol=1e-6) for got, want in arrays]
    axes = wrong[0].ndim
    if any(bad.ndim != axes or bad.all() for bad in wrong):
        return ""
    by_line = list(_places_by_line(wrong))
    one_wrong = next((clause for clause in by_line if clause.endswith("is wrong")), "")
    return one_wrong or (_places_by_diagonal(wrong) if axes > 1 else "") or next(iter(by_line), "")


def _places_by_diagonal(wrong):
    """Return the clause about the diagonal, or its side, that holds all wrong entries, or ""."""
    for words, holds in PLACES.items():
        few = all(
            min(bad.shape[-2:]) > 1 and holds(*np.indices(bad.shape[-2:])).mean() < 0.6 for bad in wrong
        )
        if few and all(holds(*np.nonzero(bad)[-2:]).all() for bad in wrong):
            return f"all wrong entries are {words}"
    return ""


def _places_by_line(wrong):
    """Yield clauses about a first or last row, column or entry that is the only wrong or right one."""
    axes = wrong[0].ndim
    for axis in range(axes):
        noun = "entry" if axes == 1 else ("row", "column")[axis] if axes == 2 else f"part along axis {axis}"
        wrong_lines = [np.unique(np.nonzero(bad)[axis]) for bad in wrong]
        for end, at in (("first", lambda n: 0), ("last", lambda n: n - 1)):
            ends = [at(bad.shape[axis]) for bad in wrong]
            if all(bad.shape[axis] > 2 for bad in wrong) and all(
                line.tolist() == [index] for line, index in zip(wrong_lines, ends, strict=True)
            ):
                yield f"only the {end} {noun} is wrong"
            if max(bad.shape[axis] for bad in wrong) > 2 and all(
                index not in line and len(line) == bad.shape[axis] - 1
                for line, index, bad in zip(wrong_lines, ends, wrong, strict=True)
            ):
                yield f"only the {end} {noun} is right"


def by_parts(pairs, tolerance):
    """Return the clause about errors that a row or column shares, or that only entries of one value have."""
    return _by_shares(pairs, tolerance) or _by_values(pairs, tolerance)


def _by_shares(pairs, tolerance):
    """Return the clause about rows or columns whose entries are all off by the same factor or amount."""
    if any(want.ndim < 2 or _has_a_line_of_zeros(got) for got, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in lines(pairs):
            for noun, parts in (
                ("factor", [np.where(want == 0, np.nan, got / want) for got, want in pairs]),
                ("amount", [got * 1.0 - want for got, want in pairs]),
            ):
                unchanged = 1 if noun == "factor" else 0
                if all(
                    _one_each(x, got, want, axis, tolerance, unchanged)
                    for x, (got, want) in zip(parts, pairs, strict=True)
                ):
                    return f"within each wrong {line}, all entries are off by the same {noun}"
    return ""


def _has_a_line_of_zeros(got):
    """Return True if a row or a column holds only zeros, so that its factor is unknown."""
    return any(not (got != 0).any(axis=axis).all() for axis in (-1, -2))


def _one_each(numbers, got, want, axis, tolerance, unchanged):
    """Return True if each line of factors or amounts holds a single number up to the tolerance.

    At least one line must hold three known numbers, and no line only one. In a wrong line, they must agree
    far better than they differ from `unchanged`, which is the factor 1 or the amount 0, because errors of a
    millionth in every entry are not one factor of 1.000001.
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
    """Return the clause about wrong entries that are all 0, or that should all be 0, 1 or infinite."""
    wrong = [~np.isclose(got * 1.0, want, rtol=tolerance, atol=tolerance) for got, want in pairs]
    right = [~bad for bad in wrong]
    if not all(bad.any() and fine.any() for bad, fine in zip(wrong, right, strict=True)):
        return ""
    if all((got[bad] == 0).all() for bad, (got, _) in zip(wrong, pairs, strict=True)):
        return "every wrong entry is 0"
    for words, value in (("0", 0), ("minus infinity", -np.inf), ("infinity", np.inf), ("1", 1)):
        if all(((want == value) == bad).all() for bad, (_, want) in zip(wrong, pairs, strict=True)):
            return f"exactly the entries that should be {words} are wrong"
    return ""
