"""The messages between grader and sandbox: JSON in which arrays are raw bytes, and nothing executable.

Every message from a sandbox is read as if an attacker had written it.
"""

import json
import re
from base64 import b64decode, b64encode

import numpy as np

from clearhead.checks.plain_data import from_tensor

MAX_BYTES = 64 << 20  # bytes that the grader takes from a sandbox at once
MAX_ITEMS = 100_000
MAX_TEXT = 4 << 20  # characters in one string, and in all arrays of strings of a message together
#: A string of JSON, even one that is not closed, so that no part of a message is searched twice.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.S)
_DTYPES = {"bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))}
_DTYPES |= {"float16", "float32", "float64"}


class MalformedMessage(ValueError):
    """Raised when a message does not follow the protocol."""


class Callback:
    """A function that stays on one side of the connection, from which the other side requests values."""

    def __init__(self, number):
        self.number = number


def pack(head, value=None):
    """Return a message as bytes, which are its length, a head, and one value of plain data."""
    text = json.dumps([_written(head), _written(value)], separators=(",", ":")).encode()
    return len(text).to_bytes(8, "big") + text


def _written(value, depth=0):
    """Return a value in the form in which JSON can store it; raise TypeError if it is not plain data."""
    if depth > 40:
        raise TypeError("lists inside lists, more than 40 deep")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise TypeError(f"a string of {len(value)} characters")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, list):
        return [_written(item, depth + 1) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_written(item, depth + 1) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[str(key), _written(item, depth + 1)] for key, item in value.items()]}
    if isinstance(value, bytes):
        return {"bytes": b64encode(value).decode()}
    if isinstance(value, Callback):
        return {"callback": value.number}
    if type(value).__module__.partition(".")[0] == "torch":
        dtype = str(value.dtype).removeprefix("torch.")
        return {"tensor": _written(from_tensor(value)), "dtype": dtype, "grad": bool(value.requires_grad)}
    array = np.asarray(value)
    if array.dtype.kind == "U":
        return {"texts": array.ravel().tolist(), "shape": list(array.shape)}
    if array.dtype == np.longdouble:
        array = array.astype(np.float64)
    if array.dtype.name not in _DTYPES:
        raise TypeError(f"an array of dtype {array.dtype}")
    raw = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
    return {"array": array.dtype.name, "shape": list(array.shape), "raw": b64encode(raw).decode()}


def unpack(text, callback=None):
    """Return the head and the value of a message; only the grader may send functions, with `callback`."""
    if sum(map(text.count, (b"[", b"{", b","))) > MAX_ITEMS and callback is None:
        raise MalformedMessage("too many items")
    if callback is None and _has_long_escapes(text):
        raise MalformedMessage("a string that is too long")
    kinds = {"tuple": _tuple, "dict": _dict, "array": _array, "texts": _Texts()}
    if callback is not None:
        kinds |= {"bytes": lambda node: b64decode(node["bytes"]), "tensor": _tensor}
        kinds["callback"] = lambda node: callback(node["callback"])
    try:
        made = json.loads(text, object_hook=lambda node: kinds[next(iter(node))](node), parse_int=_whole)
        head, value = made
        if type(made) is not list or type(head) is not dict:
            raise MalformedMessage("not a message")
        return head, value
    except MalformedMessage:
        raise
    except (ValueError, TypeError, LookupError, StopIteration, RecursionError, MemoryError) as error:
        raise MalformedMessage(f"not a message: {type(error).__name__}") from None


def _require(holds, what):
    if not holds:
        raise MalformedMessage(f"not a {what}")


def _whole(digits):
    _require(len(digits) <= 310, "number")
    return int(digits)


def _tuple(node):
    _require(type(node["tuple"]) is list, "tuple")
    return tuple(node["tuple"])


def _dict(node):
    _require(type(node["dict"]) is list and all(type(pair) is list for pair in node["dict"]), "dict")
    found = dict(node["dict"])
    _require(all(type(key) is str for key in found), "dict")
    return found


def _shape(node):
    shape = node["shape"]
    _require(type(shape) is list and len(shape) <= 32, "shape")
    _require(all(type(size) is int and 0 <= size <= MAX_BYTES for size in shape), "shape")
    return shape


def _array(node):
    """Return an array; raise an error unless there are exactly as many bytes as its shape requires."""
    _require(type(node["array"]) is str and node["array"] in _DTYPES, "dtype")
    raw, dtype = b64decode(node["raw"], validate=True), np.dtype(node["array"])
    found = np.frombuffer(raw, np.uint8 if dtype.kind == "b" else dtype.newbyteorder("<"))
    return (found != 0 if dtype.kind == "b" else found.astype(dtype)).reshape(_shape(node))


class _Texts:
    """The reader of the arrays of strings in one message, whose sizes together have a limit.

    In such an array each string takes as many bytes as the longest, so a short message could ask for
    gigabytes.
    """

    def __init__(self):
        self._left = MAX_TEXT

    def __call__(self, node):
        """Return an array of strings; raise MalformedMessage if the message holds too many of them."""
        texts = node["texts"]
        _require(type(texts) is list and all(type(text) is str for text in texts), "texts")
        self._left -= len(texts) * max(map(len, texts), default=0)
        _require(self._left >= 0, "texts")
        return np.array(texts, str).reshape(_shape(node))


def _has_long_escapes(text):
    """Return True if a long string of a message contains an escape, or there are too many strings.

    An escape can make each character of its string take four bytes. The long strings that we send hold raw
    arrays, which have no escapes.
    """
    if len(text) <= MAX_TEXT or b"\\" not in text:
        return False
    for count, found in enumerate(_STRING.finditer(text)):
        long = found.end() - found.start() > MAX_TEXT
        if count > 3 * MAX_ITEMS or (long and b"\\" in found[0]):
            return True
    return False


def _tensor(node):
    import torch

    return torch.from_numpy(node["tensor"]).to(getattr(torch, node["dtype"])).requires_grad_(node["grad"])
