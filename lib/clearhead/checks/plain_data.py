"""Plain data, which runs no code: the conversion of an answer's output to it, and its description."""

import sys
from itertools import islice

import numpy as np


class NotPlainData(TypeError):
    """The error about an output that is not made of arrays, numbers, booleans, strings and containers."""


def plain(value, depth=0):
    """Return a copy of `value` made only of None, bool, int, float, str, ndarray, list and dict."""
    if type(value) is int and value.bit_length() > 1000:
        raise NotPlainData(f"an integer of {value.bit_length()} bits")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth > 8:
        raise NotPlainData("lists that are nested more than 8 deep")
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in dict.items(value)}
    return _plain_array(value)


def _plain_array(value):
    """Return an array, tensor or NumPy number as a plain array, or as a number if it has no axes."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        kept = not value.is_floating_point() or value.dtype in (torch.float32, torch.float64)
        value = from_tensor(value if kept else value.double())
    if not isinstance(value, np.ndarray | np.generic | bool | int | float | str):
        noun = type(value).__name__
        raise NotPlainData(f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}")
    array = np.array(value, subok=False)
    if array.dtype.kind not in "biufU":
        raise NotPlainData(f"an array of dtype {array.dtype}")
    return array.item() if array.ndim == 0 else array


def from_tensor(tensor):
    """Return a tensor as a NumPy array, with float32 in place of dtypes that NumPy lacks.

    NumPy has neither bfloat16 nor 8-bit floats.
    """
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    try:
        return tensor.numpy()
    except TypeError:
        return tensor.float().numpy()


def fits_float32(value):
    """Return True if plain data holds an array of float32, or a number that float32 represents exactly."""
    if isinstance(value, dict | list):
        return any(map(fits_float32, value.values() if isinstance(value, dict) else value))
    if isinstance(value, np.ndarray):
        return value.dtype == np.float32
    with np.errstate(over="ignore"):
        return type(value) is float and float(np.float32(value)) == value


def as_array(value):
    """Return an array, a number, or nested lists of equal length as an array, and anything else as None."""
    if isinstance(value, np.ndarray | bool | int | float):
        return np.asarray(value)
    try:
        array = np.asarray(value) if isinstance(value, list) else None
    except ValueError:
        return None
    return array if array is not None and array.dtype.kind in "biuf" else None


def all_scalars(value):
    """Return True for a list of numbers, booleans, strings and None, such as a shape."""
    return isinstance(value, list) and not any(isinstance(item, list | dict | np.ndarray) for item in value)


def is_error_text(value):
    """Return True for the string with which a driver reports that the answer raised an error."""
    return isinstance(value, str) and value.endswith(" is raised")


def as_returned(output):
    """Return the output of an answer as plain data, in which a string is put in quotes.

    A driver that reports errors as strings uses this for outputs, so that no string that was returned, not
    even one in an array without axes, is mistaken for an error.
    """
    made = plain(output)
    return f"the string {made!r}" if isinstance(made, str) else made


def cut(text, most):
    """Return a text of at most `most` characters, which keeps its closing quotation mark if it is cut."""
    if len(text) <= most:
        return text
    end = text[-1] if text[-1] in "'\")]}" else ""
    return text[: most - 3 - len(end)].rstrip("\\") + "..." + end


#: The beginnings of strings in which an exercise already describes in words what was returned.
IN_WORDS = ("the tuple (", "a list or tuple of ", "the string '", 'the string "')


def describe(value):
    """Return a short description of plain data, such as "an array of shape (2, 3)"."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, dict):
        keys = f"{len(value)} key{'s' * (len(value) != 1)} ({_first_few(map(repr, value))})"
        return f"a dict with {keys}" if value else "an empty dict"
    if isinstance(value, list) and not value:
        return "an empty list or tuple"
    if all_scalars(value) and all(isinstance(each, str) for each in value):  # words come in lists
        return f"[{_first_few(map(repr, value))}]"
    if all_scalars(value):
        return f"({_first_few(map(_short, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"{len(value)} value{'s' * (len(value) != 1)} ({_first_few(map(describe, value))})"
    if is_error_text(value):
        return f"{value.removesuffix(' is raised')} to be raised"
    if isinstance(value, str) and value.startswith(IN_WORDS):
        return cut(value, 80)
    return f"the string {cut(repr(value), 80)}" if isinstance(value, str) else repr(value)


def _short(value):
    """Return a float with at most twelve digits, and anything else in full."""
    return repr(float(f"{value:.12g}")) if type(value) is float else repr(value)


def _first_few(words, count=12):
    """Return the first `count` words, joined by commas, with "..." at the end if there are more."""
    words = [cut(word, 60) for word in islice(words, count + 1)]
    return ", ".join(words[:count] + ["..."] * (len(words) > count))
