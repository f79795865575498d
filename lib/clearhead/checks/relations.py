"""Name the simple relation, if there is one, between arrays that came back and arrays that were expected."""

from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations

import numpy as np

FUNCTIONS = {
    "minus": np.negative,
    "the square of": np.square,
    "the root of": np.sqrt,
    "1 divided by": np.reciprocal,
    "1 minus": lambda x: 1 - x,
    "e to the power of": np.exp,
    "the logarithm of": np.log,
    "without its sign": np.abs,
    "rounded down:": np.floor,
    "rounded to a whole number:": np.round,
    "0 where it is negative, else": lambda x: np.maximum(x, 0),
    "at most 1, else": lambda x: np.minimum(x, 1),
    "the angle whose cosine is": np.arccos,
    "the sigmoid of": lambda x: 1 / (1 + np.exp(-x)),
    "the tanh of": np.tanh,
}
BACK = {
    "the square of": np.square,
    "the root of": np.sqrt,
    "e to the power of": np.exp,
    "the logarithm of": np.log,
    "without its sign,": np.abs,
    "rounded down,": np.floor,
    "rounded up,": np.ceil,
    "rounded to a whole number,": np.round,
    "0 where it is negative, else": lambda x: np.maximum(x, 0),
    "at most 1, else": lambda x: np.minimum(x, 1),
}
KNOWN = {
    1 / np.log(2): "1 / ln 2, as of a logarithm to base 2",
    np.log(2): "ln 2, as of a logarithm to another base",
    1 / np.log(10): "1 / ln 10, as of a logarithm to base 10",
    180 / np.pi: "180 / π, as of degrees",
    np.pi / 180: "π / 180, as of degrees",
    2 * np.pi: "2 π",
    np.pi: "π",
    1 / np.pi: "1 / π",
    0.5 / np.pi: "1 / (2 π)",
}
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
POWERS = {1: "{}", -1: "1 / ({})", 0.5: "the root of {}", -0.5: "1 / root of {}", 2: "the square of {}"}
_BACK = ": along this axis they run from back to front"
FOLDS = {"sum": np.sum, "mean": np.mean, "largest number": np.max}


def relation(pairs, sizes, arguments, tolerance):
    """Return a sentence that is true of all pairs (got, wanted), "" where none of ours is.

    `sizes` has a dict for each pair, name -> number; `arguments` a dict for each pair, name -> array.
    """
    if all(got.shape == want.shape == () for got, want in pairs):
        pairs = [(got[None], want[None]) for got, want in pairs]
        arguments = [{name: x[None] for name, x in each.items()} for each in arguments]
    if all(got.shape == want.shape for got, want in pairs):
        if all(got.size > 1 and not got.any() for got, _ in pairs):
            return "all your numbers are 0"
        found = _by_arguments(pairs, arguments, tolerance)
        if found or _different(pairs) < 2:
            return found
        found = _by_number(pairs, sizes, tolerance, _different(pairs) < 3)
        if not found and _different(pairs) == 2 and all(want.size > 11 for _, want in pairs):
            return _by_place(pairs, tolerance)  # a table of 0 and 1
        if found or _different(pairs) < 3:
            return found
        ways = (_by_function, _by_place, _by_rows, _by_line)
        found = next(filter(None, (way(pairs, tolerance) for way in ways)), "")
    else:
        found = _by_shape(pairs, tolerance) or _by_size(pairs, sizes)
    if found or not all(want.size > 3 for _, want in pairs):
        return found
    if same_numbers(pairs, tolerance):
        return "these are the right numbers, in other places"
    return ""


def _close(one, other, tolerance):
    """Return True where two arrays have one shape and one set of numbers."""
    with np.errstate(all="ignore"):
        fits = np.shape(one) == np.shape(other)
        return bool(fits and np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True))


def _different(pairs):
    """Return how many different numbers were expected: what holds for one or two of them may be chance."""
    flat = np.concatenate([want.ravel() for _, want in pairs]).astype(float)
    return len(np.unique(np.round(flat, 9)))


def _by_function(pairs, tolerance):
    """Return the words for a function that was applied, or is missing, number by number."""
    with np.errstate(all="ignore"):
        for words, f in FUNCTIONS.items():
            if all(_close(got, f(want * 1.0), tolerance) for got, want in pairs):
                return f"every number is {words} what was expected"
        for words, f in BACK.items():
            if all(_close(f(got * 1.0), want, tolerance) for got, want in pairs):
                return f"{words} every number of yours is what was expected"
    return ""


def _by_number(pairs, sizes, tolerance, few):
    """Return the words for one factor, or one term, that all numbers share; of few, for a whole one alone."""
    with np.errstate(all="ignore"):
        factors = [_constant(got / want, np.abs(want) > tolerance, tolerance) for got, want in pairs]
        terms = [_constant(got - 1.0 * want, np.isfinite(want), tolerance) for got, want in pairs]
    flat = all((np.abs(got) <= tolerance)[np.abs(want) <= tolerance].all() for got, want in pairs)
    if few:
        return _whole_factor(factors) if None not in factors and flat else ""
    said = _factor_in_words(factors, sizes, pairs) if None not in factors and flat else ""
    if said:
        return said
    if None not in terms:
        named = _named(np.array(terms), sizes) or _named(np.negative(terms), sizes)
        way = "more" if terms[0] > 0 else "less"
        if np.ptp(terms) < 1e-6 * abs(terms[0]):
            return f"every number is {in_words(abs(terms[0]))} {way} than was expected"
        return f"every number is {way} than was expected, by {named}" if named else ""
    return ""


def _whole_factor(factors):
    """Return the words for a factor that is a whole number, or 1 divided by one."""
    factor = factors[0]
    whole = any(abs(x - round(x)) < 1e-6 and round(x) for x in (factor, 1 / factor if factor else 0.5))
    same = np.ptp(factors) <= 1e-6 * abs(factor)
    return f"every number is {in_words(factor)} times what was expected" if whole and same else ""


def _constant(numbers, counts, tolerance):
    """Return the one number that stands wherever `counts` is True, None where it is not one."""
    kept = numbers[counts & np.isfinite(numbers)]
    if not kept.size or kept.size < counts.sum():
        return None
    middle = float(np.median(kept))
    return middle if np.allclose(kept, middle, rtol=10 * tolerance, atol=10 * tolerance) else None


def _factor_in_words(factors, sizes, pairs):
    """Return the words for the factor of each case."""
    if np.ptp(factors) <= 1e-6 * abs(factors[0]):
        return f"every number is {in_words(factors[0])} times what was expected"
    named = _named(np.array(factors), sizes)
    if named:
        return f"every number is what was expected, times {named}"
    if all(want.size > 2 for _, want in pairs):
        listed = ", ".join(in_words(factor) for factor in factors[:3])
        return f"in each case all numbers are off by one factor ({listed} times what was expected)"
    return ""


def _named(numbers, sizes):
    """Return the words for numbers that are a size of the arguments, its root or its square, "" for none.

    Of three different ones or more, also for a product of two or three sizes, or a whole multiple of one.
    """
    if len(numbers) < 2:
        return ""
    known = {name: np.array([each.get(name, np.nan) for each in sizes], dtype=float) for name in sizes[0]}
    known = {name: x for name, x in known.items() if (x > 0).all() and np.ptp(x) > 0}
    for name, values in known.items():
        for power, words in POWERS.items():
            if np.allclose(values**power, numbers, rtol=1e-5):
                return words.format(name)
    return _product(numbers, known) if len(np.unique(np.round(numbers, 6))) > 2 else ""


def _product(numbers, known):
    """Return "3 · D · H" for numbers that are a product of sizes, times a small whole number."""
    for count in (1, 2, 3):
        for names in islice(combinations_with_replacement(known, count), 300):
            times = numbers / np.prod([known[name] for name in names], axis=0)
            whole = float(round(times[0]))
            if 0 < whole < 13 and np.allclose(times, whole, rtol=1e-9):
                return " · ".join([f"{whole:.0f}"] * (whole != 1) + list(names))
    return ""


def in_words(number):
    """Return a number as "1/3", "√2" or "0.6931"."""
    for value, words in KNOWN.items():
        if abs(abs(number) - value) < 1e-9 * value:
            return "-" * (number < 0) + words
    for value, sign in ((number, ""), (number * abs(number), "√")):
        fraction = Fraction(value).limit_denominator(300)
        if abs(fraction - value) < 1e-7 * max(1, abs(value)) and (fraction or not value):
            minus, text = "-" * (fraction < 0), str(abs(fraction))
            return f"{minus}{sign}({text})" if sign and "/" in text else f"{minus}{sign}{text}"
    return f"{number:.4g}"


def _by_arguments(pairs, arguments, tolerance):
    """Return the words for an argument that came back, was added, or is missing in a sum."""
    for name in arguments[0]:
        given = [each.get(name) for each in arguments]
        if any(np.shape(x) != got.shape for x, (got, _) in zip(given, pairs, strict=True)):
            continue
        triples = [(got, want, x) for (got, want), x in zip(pairs, given, strict=True)]
        if any(x.dtype.kind not in "iuf" or not x.any() for x in given):
            continue
        if all(_close(got, x, tolerance) for got, _, x in triples):
            return f"what came back is {name}, unchanged"
        if all(_close(got - x, want, tolerance) for got, want, x in triples):
            return f"every number is what was expected, plus that of {name}"
        if all(_close(got + x, want, tolerance) for got, want, x in triples):
            return f"every number lacks that of {name}: it is to be added"
        if any((x == 0).any() or x.size < 2 for x in given):
            continue
        if all(_close(got, want * x, tolerance) for got, want, x in triples):
            return f"every number is what was expected, times that of {name}"
        if all(_close(got * x, want, tolerance) for got, want, x in triples):
            return f"every number is what was expected, divided by that of {name}"
    return ""


def _by_place(pairs, tolerance):
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
        if all(_close(np.flip(got, axis), want, tolerance) for got, want in pairs):
            return f"the numbers are right, but the last {name} stands first{'' if axes < 3 else _BACK}"
        for step, way in ((1, "early"), (-1, "late")):
            if all(_moved(got, want, axis, step, tolerance) for got, want in pairs):
                return f"each {name} stands one place too {way}"
    if axes == 2 and all(_close(got.T, want, tolerance) for got, want in pairs):
        return "rows and columns are exchanged"
    return ""


def _by_rows(pairs, tolerance):
    """Return the words for rows that are all alike, where others were expected."""
    if all(g.ndim > 1 and len(g) > 1 and _close(g, g[:1] + 0 * g, tolerance) for g, _ in pairs):
        return "all your rows are alike; those expected are not"
    return ""


def _by_line(pairs, tolerance):
    """Return the words for what was done to each row or column, or is still to be done."""
    if any(want.ndim == 0 or want.size < 3 for _, want in pairs):
        return ""
    with np.errstate(all="ignore"):
        for axis, line in _lines(pairs):
            for words, f in ALONG.items():
                if all(_close(got, f(want * 1.0, axis), tolerance) for got, want in pairs):
                    return f"each {line} is the one expected, {words}"
                if all(_close(f(got * 1.0, axis), want, tolerance) for got, want in pairs):
                    return f"each of your {line}s, {words}, is the one expected"
    return ""


def _lines(pairs):
    """Return the axes along which all arrays can be read, and what one line along each is called."""
    if any(want.ndim == 1 for _, want in pairs):
        return [(-1, "row")] if all(want.ndim == 1 for _, want in pairs) else []
    return [(-1, "row"), (-2, "column")]


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
    zeros = _close(got[~known], want[~known], tolerance)
    many = known.sum(axis)
    enough = many.max() >= 3 and (many != 1).all()
    return zeros and bool(enough) and _close(low[many > 0], high[many > 0], 10 * tolerance)


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


def _softmax(x, axis):
    """Return the softmax along an axis."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _moved(got, want, axis, step, tolerance):
    """Return True where got is want, moved by one along an axis, whatever came in at the edge."""
    n = want.shape[axis]
    if n < 3:
        return False
    here, there = (slice(None, -1), slice(1, None)) if step > 0 else (slice(1, None), slice(None, -1))
    front = (slice(None),) * axis
    return _close(got[(*front, here)], want[(*front, there)], tolerance)


def _by_shape(pairs, tolerance):
    """Return the words for right numbers in another shape: exchanged, cut off, too many, not added up."""
    axes = {(got.ndim, want.ndim) for got, want in pairs}
    if len(axes) > 1:
        return ""
    have, need = axes.pop()
    if all(got.size == want.size and _close(got.ravel(), want.ravel(), tolerance) for got, want in pairs):
        return "the numbers are right and in the right order; only the shape is another one"
    if have == need:
        for order in list(permutations(range(have)))[1:24]:
            if all(_close(got.transpose(order), want, tolerance) for got, want in pairs):
                return "the numbers are right, but axes are exchanged"
        return _by_length(pairs, have, tolerance)
    for noun, fold in FOLDS.items():
        for axis in range(max(have, need)):
            if have == need + 1 and all(_close(fold(g, axis=axis), w, tolerance) for g, w in pairs):
                return f"the {noun} of yours along axis {axis} is what was expected"
            if need == have + 1 and all(_close(g, fold(w, axis=axis), tolerance) for g, w in pairs):
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
                    kept.append(other is not None and _close(other, pair[few], tolerance))
                if all(kept):
                    noun = "numbers" if axes == 1 else ("rows", "columns", "numbers")[min(axis, 2)]
                    what = "are missing" if few == 0 else "are too many"
                    return f"the numbers are right, but the {end} {noun} {what}"
    return ""


def _by_size(pairs, sizes):
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


def same_numbers(pairs, tolerance):
    """Return True where got and wanted hold the same numbers, in whatever order."""
    return all(
        got.size == want.size and _close(np.sort(got, axis=None), np.sort(want, axis=None), tolerance)
        for got, want in pairs
    )
