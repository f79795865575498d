"""What passes between grader and sandbox: frames that hold plain data, and nothing that can run.

A frame is two lengths, a head in JSON and a body of raw bytes: arrays in the body, all else in the head.
Whatever comes from the sandbox is read as if an enemy had written it.
"""

import json
import struct

import numpy as np

HEAD, BODY = 4 << 20, 64 << 20  # the most bytes that the grader takes from a sandbox
ITEMS = 100_000
_LENGTHS = struct.Struct(">QQ")
_DTYPES = {"bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))}
_DTYPES |= {"float16", "float32", "float64"}


class Malformed(ValueError):
    """Raised when a frame is not one of ours."""


def pack(head, value=None):
    """Return a frame: the head, and one value of plain data that goes with it."""
    body = []
    head = json.dumps({**head, "value": _written(value, body, 0)}).encode()
    body = b"".join(body)
    return _LENGTHS.pack(len(head), len(body)) + head + body


def _written(value, body, depth):
    """Return a value as JSON, its arrays put into the body."""
    if depth > 40:
        raise TypeError("lists inside lists, more than 40 deep")
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [_written(item, body, depth + 1) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[str(k), _written(v, body, depth + 1)] for k, v in value.items()]}
    if isinstance(value, bytes):
        body.append(value)
        return {"bytes": len(value)}
    if isinstance(value, Callback):
        return {"callback": value.number, "name": value.name}
    return _written_array(value, body)


def _written_array(value, body):
    """Return an array, NumPy number or tensor as JSON, its numbers put into the body."""
    if type(value).__module__.partition(".")[0] == "torch":
        tensor = value.detach().cpu()
        return {"tensor": _written_array(tensor.numpy(), body), "grad": bool(value.requires_grad)}
    array = np.asarray(value)
    if array.dtype.kind == "U":
        return {"texts": array.ravel().tolist(), "shape": list(array.shape)}
    if array.dtype == np.longdouble:
        array = array.astype(np.float64)
    if array.dtype.name not in _DTYPES:
        raise TypeError(f"an array of dtype {array.dtype}")
    body.append(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
    return {"array": array.dtype.name, "shape": list(array.shape)}


class Callback:
    """A function that stays where it is; the other side asks for its values."""

    def __init__(self, number, name):
        self.number, self.name = number, name


class Reader:
    """Reads the value of one frame; never more items, and never more bytes, than there are."""

    def __init__(self, body, trusted=False, callback=None):
        self.body, self.at, self.items = body, 0, 0
        self.trusted, self.callback = trusted, callback

    def value(self, node, depth=0):
        """Return the value that stands in a piece of the head."""
        self.items += 1
        if self.items > ITEMS or depth > 45:
            raise Malformed("too many items")
        if node is None or type(node) in (bool, float):
            return node
        if type(node) is int:
            return self._whole(node)
        if type(node) is str:
            return node.encode("utf-8", "replace").decode()
        if type(node) is not dict or not node:
            raise Malformed("not a value")
        return self._container(node, depth)

    def _whole(self, number):
        if number.bit_length() > 1000:
            raise Malformed("a number too large")
        return number

    def _container(self, node, depth):
        """Return what stands in a list, tuple, dict or array, or what only the grader may send."""
        kind, content = next(iter(node.items()))
        if kind in ("list", "tuple", "dict", "texts") and not isinstance(content, list):
            raise Malformed("not a list")
        if kind in ("list", "tuple"):
            found = [self.value(item, depth + 1) for item in content]
            return found if kind == "list" else tuple(found)
        if kind == "dict":
            return {self._key(pair): self.value(pair[1], depth + 1) for pair in content}
        if kind == "texts":
            return self._texts([str(self.value(text, depth + 1)) for text in content], self._shape(node))
        if kind == "array":
            return self._array(node)
        if self.trusted and kind == "bytes":
            return self._take(content)
        if self.trusted and kind == "callback":
            return self.callback(content, node["name"])
        if self.trusted and kind == "tensor":
            import torch

            return torch.from_numpy(self._array(content)).requires_grad_(node["grad"])
        raise Malformed("an unknown kind of value")

    def _texts(self, texts, shape):
        """Return an array of texts; each takes as much room as the longest."""
        if len(texts) * max(map(len, texts), default=0) > HEAD:
            raise Malformed("texts too long")
        return np.array(texts, str).reshape(shape)

    def _key(self, pair):
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise Malformed("not a key and its value")
        return self.value(pair[0])

    def _shape(self, node):
        shape = node.get("shape")
        if not isinstance(shape, list) or len(shape) > 32:
            raise Malformed("not a shape")
        if not all(type(size) is int and 0 <= size <= BODY for size in shape):
            raise Malformed("not a shape")
        return tuple(shape)

    def _array(self, node):
        """Return an array of the next bytes of the body, copied."""
        if not isinstance(node.get("array"), str) or node["array"] not in _DTYPES:
            raise Malformed("not a dtype")
        dtype, shape, size = np.dtype(node["array"]), self._shape(node), 1
        for length in shape:
            size *= length
        raw = self._take(size * dtype.itemsize)
        if dtype.kind == "b":
            return (np.frombuffer(raw, np.uint8) != 0).reshape(shape)
        return np.frombuffer(raw, dtype.newbyteorder("<")).astype(dtype).reshape(shape)

    def _take(self, size):
        if size > len(self.body) - self.at:
            raise Malformed("fewer bytes than said")
        self.at += size
        return self.body[self.at - size : self.at]


def unpack(head, body, trusted=False, callback=None):
    """Return the head of a frame as a dict, and the value that came with it."""
    try:
        facts = json.loads(head)
        if not isinstance(facts, dict):
            raise Malformed("not a frame")
        return facts, Reader(body, trusted, callback).value(facts.pop("value", None))
    except Malformed:
        raise
    except (ValueError, TypeError, RecursionError, KeyError, OverflowError, MemoryError) as error:
        raise Malformed(f"not a frame: {type(error).__name__}") from None


def receive(read, most_head=HEAD, most_body=BODY):
    """Return head and body, as bytes, from `read(n)`, which gives exactly n bytes."""
    head, body = _LENGTHS.unpack(read(_LENGTHS.size))
    if head > most_head or body > most_body:
        raise Malformed("a frame that is too large")
    return read(head), read(body)
