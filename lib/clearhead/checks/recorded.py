"""The recorded outcomes of right and wrong answers, which replace the answers in a class edition.

A wrong answer's output is stored as three sums: enough to recognise it, but not enough to copy it.
"""

import base64
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..errors import UserError
from .plain_data import as_array

DRAWS = 5  # seeds whose outcomes a class edition holds
TURNS = (1.0, 2**0.5, 3**0.5)
#: The numbers that replace NaN and infinity in the sums.
STRANGE = {"nan": 12345.678, "posinf": 23456.789, "neginf": -34567.891}


@dataclass(frozen=True)
class RecordedCase:
    """The outcomes of the right answer and of the known mistakes in one case, in the form stored as JSON."""

    expected: object
    mistakes: dict  # from the name of each mistake to its outcome

    def same_as_mistake(self, mistake, outcome, tolerance):
        """Return True if a known mistake has the same outcome in this case as an answer."""
        kept = self.mistakes[mistake.name]
        if "output" not in kept or outcome.error or outcome.returned:
            return kept == _error_of(outcome)
        written = set(kept["changed"]) <= set(outcome.changed)  # changing more arguments is a slip of its own
        return written and _same(kept["output"], outcome.output, tolerance)


@dataclass(frozen=True)
class Recorded:
    """The recorded outcomes of one exercise, which are read from its JSON file when first needed."""

    path: str

    def cases(self, cases, seed):
        """Return the RecordedCase of each case drawn with a seed."""
        kept = _read(self.path)[seed]
        drawn = [[case.name, arguments_checksum(case.arguments)] for case in cases]
        known = [[each["case"], each["arguments"]] for each in kept]
        if not _as_recorded(drawn, known):
            raise UserError(
                "This NumPy draws other inputs than those recorded in this edition: install NumPy 2."
            )
        return [RecordedCase(decode(each["expected"]), each["mistakes"]) for each in kept]

    @property
    def draws(self):
        """Return the number of seeds for which outcomes are recorded."""
        return len(_read(self.path))


def _as_recorded(drawn, known):
    """Return True if the drawn cases have the recorded names, and the recorded checksums up to rounding."""
    return [name for name, _ in drawn] == [name for name, _ in known] and np.allclose(
        [size for _, size in drawn], [size for _, size in known], rtol=1e-9, atol=1e-9
    )


@cache
def _read(path):
    """Return the recorded outcomes in a file, as a list of cases for each seed."""
    return json.loads(Path(path).read_text("utf-8"))


def withheld_answer(*arguments):
    """Raise UserError, because a class edition does not contain the answer that was called."""
    raise UserError(
        "This is a class edition, which contains no answers. To grade, install the complete clearhead."
    )


def outcomes(right, wrong):
    """Return the outcomes of a right answer and of mistakes in one case as data for JSON."""
    mistakes = {name: _did(outcome) for name, outcome in wrong.items()}
    return {"expected": encode(right.output), "mistakes": mistakes}


def _did(outcome):
    """Return the outcome of an answer as data for JSON."""
    if outcome.error or outcome.returned:
        return _error_of(outcome)
    return {"changed": list(outcome.changed), "output": _sums(outcome.output)}


def _error_of(outcome):
    """Return a dict with the error of an answer and the description of an output that is not plain data."""
    return {"error": outcome.error, "returned": outcome.returned}


def arguments_checksum(value):
    """Return a checksum of all numbers in arguments, however deeply they are nested."""
    if isinstance(value, list | tuple):
        return sum(number * arguments_checksum(item) for number, item in enumerate(value, 1))
    if isinstance(value, dict):
        return arguments_checksum(list(value.values()))
    array = as_array(value) if isinstance(value, np.ndarray | int | float) else None
    return float(_finite(array).sum()) if array is not None and array.dtype.kind in "biuf" else 0.0


def _finite(array):
    """Return an array as floats, in which NaN and infinity are replaced by numbers."""
    return np.nan_to_num(array.astype(float), **STRANGE)


def _sums(output):
    """Return the structure of plain data with a few sums of its numbers, which suffice to recognise it."""
    if isinstance(output, dict):
        return {"dict": {name: _sums(value) for name, value in output.items()}}
    array = as_array(output)
    if array is not None and array.dtype.kind in "biuf":
        of = "bool" if array.dtype.kind == "b" else "number"
        with np.errstate(over="ignore", invalid="ignore"):  # a wrong answer may overflow; its sums show it
            sums = _turns(array.size) @ _finite(array).ravel()
        return {of: list(array.shape), "sums": [float(f"{each:.13g}") for each in sums]}
    if isinstance(output, list):
        return {"list": [_sums(item) for item in output]}
    return {"text": repr(output.tolist() if isinstance(output, np.ndarray) else output)}


@cache
def _turns(size):
    """Return the weights (3, size) of three weighted sums of an array's entries."""
    return np.cos(np.outer(TURNS, np.arange(1, size + 1)))


def _same(kept, output, tolerance):
    """Return True if an output has the recorded structure, and the recorded sums within the tolerance."""
    made = _sums(output)
    if "dict" in kept:
        return (
            made.keys() == kept.keys()
            and kept["dict"].keys() == made["dict"].keys()
            and all(_same(each, output[name], tolerance) for name, each in kept["dict"].items())
        )
    if "list" in kept:
        return (
            made.keys() == kept.keys()
            and len(kept["list"]) == len(made["list"])
            and all(_same(each, item, tolerance) for each, item in zip(kept["list"], output, strict=True))
        )
    if "sums" not in kept:
        return made == kept
    if {**made, "sums": 0} != {**kept, "sums": 0}:
        return False
    margin = np.linalg.norm(1 + np.abs(_finite(as_array(output)))) * tolerance
    return bool(np.all(np.abs(np.subtract(made["sums"], kept["sums"])) <= margin))


def encode(value):
    """Return plain data in a form suitable for JSON, with each array stored as its bytes."""
    if isinstance(value, np.ndarray):
        bytes_of = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"array": bytes_of, "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, dict):
        return {"dict": {name: encode(item) for name, item in value.items()}}
    return [encode(item) for item in value] if isinstance(value, list) else value


def decode(data):
    """Return plain data from the form in which `encode` returns it."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "dict" in data:
        return {name: decode(item) for name, item in data["dict"].items()}
    return np.frombuffer(base64.b64decode(data["array"]), data["dtype"]).reshape(data["shape"])
