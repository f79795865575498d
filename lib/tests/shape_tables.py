"""Read the shape tables in docstrings, and make example arguments from them.

A table is a numpydoc section whose rows read `Q : (..., T, d) float`. A dict lists its entries as
`- weight : (D, F) float` below its row, or borrows them: `dict of linear`, `list of dict of encoder_block`.
"""

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass, field

import numpy as np

import clearhead.maths
from clearhead.maths import architectures

# All sizes differ, and so do the products that occur, so that a swapped axis cannot hide.
SIZES = {
    "B": 9, "T": 5, "S": 7, "D": 32, "H": 4, "G": 2, "d": 6, "e": 11, "F": 13, "V": 17, "L": 2,
    "R": 12, "C": 21, "P": 3, "c": 15, "W": 3,
}  # fmt: skip
LEADING = (2, 10)  # what "..." stands for
LETTER = {
    "length": "T", "key_length": "S", "longest": "S", "vocab_size": "V", "num_layers": "L", "num_heads": "H",
    "num_groups": "G", "d_model": "D", "d_k": "d", "d_v": "e", "d_ff": "F", "height": "R", "width": "C",
    "patch_size": "P", "num_patches": "S", "patch_width": "F", "num_answers": "e",
}  # fmt: skip
FLOATS = dict(temperature=0.7, bandwidth=0.6, t=0.7, p=0.8, deg=3.0)
INTS = dict(window=3, chunk=2, ignore=3, k=3, width=2, offset=3, a=0, b=1, c=2, M=7, N=4)
INTS |= dict(block=1, dilation=2)
ANY = dict(int=2, float=0.7)  # for a number that must be given, and has no place above
BELOW = dict(lengths="S", ids="V", targets="V", source="V", target="V", segments="L")
FIXED = dict(
    f=lambda x: float((x**3).sum()),
    step=lambda ids: np.zeros(SIZES["V"]), config=architectures.preset("GPT-2"), name="GPT-2",
)  # fmt: skip

ROW = re.compile(r"^(?P<indent>\s*)(?P<bullet>- )?(?P<name>[\w.]+) : (?P<type>.+)$")
ARRAY = re.compile(r"\((?P<letters>.*?)\) (?P<dtype>float|int|bool)\b")
BORROWED = re.compile(r"dict of (?P<function>\w+)(,|$)")


@dataclass
class Row:
    """One row of a shape table; a dict has rows of its own."""

    name: str
    type: str
    rows: list = field(default_factory=list)

    @property
    def optional(self):
        return "optional" in self.type

    @property
    def array(self):
        """The letters and the dtype, or None for what is not an array."""
        found = ARRAY.match(self.type)
        return found and (found["letters"], found["dtype"])


def section(function, title):
    """Return the lines of one numpydoc section of a docstring."""
    parts = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(function) or "", flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return sections.get(title, "").splitlines()


def table(function, title):
    """Return the rows of "Parameters" or "Returns", entries of a dict inside the row of that dict."""
    rows, above = [], {}
    for match in filter(None, map(ROW.match, section(function, title))):
        depth, row = (
            len(match["indent"]),
            Row(match["name"], match["type"]),
        )
        above = {shallower: parent for shallower, parent in above.items() if shallower < depth}
        if depth == 0:
            rows.append(row)
        elif match["bullet"]:
            above[max(above)].rows.append(row)
        above[depth] = row
    return rows


def offered(name):
    """Return the public function of maths with this name."""
    names = (f"clearhead.maths.{found.name}" for found in pkgutil.iter_modules(clearhead.maths.__path__))
    return next(vars(module)[name] for module in map(importlib.import_module, names) if name in vars(module))


def shape(letters, sizes=SIZES, leading=LEADING):
    """Return the shape that letters promise: "..., T, D/H" is (2, 10, 5, 8)."""
    found = []
    for part in filter(None, (part.strip() for part in letters.split(","))):
        formula = part.replace("·", "*").replace("/", "//").replace("²", "**2")
        formula = re.sub(r"(?<=\d)(?=[A-Za-z])", "*", formula)  # 2d is 2*d
        found += leading if part == "..." else [eval(formula, {}, dict(sizes))]
    return tuple(found)


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
            value = self.example(row)
            needed = defaults[row.name].default is inspect.Parameter.empty
            if value is None and needed and row.array:
                value = ANY[row.array[1]]
            if value is not None or needed:
                arguments[row.name] = value
        return arguments

    def example(self, row):
        if row.name == "rng":
            return np.random.default_rng(0)
        if row.name in FIXED:
            return FIXED[row.name]
        if row.array:
            letters, dtype = row.array
            return self.array(row.name, letters, dtype) if letters.strip() else self.scalar(row.name, dtype)
        if borrowed := BORROWED.search(row.type):
            rows = self.borrowed(borrowed["function"])
            layers = [self.entries(rows) for _ in range(self.sizes["L"])]
            return layers if row.type.startswith("list") else layers[0]
        return self.entries(row.rows) if row.type.startswith("dict") else None

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

    def borrowed(self, name):
        """Return the rows that another function wants: of its `parameters`, or all after its input."""
        _input, *others = table(offered(name), "Parameters")
        inner = next((row for row in others if row.name == "parameters"), None)
        if inner is None:
            return others
        return inner.rows or self.borrowed(BORROWED.search(inner.type)["function"])

    def scalar(self, name, dtype):
        if dtype == "int":
            return self.sizes[LETTER[name]] if name in LETTER else INTS.get(name)
        return FLOATS.get(name)

    def array(self, name, letters, dtype):
        size = shape(letters, self.sizes, self.leading)
        if dtype == "int":
            return self.rng.integers(max(self.sizes[BELOW[name]], 1) if name in BELOW else 3, size=size)
        return self.rng.normal(size=size) if dtype == "float" else self.rng.random(size) < 0.7


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


def each(change, example):
    """Return an example with every array in it changed, in dicts and lists too."""
    if isinstance(example, dict):
        return {name: each(change, entry) for name, entry in example.items()}
    if isinstance(example, list | tuple):
        return type(example)(each(change, entry) for entry in example)
    return change(example) if isinstance(example, np.ndarray) else example


def outputs(result):
    """Return what a function gave, always as a tuple."""
    return result if isinstance(result, tuple) else (result,)
