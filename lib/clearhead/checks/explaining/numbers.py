"""Say how numbers that came back are related to those expected: by a function, a factor, a term, a size.

A number is said as one would write it (1/3, √2), and numbers that differ from case to case as sizes of the
arguments, their roots or their ratios.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations

import numpy as np

from ..comparing import all_close
from .positions import by_position, by_row_order, by_row_transform, by_shape, by_size

FUNCTIONS = {
    "minus": np.negative,
    "the square of": np.square,
    "the root of": np.sqrt,
    "1 divided by": np.reciprocal,
    "1 minus": lambda x: 1 - x,
    "e to the power of": np.exp,
    "the logarithm of": np.log,
    "without its sign": np.abs,
    "the largest whole number not above": np.floor,
    "the nearest whole number to": np.round,
    "0 where it is negative, else": lambda x: np.maximum(x, 0),
    "at most 1, else": lambda x: np.minimum(x, 1),
    "the angle whose cosine is": np.arccos,
    "the sigmoid of": lambda x: 1 / (1 + np.exp(-x)),
    "the tanh of": np.tanh,
}
#: Far from 0 these are 1, as many things are.
FLAT = (FUNCTIONS["the sigmoid of"], FUNCTIONS["the tanh of"])
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
POWERS = {1: "{}", -1: "1 / ({})", 0.5: "the root of {}", -0.5: "1 / root of {}", 2: "the square of {}"}
TOTALS = {"sum": np.sum, "mean": np.mean, "length (norm)": np.linalg.norm, "largest number": np.max}
ORDINALS = ("first", "second", "third", "fourth")


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
        if not found and all(all_close(got, 1.0 - want, tolerance) for got, want in pairs):
            return "every number is 1 minus what was expected"
        if not found and _different(pairs) == 2 and all(want.size > 11 for _, want in pairs):
            return by_position(pairs, tolerance)  # a table of 0 and 1
        if found or _different(pairs) < 3:
            return found
        explainers = (_by_function, by_position, by_row_order, by_row_transform)
        found = next(filter(None, (way(pairs, tolerance) for way in explainers)), "")
    else:
        found = by_shape(pairs, tolerance) or by_size(pairs, sizes)
    if found or not all(want.size > 3 for _, want in pairs):
        return found
    if same_numbers(pairs, tolerance):
        return "these are the right numbers, in other places"
    return ""


def by_form(pairs, sizes, tolerance):
    """Return the words for values that stand elsewhere, or in another shape; of few values, for none."""
    if not all(want.size > 5 for _, want in pairs):
        return ""
    if all(got.shape == want.shape for got, want in pairs):
        return by_position(pairs, tolerance) or by_row_order(pairs, tolerance)
    return by_shape(pairs, tolerance) or by_size(pairs, sizes)


def _different(pairs):
    """Return how many different numbers were expected: what holds for one or two of them may be chance."""
    flat = np.concatenate([want.ravel() for _, want in pairs]).astype(float)
    return len(np.unique(np.round(flat, 9)))


def _by_function(pairs, tolerance):
    """Return the words for a function that was applied, or is missing, number by number."""
    if any(np.isnan(got).any() for got, _ in pairs):
        return ""  # many functions give NaN
    with np.errstate(all="ignore"):
        for words, f in FUNCTIONS.items():
            made = [(got, f(want * 1.0), want) for got, want in pairs]
            if all(all_close(got, x, tolerance) for got, x, _ in made) and _tells(f, made, tolerance):
                return f"every number is {words} what was expected"
        for words, f in BACK.items():
            if all(all_close(f(got * 1.0), want, tolerance) for got, want in pairs):
                return f"{words} every number of yours is what was expected"
    return ""


def _tells(f, made, tolerance):
    """Return True where a function gave what little else gives: not 0 alone, no infinity, no 1 far from 0."""
    if f in FLAT and all((np.abs(x) > 0.999).all() for _, x, _ in made):
        return False
    some = all((np.abs(x) > tolerance).any() for _, x, _ in made)
    return some and not any((np.isinf(x) & np.isfinite(want)).any() for _, x, want in made)


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
        known = as_size(np.array(terms), sizes) or as_size(np.negative(terms), sizes)
        way = "more" if terms[0] > 0 else "less"
        if np.ptp(terms) < 1e-6 * abs(terms[0]):
            return f"every number is {format_number(abs(terms[0]))} {way} than was expected"
        return f"every number is {way} than was expected, by {known}" if known else ""
    return ""


def _whole_factor(factors):
    """Return the words for a factor that is a whole number, or 1 divided by one."""
    factor = factors[0]
    whole = any(abs(x - round(x)) < 1e-6 and round(x) for x in (factor, 1 / factor if factor else 0.5))
    same = np.ptp(factors) <= 1e-6 * abs(factor)
    return f"every number is {format_number(factor)} times what was expected" if whole and same else ""


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
        factor = format_number(factors[0])
        return f"every number is {factor} times what was expected" if factor not in ("0", "1") else ""
    known = as_size(np.array(factors), sizes)
    if known:
        return f"every number is what was expected, times {known}"
    if np.abs(factors).min() < 1e-6:
        return ""
    if all(want.size > 1 for _, want in pairs) and sum(want.size for _, want in pairs) > 5:
        listed = ", ".join(format_number(factor) for factor in factors[:3])
        return f"in each case all numbers are off by one factor ({listed} times what was expected)"
    return ""


def _by_arguments(pairs, arguments, tolerance):
    """Return the words for an argument that came back, was added, or is missing in a sum."""
    for name in arguments[0]:
        given = [each.get(name) for each in arguments]
        if any(np.shape(x) != got.shape for x, (got, _) in zip(given, pairs, strict=True)):
            continue
        triples = [(got, want, x) for (got, want), x in zip(pairs, given, strict=True)]
        if any(x.dtype.kind not in "iuf" or not x.any() for x in given):
            continue
        if all(x.size == 1 and x == given[0] for x in given):  # one number in all cases tells nothing
            continue
        if all(all_close(got, x, tolerance) for got, _, x in triples):
            return f"what came back is {name}, unchanged"
        if all(all_close(got - x, want, tolerance) for got, want, x in triples):
            return f"every number is what was expected, plus that of {name}"
        if all(all_close(got + x, want, tolerance) for got, want, x in triples):
            return f"every number lacks that of {name}: it is to be added"
        if any((x == 0).any() or x.size < 2 for x in given):
            continue
        if all(all_close(got, want * x, tolerance) for got, want, x in triples):
            return f"every number is what was expected, times that of {name}"
        if all(all_close(got * x, want, tolerance) for got, want, x in triples):
            return f"every number is what was expected, divided by that of {name}"
    return ""


def same_numbers(pairs, tolerance):
    """Return True where got and wanted hold the same numbers, in whatever order."""
    return all(
        got.size == want.size and all_close(np.sort(got, axis=None), np.sort(want, axis=None), tolerance)
        for got, want in pairs
    )


def sizes_of(names, arguments):
    """Return the sizes of the arguments in words: "the size of axis 0 of X", "the sum of X", "n"."""
    found = {}
    for name, value in zip(names, arguments, strict=False):
        if type(value) in (int, float):
            found[name] = value
        if isinstance(value, dict):
            found |= {key: size for key, size in value.items() if type(size) in (int, float)}
        for axis, size in enumerate(getattr(value, "shape", ())):
            found[f"the size of axis {axis} of {name}"] = size
    for name, value in zip(names, arguments, strict=False):
        if isinstance(value, np.ndarray) and value.size > 1 and value.dtype.kind in "iuf":
            found |= {f"the {noun} of {name}": float(fold(value)) for noun, fold in TOTALS.items()}
    return found


def other_sizes(pairs, sizes):
    """Return the words for whole numbers, one alone or a shape, that are other sizes than those expected."""
    series = [(np.asarray(got), np.asarray(want)) for got, want in pairs]
    shape = series[0][1].shape
    if len(shape) > 1 or series[0][1].size > 4 or any(one.shape != shape for pair in series for one in pair):
        return ""
    if any(one.dtype.kind not in "iu" for pair in series for one in pair):
        return ""
    for place in range(series[0][1].size):
        got, want = (np.array([pair[which].flat[place] for pair in series], float) for which in (0, 1))
        if (got == want).all():
            continue
        yours, right = (product(numbers, sizes) for numbers in (got, want))
        if shape and yours and right:
            return f"your {ORDINALS[place]} number is {yours}; expected: {right}"
        if not shape and yours:
            return f"what came back is {yours}" + (f"; expected: {right}" if right else "")
    return ""


def almost_right(pairs):
    """Return the words for numbers that are all right to three digits or so, and no further."""
    if any(got.shape != want.shape or not np.isfinite(want).all() for got, want in pairs):
        return ""
    if any(want.dtype.kind in "iub" for _, want in pairs):
        return ""
    off = [np.abs(got - want).max() / max(np.abs(want).max(), 1e-300) for got, want in pairs]
    if not all(part < 0.005 for part in off):
        return ""
    digits = int(-np.log10(max(off)))
    said = f"beside the largest of them, the numbers are right to about {digits} digits, and no further"
    short = any(got.dtype == np.float32 for got, _ in pairs)  # which is near 0 or not as it comes
    less = not short and all((np.abs(got) < np.abs(want))[want != 0].all() for got, want in pairs)
    return (
        f"{said}: each is a little too near to 0, as where a small number is added to a divisor"
        if less
        else said
    )


def as_size(numbers, sizes):
    """Return the words for numbers that are a size of the arguments, its root or its square, "" for none.

    Of three different ones or more, also for a product or a ratio of sizes, or a whole multiple of one.
    """
    if len(numbers) < 2:
        return ""
    for name, values in _varying_sizes(sizes).items():
        for power, words in POWERS.items():
            if np.allclose(values**power, numbers, rtol=1e-5):
                return words.format(name)
    return product(numbers, sizes) or _ratio(numbers, sizes)


def _varying_sizes(sizes):
    """Return the sizes that differ from case to case, as one array a name."""
    known = {name: np.array([each.get(name, np.nan) for each in sizes], dtype=float) for name in sizes[0]}
    return {name: x for name, x in known.items() if (x > 0).all() and np.ptp(x) > 0}


def _whole_sizes(numbers, sizes):
    """Return the whole sizes that differ from case to case; none where too few numbers are to be named."""
    if len(np.unique(np.round(numbers, 6))) < 3:
        return {}
    return {name: x for name, x in _varying_sizes(sizes).items() if (x % 1 == 0).all()}


def product(numbers, sizes):
    """Return "3 · D · H" for numbers that are a product of sizes, times a small whole number."""
    known = _whole_sizes(numbers, sizes)
    for count in (1, 2, 3):
        for names in islice(combinations_with_replacement(known, count), 300):
            times = numbers / np.prod([known[name] for name in names], axis=0)
            whole = float(round(times[0]))
            if 0 < whole < 13 and np.allclose(times, whole, rtol=1e-9):
                return " · ".join([f"{whole:.0f}"] * (whole != 1) + list(names))
    return ""


def _ratio(numbers, sizes):
    """Return "the root of D / H" for numbers that are a size, or one more or less, divided by another."""
    if (numbers < 0).all():
        said = _ratio(-numbers, sizes)
        return f"minus {said}" if said else ""
    if (numbers < 0).any():
        return ""
    known = _whole_sizes(numbers, sizes)
    parts = known | {f"({n} {s} 1)": x + k for s, k in (("-", -1), ("+", 1)) for n, x in known.items()}
    for power, words in ((1, "{} / {}"), (2, "the root of {} / {}")):
        for (above, x), (below, y) in permutations((parts | {"1": np.ones(len(numbers))}).items(), 2):
            if np.allclose(x, numbers**power * y, rtol=1e-6) and (y > 0).all():
                return words.format(above, below)
    return ""


def format_number(number):
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
