"""Read the tables in docstrings: rows like `Q : (..., T, d) float`, and the sizes of axes like `H·d`."""

import importlib
import inspect
import operator
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

ROW = re.compile(r"^(?P<indent> *)(?P<bullet>- )?(?P<name>[\w.]+) : (?P<type>.+)$")
ARRAY = re.compile(r"\((?P<axes>.*?)\) (?P<dtype>float|int|bool)\b(?P<rest>.*)")
BORROWED = re.compile(r"dict of (?P<name>\w+)(,|$)")
RANGE = re.compile(
    r"(?P<letter>[A-Za-z]\b)? ?((?P<how>from|above) (?P<low>\S+)( to (?P<high>\S+))?)?( or (?P<but>\w+))?"
)
TOKEN = re.compile(r"\d+|//|[A-Za-z]|[^\s\w]")
TWIN = re.compile(r"[Tt]win of\s+`(?P<module>clearhead\.maths\.\w+)\.(?P<name>\w+)`")
AS_FOR = re.compile(r"Parameters as for `(?P<name>\w+)`")
COMPUTE = {
    "+": operator.add, "-": operator.sub, "·": operator.mul, "//": operator.floordiv,
    "/": lambda whole, parts: Fraction(whole, parts) if parts else None,
}  # fmt: skip
LEFT = {
    "+": operator.sub,
    "-": operator.add,
    "·": COMPUTE["/"],
    "/": operator.mul,
}  # of what comes out, and right
RIGHT = {"+": operator.sub, "·": COMPUTE["/"], "-": lambda out, left: left - out}

OFFERED = {}  # the functions that have a table, by name: `dict of linear` is read in that of `linear`


@dataclass(eq=False)
class Row:
    """One row of a table; a dict has rows of its own."""

    name: str
    type: str
    lines: list = field(default_factory=list)
    rows: list = field(default_factory=list)

    def __post_init__(self):
        found = ARRAY.match(self.type)
        self.dtype = found and found["dtype"]
        self.axes = [axis for axis in re.split(r",\s*", found["axes"]) if axis] if found else None
        first, *clauses = (part.strip() for part in (found["rest"] if found else "").split(","))
        self.flags = {clause for clause in clauses if not RANGE.fullmatch(clause)}
        self.ranges = [range for range in map(RANGE.fullmatch, (first, *clauses)) if range and range[0]]
        self.is_scalar = self.axes == []
        self.letter = next((range["letter"] for range in self.ranges), None) if self.is_scalar else None
        self.broadcasts = "broadcasts" in self.flags or (self.dtype == "bool" and "..." in (self.axes or ()))
        borrowed = BORROWED.search(self.type)
        self.borrowed = borrowed and borrowed["name"]
        self.is_list = self.type.startswith("list of dict")
        self.is_dict = not self.is_list and self.type.startswith("dict")
        self.optional = "optional" in self.type

    @property
    def advice(self):
        """Return the description below the row, on one line."""
        return " ".join(line.strip() for line in self.lines if line.strip()).replace("`", "")


def section(function, title):
    """Return the lines of one numpydoc section of a docstring."""
    parts = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(function) or "", flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(title, "").splitlines()


def table(function, title="Parameters"):
    """Return the rows of "Parameters" or "Returns", entries of a dict inside the row of that dict.

    Where the docstring has no such section, it names the function whose table it shares: its twin in maths,
    or another one of its family, as in "Parameters as for `copy`".
    """
    rows = []
    for line in section(function, title):
        found = ROW.match(line)
        if found and found["bullet"]:
            rows[-1].rows.append(Row(found["name"], found["type"]))
        elif found and not found["indent"]:
            rows.append(Row(found["name"], found["type"]))
        elif rows:
            (rows[-1].rows or rows)[-1].lines.append(line)
    said = inspect.getdoc(function) or ""
    if not rows and title == "Parameters" and (other := AS_FOR.search(said)) and other["name"] in OFFERED:
        return table(OFFERED[other["name"]], title)
    if not rows and (twin := TWIN.search(said)):
        return table(getattr(importlib.import_module(twin["module"]), twin["name"]), title)
    return rows


@cache
def entries(name):
    """Return the rows that a function wants of a dict: of its `parameters`, or all after its input."""
    _input, *others = table(OFFERED[name])
    inner = next((row for row in others if row.name == "parameters"), None)
    if inner is None:
        return others
    return inner.rows or entries(inner.borrowed)


@cache
def term(text):
    """Return what an axis says as a tree: "2d+1" is ("+", ("·", 2, "d"), 1)."""
    tokens = TOKEN.findall(text)
    tree = _sum(tokens)
    if tokens:
        raise ValueError(f"cannot read the size {text!r}: {''.join(tokens)} is left over.")
    return tree


def _sum(tokens):
    return _chain(tokens, "+-", lambda tokens: _chain(tokens, "·", _quotient))


def _quotient(tokens):
    return _chain(tokens, ("/", "//"), _atom)


def _chain(tokens, operators, part):
    tree = part(tokens)
    while tokens and tokens[0] in operators:
        tree = (tokens.pop(0), tree, part(tokens))
    return tree


def _atom(tokens):
    first = tokens.pop(0)
    if first == "(":
        inner = _sum(tokens)
        tokens.pop(0)
        return inner
    if not first.isdecimal():
        return first
    return ("·", int(first), tokens.pop(0)) if tokens and tokens[0].isalpha() else int(first)


def letters(tree):
    """Return the letters in a tree, in order."""
    if isinstance(tree, tuple):
        return letters(tree[1]) + letters(tree[2])
    return [tree] if isinstance(tree, str) else []


def quotients(tree):
    """Return the parts of a tree that must come out whole."""
    if not isinstance(tree, tuple):
        return []
    return [tree] * (tree[0] == "/") + quotients(tree[1]) + quotients(tree[2])


def value(tree, sizes):
    """Return the number that a tree stands for, None where a letter in it is not known."""
    if not isinstance(tree, tuple):
        return sizes.get(tree) if isinstance(tree, str) else tree
    left, right = value(tree[1], sizes), value(tree[2], sizes)
    return None if left is None or right is None else COMPUTE[tree[0]](left, right)


def solved(tree, wanted, sizes):
    """Return the one unknown letter of a tree and what it must be for the tree to be `wanted`, or None."""
    if isinstance(tree, str):
        return tree, wanted
    if not isinstance(tree, tuple) or wanted is None:
        return None
    sign, left, right = tree
    known = value(left, sizes)
    if known is not None:
        return solved(right, RIGHT[sign](wanted, known), sizes) if sign in RIGHT else None
    known = value(right, sizes)
    return solved(left, LEFT[sign](wanted, known), sizes) if known is not None and sign in LEFT else None


def spelled(tree):
    """Return a tree as it stands in a table."""
    if not isinstance(tree, tuple):
        return str(tree)
    sign, left, right = tree
    if sign == "·" and isinstance(left, int) and isinstance(right, str):
        return f"{left}{right}"
    left, right = (f"({spelled(x)})" if needs_brackets(x, sign) else spelled(x) for x in (left, right))
    return f"{left}{sign}{right}"


def needs_brackets(tree, sign):
    """Return whether a tree inside another one is kept together by brackets only."""
    return isinstance(tree, tuple) and sign not in "+-" and tree[0] in "+-"


def shape(axes, sizes, leading=()):
    """Return the shape that axes promise, for sizes of letters: ["...", "T", "D/H"] is (2, 5, 8)."""
    parts = (leading if axis == "..." else [int(value(term(axis), sizes))] for axis in axes)
    return tuple(size for part in parts for size in part)
