"""Name the simple relation, if there is one, between arrays that came back and arrays that were expected."""

import numpy as np

from .comparing import all_close
from .factors import in_words, named
from .relations_of_places import by_line, by_place, by_rows, by_shape, by_size

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
            return by_place(pairs, tolerance)  # a table of 0 and 1
        if found or _different(pairs) < 3:
            return found
        ways = (_by_function, by_place, by_rows, by_line)
        found = next(filter(None, (way(pairs, tolerance) for way in ways)), "")
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
        return by_place(pairs, tolerance) or by_rows(pairs, tolerance)
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
        known = named(np.array(terms), sizes) or named(np.negative(terms), sizes)
        way = "more" if terms[0] > 0 else "less"
        if np.ptp(terms) < 1e-6 * abs(terms[0]):
            return f"every number is {in_words(abs(terms[0]))} {way} than was expected"
        return f"every number is {way} than was expected, by {known}" if known else ""
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
        factor = in_words(factors[0])
        return f"every number is {factor} times what was expected" if factor not in ("0", "1") else ""
    known = named(np.array(factors), sizes)
    if known:
        return f"every number is what was expected, times {known}"
    if np.abs(factors).min() < 1e-6:
        return ""
    if all(want.size > 1 for _, want in pairs) and sum(want.size for _, want in pairs) > 5:
        listed = ", ".join(in_words(factor) for factor in factors[:3])
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
