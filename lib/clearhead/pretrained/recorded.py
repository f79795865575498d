"""Recording of the results of functions that use a model, and their replay where the model is absent."""

import functools
import hashlib
import inspect
import json

import numpy as np

NEAR = 0.02  # the tolerance, because results are stored in float16, and processors round differently


class Record:
    """The results of function calls, which are stored in one file.

    Parameters
    ----------
    path : path
        An .npz file, which need not exist.

    Attributes
    ----------
    entries : dict of str to value
        The result of each call: numbers, strings, arrays, and lists and dicts of these.
    """

    def __init__(self, path):
        self.path, self.entries = path, {}
        if path.exists():
            with np.load(path) as file:
                arrays = [file[f"array{i}"] for i in range(len(file.files) - 1)]
                self.entries = _unfolded(json.loads(file["entries"].tobytes()), arrays)

    def save(self):
        """Write the record to its file."""
        arrays = []
        text = json.dumps(_folded(self.entries, arrays))
        named = {f"array{i}": array for i, array in enumerate(arrays)}
        np.savez_compressed(self.path, entries=np.frombuffer(text.encode(), dtype=np.uint8), **named)

    def kept(self, function):
        """Return a function that calls the given one and records each result."""

        @functools.wraps(function)
        def keeping(*arguments, **named):
            arguments = inspect.signature(function).bind(*arguments, **named).args
            result = _plain(function(*arguments))
            self.entries[call_of(function, arguments)] = result
            return result

        return keeping

    def compared(self, function):
        """Return a function that calls the given one, and compares its result with the recorded one, if any.

        Raises
        ------
        AssertionError
            If they differ.
        """

        @functools.wraps(function)
        def comparing(*arguments, **named):
            arguments = inspect.signature(function).bind(*arguments, **named).args
            result = _plain(function(*arguments))
            recorded = self.entries.get(call_of(function, arguments), result)
            if not agrees(result, recorded):
                raise AssertionError(f"{function.__name__}{arguments} is not what was recorded: {recorded}")
            return result

        return comparing

    def replayed(self, function, missing):
        """Return a function that returns the recorded results without running anything.

        Parameters
        ----------
        function : function
            The function, whose code and arguments must be the recorded ones.
        missing : str
            The end of the error message for calls that were not recorded.

        Raises
        ------
        LookupError
            If the call was not recorded, or not with this code.
        """

        @functools.wraps(function)
        def replaying(*arguments, **named):
            arguments = inspect.signature(function).bind(*arguments, **named).args
            call = call_of(function, arguments)
            if call not in self.entries:
                raise LookupError(f"{call.split('#')[0]} was not recorded, or by other code. {missing}")
            return self.entries[call]

        return replaying


class Absent:
    """A replacement for a model that is not on this computer, with its tokenizer and recorded results.

    Parameters
    ----------
    tokens : ByteLevelTokenizer
    record : Record
    missing : str
        A sentence on how to get the model.
    """

    def __init__(self, tokens, record, missing):
        self.tokens, self._record, self._missing = tokens, record, missing

    def __repr__(self):
        return f"Recorded: what it said when the record was made. {self._missing}"

    def __getattr__(self, name):
        raise AttributeError(f"Without the model there is no {name}. {self._missing}")

    def recorded(self, function):
        """Return a function that replays the results that the given one had when the model was present."""
        return self._record.replayed(function, self._missing)


def call_of(function, arguments):
    """Return a key for a call: the function's name, its arguments, and a checksum of its code."""
    code = hashlib.sha256(inspect.getsource(function).strip().encode()).hexdigest()[:16]
    return f"{function.__name__}({', '.join(map(repr, arguments))})#{code}"


def agrees(one, other):
    """Return True if two results are equal up to rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(agrees(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(agrees, one, other))
    if isinstance(one, str | bool | None):
        return one == other
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and np.allclose(one, other, rtol=NEAR, atol=NEAR)


def _plain(result):
    """Return a result as a record stores it: lists, dicts, strings, Python numbers, and arrays."""
    if isinstance(result, dict):
        return {str(name): _plain(each) for name, each in result.items()}
    if isinstance(result, list | tuple):
        return [_plain(each) for each in result]
    if isinstance(result, np.generic) or (isinstance(result, np.ndarray) and not result.ndim):
        return result.item()
    return result


def _folded(value, arrays):
    """Return a value for JSON, whose arrays are appended to a list and replaced by their indices."""
    if isinstance(value, dict):
        return {name: _folded(each, arrays) for name, each in value.items()}
    if isinstance(value, list):
        return [_folded(each, arrays) for each in value]
    if isinstance(value, np.ndarray):
        arrays.append(value.astype(np.float16) if value.dtype.kind == "f" else value)
        return {"array": len(arrays) - 1}
    return value


def _unfolded(value, arrays):
    """Return the value from which `_folded` made its result; this is the inverse of `_folded`."""
    if isinstance(value, dict):
        if value.keys() == {"array"}:
            array = arrays[value["array"]]
            return array.astype(np.float32) if array.dtype.kind == "f" else array
        return {name: _unfolded(each, arrays) for name, each in value.items()}
    return [_unfolded(each, arrays) for each in value] if isinstance(value, list) else value
