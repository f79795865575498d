"""Turn what an answer returned into plain data, then say in words how it differs from what was expected."""

import math
import sys
from dataclasses import dataclass

import numpy as np


class NotPlain(TypeError):
    """Raised when an output is not made of arrays, numbers, booleans, strings, tuples and dicts."""


@dataclass(frozen=True)
class Difference:
    """How an output differs from what was expected."""

    kind: str  # "structure" (type, length, shape, names), "nan" or "value"
    words: str


def plain(value, depth=0):
    """Return a copy of `value` made of None, bool, int, float, str, ndarray, list and dict alone."""
    if type(value) is int and value.bit_length() > 1000:
        raise NotPlain(f"a whole number of {value.bit_length()} bits")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth > 8:
        raise NotPlain("lists inside lists, more than 8 deep")
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in dict.items(value)}
    return _plain_array(value)


def _plain_array(value):
    """Return an array, tensor or NumPy number as a base-class array, or as a number where it has no axes."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = (value.double() if value.is_floating_point() else value).numpy()
    if not isinstance(value, np.ndarray | np.generic | bool | int | float | str):
        raise NotPlain(f"{_article(type(value).__name__)}")
    array = np.array(value, subok=False)
    if array.dtype.kind not in "biufU":
        raise NotPlain(f"an array of dtype {array.dtype}")
    return array.item() if array.ndim == 0 else array


def same(got, want, tolerance):
    """Return True where two pieces of plain data are equal; NaN equals NaN."""
    return difference(got, want, tolerance, nan_equal=True) is None


def difference(got, want, tolerance, place="", nan_equal=False):
    """Return the Difference between plain data and the plain data expected, or None where there is none."""
    at = f"{place}: " if place else ""
    if isinstance(want, dict):
        return _dict_difference(got, want, tolerance, place, nan_equal)
    if isinstance(want, list):
        got = got.tolist() if isinstance(got, np.ndarray) and not _has_arrays(want) else got
        if not isinstance(got, list) or len(got) != len(want):
            return Difference("structure", f"{at}expected {describe(want)}, got {describe(got)}")
        pairs = enumerate(zip(got, want, strict=True))
        found = (difference(g, w, tolerance, f"{place}[{i}]", nan_equal) for i, (g, w) in pairs)
        return next((d for d in found if d), None)
    if isinstance(want, np.ndarray):
        return _array_difference(got, want, tolerance, at, nan_equal)
    if _kind(got) != _kind(want):
        return Difference("structure", f"{at}expected {describe(want)}, got {describe(got)}")
    if _kind(want) == "number":
        return _number_difference(got, want, tolerance, at, nan_equal)
    return None if got == want else Difference("value", f"{at}expected {want!r}, got {got!r:.200}")


def _number_difference(got, want, tolerance, at, nan_equal):
    """Return the difference between two numbers."""
    both_nan = got != got and want != want
    if (
        got == want
        or (both_nan and nan_equal)
        or abs(got - want) <= tolerance + tolerance * abs(want) < math.inf
    ):
        return None
    kind = "nan" if got != got else "value"
    return Difference(kind, f"{at}expected {_digits(want, got)}, got {_digits(got, want)}")


def _dict_difference(got, want, tolerance, place, nan_equal):
    """Return the first difference between two dicts: names missing, names too many, then values."""
    if not isinstance(got, dict):
        return Difference("structure", f"expected {describe(want)}, got {describe(got)}")
    missing, extra = [k for k in want if k not in got], [k for k in got if k not in want]
    if missing or extra:
        said = [f"{word} {', '.join(repr(k)[:60] for k in keys[:6])}" for word, keys in
                (("without", missing), ("with the unexpected", extra)) if keys]  # fmt: skip
        return Difference("structure", f"the dict came back {' and '.join(said)}")
    found = (difference(got[k], want[k], tolerance, f"{place}[{k!r}]", nan_equal) for k in want)
    return next((d for d in found if d), None)


def _array_difference(got, want, tolerance, at, nan_equal):
    """Return the difference between two arrays: kind of value, shape, NaN or inf, then the worst value."""
    original, got = got, _as_array(got)
    if got is None or (got.dtype.kind == "b") != (want.dtype.kind == "b") or got.dtype.kind == "U":
        expected = "True and False (dtype bool)" if want.dtype.kind == "b" else "numbers"
        told = describe(original) if got is None else f"an array of {got.dtype} values"
        return Difference("structure", f"{at}expected an array of {expected}, got {told}")
    if got.shape != want.shape:
        hint = (
            " (the axes are in the opposite order)" if got.ndim > 1 and got.shape == want.shape[::-1] else ""
        )
        return Difference("structure", f"{at}expected shape {want.shape}, got shape {got.shape}{hint}")
    close = np.isclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=nan_equal)
    if close.all():
        return None
    return _worst(got, want, close, at)


def _worst(got, want, close, at):
    """Return the Difference that names how many values are wrong and which is the furthest out."""
    bad = ~np.isfinite(got) & np.isfinite(want)
    with np.errstate(all="ignore"):
        distance = np.where(close, -1, np.nan_to_num(np.abs(got * 1.0 - want), nan=np.inf))
    index = np.unravel_index(np.argmax(distance), got.shape)
    where = "[" + ", ".join(str(int(i)) for i in index) + "]"
    expected, returned = _digits(want[index], got[index]), _digits(got[index], want[index])
    worst = f"worst at {where}: expected {expected}, got {returned}"
    if bad.any():
        what = "NaN" if np.isnan(got).any() else "infinite"
        return Difference("nan", f"{at}{int(bad.sum())} of {got.size} values are {what}; {worst}")
    return Difference("value", f"{at}{int((~close).sum())} of {got.size} values differ; {worst}")


def _as_array(value):
    """Return plain data as an array where it is one: array, number, or list of lists of equal length."""
    if isinstance(value, np.ndarray | bool | int | float):
        return np.asarray(value)
    try:
        array = np.asarray(value) if isinstance(value, list) else None
    except ValueError:
        return None
    return array if array is not None and array.dtype.kind in "biuf" else None


def describe(value):
    """Return plain data in a few words: "an array of shape (2, 3)"."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, list):
        parts = ", ".join(
            describe(item) if isinstance(item, np.ndarray) else repr(item)[:30] for item in value[:6]
        )
        return f"{len(value)} values ({parts}{', ...' if len(value) > 6 else ''})"
    if isinstance(value, dict):
        return (
            f"a dict with the keys {', '.join(map(repr, list(value)[:6]))}{', ...' if len(value) > 6 else ''}"
        )
    return {"number": "the number ", "str": "the text ", "bool": "", "NoneType": ""}[_kind(value)] + repr(
        value
    )[:80]


def _kind(value):
    """Return "number" for an int or a float, else the name of the type."""
    return "number" if type(value) in (int, float) else type(value).__name__


def _has_arrays(values):
    """Return True where a list holds an array, a dict or a longer list of its own."""
    return any(
        isinstance(item, np.ndarray | dict) or (isinstance(item, list) and _has_arrays(item))
        for item in values
    )


def _digits(number, other):
    """Return a number with as many digits as it takes to tell it from the other one."""
    if isinstance(number, int | np.integer | np.bool_):
        return str(number)
    short = f"{number:.6g}"
    return (
        short
        if short != f"{other:.6g}"
        else repr(number.item() if isinstance(number, np.generic) else number)
    )


def _article(noun):
    """Return the noun with "a" or "an" before it."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
