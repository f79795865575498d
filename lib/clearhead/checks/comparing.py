"""Descriptions of how plain data differs from the expected plain data."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .plain_data import all_scalars, as_array, cut, describe, is_error_text, plain

HOLDS_INTEGERS = "your array holds integers, so it cannot hold decimals"


@dataclass(frozen=True)
class Difference:
    """A difference between an output and the expected output, with its kind and its description."""

    kind: str  # "structure" (type, length, shape, names), "nan" or "value"
    build_words: Callable  # called late, because most differences are never printed

    @property
    def words(self):
        """Return the description of the difference."""
        return self.build_words()


def same(got, want, tolerance):
    """Return True if two pieces of plain data are equal up to the tolerance, where NaN equals NaN."""
    return difference(got, want, tolerance, nan_equal=True) is None


def same_outcome(one, other, tolerance):
    """Return True if two outcomes have the same error, or the same output and changed arguments."""
    if one.error or other.error or one.returned or other.returned:
        return one.error == other.error and one.returned == other.returned
    return one.changed == other.changed and same(one.output, other.output, tolerance)


def unchanged(old, new):
    """Return True if an argument equals its earlier value, where arrays are compared bit by bit."""
    if old is new:  # a copy of an immutable value is the value itself
        return True
    if isinstance(old, np.ndarray):
        same_kind = isinstance(new, np.ndarray) and old.shape == new.shape
        return same_kind and old.dtype == new.dtype and old.tobytes() == new.tobytes()
    if type(old) is type(new) is dict:
        return old.keys() == new.keys() and all(unchanged(old[name], new[name]) for name in old)
    if type(old) is type(new) and isinstance(old, list | tuple):
        return len(old) == len(new) and all(map(unchanged, old, new))
    return same(plain(new), plain(old), 0)


def difference(got, want, tolerance, place="", nan_equal=False):
    """Return the first Difference between plain data and the expected plain data, or None if they agree."""
    at = f"in result{place}, " if place else ""
    if isinstance(want, dict):
        return _dict_difference(got, want, tolerance, place, nan_equal)
    if isinstance(want, list):
        return _list_difference(got, want, tolerance, place, nan_equal)
    if isinstance(want, np.ndarray):
        return _array_difference(got, want, tolerance, at, nan_equal)
    if _kind(got) != _kind(want):
        words = lambda: at + (_packed(got, want, tolerance) or _expected_and_got(got, want))  # noqa: E731
        return Difference("structure", words)
    if _kind(want) == "number":
        return _number_difference(got, want, tolerance, at, nan_equal)
    if got == want:
        return None
    most = max(200, len(repr(want)) + 40)  # where only the middle differs, the end is seen to be right
    return Difference("value", lambda: f"{at}expected {want!r}, got {cut(repr(got), most)}")


def float_instead_of_integer(got, want):
    """Return a message about the first float returned where an integer is expected, or ""."""
    if isinstance(want, dict):
        return next(filter(None, (float_instead_of_integer(got[name], want[name]) for name in want)), "")
    if isinstance(want, list):
        return next(filter(None, map(float_instead_of_integer, got, want)), "")
    kinds = [np.asarray(value).dtype for value in (got, want)]
    if kinds[1].kind not in "iu" or kinds[0].kind != "f":
        return ""
    what = "your array holds floats" if np.ndim(got) else f"{float(got)!r} is a float"
    return f"{what}, but floats cannot be used as indices or sizes: return integers (dtype=int)"


def _expected_and_got(got, want):
    """Return words for the expected and the actual value: "expected 2.5, got an array of shape (3,)"."""
    found = f"but {got}" if is_error_text(got) else f"got {describe(got)}"
    return f"expected {describe(want)}, {found}"


def _packed(got, want, tolerance):
    """Return a message if the right number or boolean is inside an array or list of one item, or ""."""
    array = as_array(got) if isinstance(got, np.ndarray | list) else None
    if array is None or array.size != 1 or _kind(want) not in ("number", "bool"):
        return ""
    if not same(array.item(), want, tolerance):
        return ""
    noun = "number" if _kind(want) == "number" else "value"
    where = f"an array of shape {got.shape}" if isinstance(got, np.ndarray) else "a list"
    return f"the {noun} is right, but it is inside {where}: return just the {noun}"


def _number_difference(got, want, tolerance, at, nan_equal):
    """Return the Difference between two numbers, or None if they agree within the tolerance."""
    both_nan = got != got and want != want
    near = abs(got - want) <= tolerance + tolerance * abs(want) < math.inf
    if got == want or near or (both_nan and nan_equal):
        return None
    kind = "nan" if got != got else "value"
    words = lambda: f"{at}expected {_digits(want, got)}, got {_digits(got, want)}{_precision(got, want)}"  # noqa: E731
    return Difference(kind, words)


def _list_difference(got, want, tolerance, place, nan_equal):
    """Return the first Difference between two lists, which shows short lists of scalars in full."""
    at, items = f"in result{place}, " if place else "", got
    if isinstance(got, np.ndarray) and _stacks(got, want):
        items = got.tolist() if got.ndim == 1 else list(got)
    structure = Difference("structure", lambda: f"{at}{_expected_and_got(got, want)}{_precision(got, want)}")
    if not isinstance(items, list) or len(items) != len(want):
        return structure
    pairs = enumerate(zip(items, want, strict=True))
    found = (difference(g, w, tolerance, f"{place}[{i}]", nan_equal) for i, (g, w) in pairs)
    first = next((d for d in found if d), None)
    return replace(structure, kind=first.kind) if first and all_scalars(want) and len(want) <= 12 else first


def _stacks(got, want):
    """Return True if an array may be the expected outputs stacked, so that it unpacks like a tuple."""
    if got.ndim == 0 or len(got) != len(want):  # a huge array is not turned into a list needlessly
        return False
    return all(not isinstance(item, list | dict) and np.shape(item) == got.shape[1:] for item in want)


def _dict_difference(got, want, tolerance, place, nan_equal):
    """Return the Difference between the keys of two dicts or, if these agree, the first in their values."""
    if not isinstance(got, dict):
        return Difference("structure", lambda: _expected_and_got(got, want))
    missing, extra = [k for k in want if k not in got], [k for k in got if k not in want]
    words = [f"it lacks {_keys_in_words(missing)}"] if missing else []
    words += [f"it should not have {_keys_in_words(extra)}"] if extra else []
    if words:
        return Difference("structure", lambda: f"your dict has the wrong keys: {', and '.join(words)}")
    found = (difference(got[k], want[k], tolerance, f"{place}[{k!r}]", nan_equal) for k in want)
    return next((d for d in found if d), None)


def _keys_in_words(keys):
    """Return the first twelve keys, joined by commas."""
    return ", ".join(cut(repr(key), 40) for key in keys[:12])


def _array_difference(got, want, tolerance, at, nan_equal):
    """Return the Difference between two arrays in their kind of values, shape or entries, or None."""
    original, got = got, as_array(got)
    strings = got is not None and "U" in (got.dtype.kind, want.dtype.kind)
    if strings and np.array_equal(got, want):
        return None
    if got is None or strings or (got.dtype.kind == "b") != (want.dtype.kind == "b"):
        expected = "True and False (dtype bool)" if want.dtype.kind == "b" else "numbers"
        found = describe(original) if got is None else f"an array of {_values(got)}"
        return Difference("structure", lambda: f"{at}expected an array of {expected}, got {found}")
    if got.shape != want.shape:
        opposite = got.ndim > 1 and got.shape == want.shape[::-1]
        hint = " (the same sizes in reverse order)" if opposite else ""
        return Difference(
            "structure", lambda: f"{at}expected shape {want.shape}, got shape {got.shape}{hint}"
        )
    close = np.isclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=nan_equal)
    if close.all():
        return None
    bad = ~np.isfinite(got) & np.isfinite(want)
    return Difference("nan" if bad.any() else "value", lambda: at + _worst(got, want, close, bad))


def _values(array):
    """Return words for the entries of an array, such as "integers" or "float64 values".

    The words do not depend on the dtype of integers, because it differs between a web page and a computer.
    """
    known = {"i": "integers", "u": "integers", "b": "booleans", "U": "strings"}
    return known.get(array.dtype.kind, f"{array.dtype} values")


def _worst(got, want, close, bad):
    """Return a clause that says how many entries are wrong and where the largest error is."""
    with np.errstate(all="ignore"):
        distance = np.where(close, -1, np.nan_to_num(np.abs(got * 1.0 - want), nan=np.inf))
        distance = np.where(bad, np.inf, -1) if bad.any() else distance
    index = np.unravel_index(np.argmax(distance), got.shape)
    where = "[" + ", ".join(str(int(i)) for i in index) + "]"
    values = f"expected {_digits(want[index], got[index])}, got {_digits(got[index], want[index])}"
    if bad.any():
        nan = np.isnan(got[bad])
        what = "NaN" if nan.all() else "NaN or infinite" if nan.any() else "infinite"
        meant = " but should be finite" if np.isinf(want).any() else ""  # others may be infinite
        at = f", at {where}" if bad.sum() == 1 else f". The first is at {where}"
        return f"{_of_entries(bad)} {what}{meant}{at if got.size > 1 else ''}: {values}"
    has_size = np.isfinite(distance.max()) and not want.dtype.kind == got.dtype.kind == "b"
    first = "largest error" if has_size else "first"  # of Booleans and NaN
    at = f", at {where}" if (~close).sum() == 1 else f". The {first} is at {where}"
    location = at if got.size > 1 else ""
    if note := _precision(got, want):
        slightly = "slightly " * bool(distance.max() <= SLIGHT * np.abs(want[np.isfinite(want)]).max())
        return f"{_of_entries(~close)} {slightly}wrong{note}{location}: {values}"
    sure = np.isfinite(want)
    decimals = want.dtype.kind == "f" and bool((want[sure] % 1 != 0).any())
    lost = (
        got.dtype.kind in "iu"
        and decimals
        and any(np.array_equal(got[sure], without(want[sure])) for without in (np.trunc, np.rint))
    )
    hint = f" ({HOLDS_INTEGERS})" if lost else ""
    return f"{_of_entries(~close)} wrong{location}: {values}{hint}"


def _of_entries(bad):
    """Return subject and verb for the True entries of a mask, such as "2 of 6 entries are"."""
    count = int(bad.sum())
    if bad.size == 1:
        return "the only entry is"
    return f"{count} of {bad.size} entries {'is' if count == 1 else 'are'}"


#: For each float format: the bits of its significand, the largest relative error that its rounding may cause
#: in a result, and its name.
PRECISIONS = (
    (8, 3e-2, "bfloat16"),
    (11, 5e-3, "float16"),
    (24, 2e-3, "float32"),
)
SHORTEST = PRECISIONS[0][0] - 3  # values worked by hand, such as 1/2 and 3/4, need fewer bits
SLIGHT = 2e-3  # an error up to this fraction of the largest entry is called slight


def _precision(got, want):
    """Return a remark on values that may be wrong only because a shorter float format rounded them, or "".

    If the expected values have no more digits either, as in an exercise on short float formats, few digits
    are no sign of an unintended rounding.
    """
    with np.errstate(all="ignore"):
        got, want = as_array(got), as_array(want)
        if got is None or want is None or got.dtype.kind != "f" or got.shape != want.shape or not got.size:
            return ""
        single = got.dtype == np.float32 != want.dtype
        got, want = np.atleast_1d(got.astype(float)), np.atleast_1d(want.astype(float))
        finite = np.isfinite(got) & np.isfinite(want)
        if not np.array_equal(got[~finite], want[~finite], equal_nan=True) or not finite.any():
            return ""
        off, largest = np.abs(got - want)[finite].max(), np.abs(want[finite]).max()
        needed, meant = (_most_significant_bits(values[finite]) for values in (got, want))
        for bits, limit, name in PRECISIONS:
            short_by_design = SHORTEST <= meant <= bits
            by_kind = bits == 24 if single else bits - 3 <= needed <= bits and not short_by_design
            if by_kind and 0 < off <= limit * largest:
                if single:
                    return " (in float32, which keeps 7 digits: compute in float64)"
                return f" (with no more digits than {name} keeps: if you use it, compute in float64 instead)"
        return ""


def _most_significant_bits(values):
    """Return the largest number of significand bits that any of the values needs.

    Integers do not count, because they need few bits in every float format. Without other values, it is 0.
    """
    return max(map(_significant_bits, values[values % 1 != 0].tolist()), default=0)


def _significant_bits(number):
    """Return the number of significand bits that are needed to represent a float exactly."""
    numerator, _ = number.as_integer_ratio()
    return abs(numerator).bit_length()


def _kind(value):
    """Return "number" for an int or a float, and the name of the type for any other value."""
    return "number" if type(value) in (int, float) else type(value).__name__


def _digits(number, other):
    """Return a number with six digits, or with all its digits if six do not distinguish it from `other`."""
    number, other = (value.item() if isinstance(value, np.generic) else value for value in (number, other))
    short = str(number) if isinstance(number, int) else f"{number + 0.0:.6g}"  # not -0
    return short if short != f"{other:.6g}" else repr(number)


def all_close(one, other, tolerance):
    """Return True if two arrays have the same shape and equal entries within the tolerance."""
    with np.errstate(all="ignore"):
        fits = np.shape(one) == np.shape(other)
        return bool(fits and np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True))
