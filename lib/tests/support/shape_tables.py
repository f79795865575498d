"""Make example arguments from the tables in docstrings, which `clearhead.contracts.tables` reads."""

import inspect

import numpy as np

from clearhead.contracts.tables import entries, shape, table, value
from clearhead.maths import architectures

# All sizes differ, and so do the products that occur, so that a swapped axis cannot hide.
SIZES = {
    "B": 9, "T": 5, "S": 7, "D": 32, "H": 4, "G": 2, "d": 6, "e": 11, "F": 13, "V": 17, "L": 2,
    "R": 12, "C": 21, "P": 3, "c": 15, "W": 3, "E": 8, "r": 19,
}  # fmt: skip
LEADING = (2, 10)  # what "..." stands for
NUMBERS = dict(
    temperature=0.7, bandwidth=0.6, p=0.8, deg=3.0, ignore=3, M=7, N=4, b=1, c=2, block=1, penalty=1.3
)
OTHERS = dict(
    f=lambda x: float((x**3).sum()),
    step=lambda ids: np.zeros(SIZES["V"]), config=architectures.preset("GPT-2"), name="GPT-2",
)  # fmt: skip
#: Arguments of which a table can say only that they are a dict: their example is that of another function.
LIKE = {("ablate_head", "parameters"): "attention_only"}
HIGHEST = {"blocks": 123}  # two of its bytes are a float16: with 124 or more in the upper one, not finite


class Maker:
    """Makes one fresh example for each row of a table."""

    def __init__(self, sizes=SIZES, leading=LEADING, seed=0):
        self.sizes, self.leading = SIZES | sizes, leading
        self.rng = np.random.default_rng(seed)

    def arguments(self, function):
        """Return a dict of arguments for a function, by the table in its docstring."""
        defaults = inspect.signature(function).parameters
        arguments = {}
        for row in table(function, "Parameters"):
            like = LIKE.get((function.__name__, row.name))
            value = self.entries(entries(like)) if like else self.example(row)
            needed = defaults[row.name].default is inspect.Parameter.empty
            if value is None and needed and row.is_scalar:
                value = {"int": 2, "float": 0.7}.get(row.dtype)
            if value is not None or needed:
                arguments[row.name] = value
        return arguments

    def example(self, row):
        if row.name == "rng":
            return np.random.default_rng(0)
        if row.name in OTHERS:
            return OTHERS[row.name]
        if row.axes is not None:
            return self.number(row) if row.is_scalar else self.array(row)
        if row.borrowed:
            layers = [self.entries(entries(row.borrowed)) for _ in range(self.sizes["L"])]
            return layers if row.is_list else layers[0]
        return self.entries(row.rows) if row.is_dict else None

    def entries(self, rows):
        """Return one example a row; `up.weight` is the entry "weight" in the dict "up"."""
        found = {}
        for row in rows:
            *outer, name = row.name.split(".")
            inner = found
            for part in outer:
                inner = inner.setdefault(part, {})
            inner[name] = self.example(row)
        return found

    def number(self, row):
        """Return the size that a letter stands for; else a number that suits; None for the default."""
        if row.letter:
            return self.sizes[row.letter]
        return NUMBERS.get(row.name, None if "optional" in row.flags or row.dtype == "float" else 2)

    def array(self, row):
        size = shape(row.axes, self.sizes, self.leading)
        if row.dtype == "int":
            highest = [value(r.high, self.sizes) for r in row.ranges if r.high is not None] or [2]
            return self.rng.integers(HIGHEST.get(row.name, max(0, *highest)) + 1, size=size)
        if row.dtype == "bool":
            return self.rng.random(size) < 0.7
        numbers = self.rng.normal(size=size)
        return abs(numbers) if any(r.low == 0 for r in row.ranges) else numbers


def examples(function, **how):
    """Return a dict of example arguments for a function."""
    return Maker(**how).arguments(function)


def call(function, arguments):
    """Return what a function gives for a dict of arguments handed over in order."""
    rest, positional = dict(arguments), []
    for name in inspect.signature(function).parameters:
        if name not in rest:
            break
        positional.append(rest.pop(name))
    return outputs(function(*positional, **rest))


def each(change, example, kind=np.ndarray):
    """Return an example with every array in it changed, or all of another kind, in dicts and lists too."""
    if isinstance(example, dict):
        return {name: each(change, entry, kind) for name, entry in example.items()}
    if isinstance(example, list | tuple):
        return type(example)(each(change, entry, kind) for entry in example)
    return change(example) if isinstance(example, kind) else example


def outputs(result):
    """Return what a function gave, always as a tuple."""
    return result if isinstance(result, tuple) else (result,)
