"""Reading of the tables in docstrings: rows like `Q : (..., T, d) float`, and sizes of axes like `H·d`."""

import importlib
import inspect
import operator
import pkgutil
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

ROW = re.compile(r"^(?P<indent> *)(?P<bullet>- )?(?P<name>[\w.]+) : (?P<type>.+)$")
ARRAY = re.compile(r"\((?P<axes>.*?)\) (?P<dtype>float|int|bool)\b(?P<rest>.*)")
BORROWED = re.compile(r"(list of )?dict of (?P<name>\w+)")
RANGE = re.compile(
    r"((?P<letter>[A-Za-z]) )?(?P<how>from|above) (?P<low>.+?)( to (?P<high>.+?))?( or (?P<but>[a-z]\w+))?"
)
WHOLE = re.compile(r"(?P<quotient>\S+/\S+) whole")
CLASSES = re.compile(r"[A-Z]\w*((, | or )[A-Z]\w*)*")
NO_ROW = "no row of -inf"
FLAGS = {"optional", "array or list", "no broadcasting", "broadcasts", NO_ROW}
OTHER_TYPES = {"dict", "function", "bool", "str", "numpy.random.Generator", "sequence of whole numbers",
               "(float, float)"}  # fmt: skip
TOKEN = re.compile(r"\d+\.\d+|\d+|//|[A-Za-z](?![A-Za-z])|[-+·/()]")
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
}  # by sign, the function of the result and the right operand that gives the left one
RIGHT = {"+": operator.sub, "·": COMPUTE["/"], "-": lambda out, left: left - out}

OFFERED = {}  # the functions that have a table, by name; `dict of linear` refers to that of `linear`


@dataclass(frozen=True)
class Range:
    """The range of a number, whose limits are trees; `high` is None if there is no upper limit."""

    letter: str | None  # an axis whose size is limited, or the name that a number has in other rows
    how: str | None  # "from" or "above"; None if a number only has a name
    low: object = None
    high: object = None
    but: str | None = None  # the argument whose value is allowed as well

    @classmethod
    def read(cls, clause):
        """Return the range that a clause states, or None if it states none."""
        if re.fullmatch("[A-Za-z]", clause):
            return cls(clause, None)
        found = RANGE.fullmatch(clause)
        if not found:
            return None
        return cls(found["letter"], found["how"], limit(found["low"]), limit(found["high"]), found["but"])

    @property
    def letters(self):
        """Return the letters in a tree, from left to right."""
        return [x for end in (self.low, self.high) for x in letters(end)]


def limit(text):
    """Return one end of a range as a tree; infinity becomes a float, and None stays None."""
    if text is None or text.removeprefix("-") == "inf":
        return None if text is None else float(text)
    return term(text)


@dataclass(eq=False)
class Row:
    """One row of a table; the row of a dict has rows of its own for the entries."""

    name: str
    type: str
    lines: list = field(default_factory=list)
    rows: list = field(default_factory=list)

    def __post_init__(self):
        try:
            self._read()
        except ValueError as error:
            raise ValueError(f"the row '{self.name} : {self.type}' cannot be read: {error}") from None

    def _read(self):
        found = ARRAY.match(self.type)
        self.dtype = found and found["dtype"]
        self.axes = [axis for axis in re.split(r",\s*", found["axes"]) if axis] if found else None
        self.is_scalar = self.axes == []
        self.sizes = [term(axis) for axis in self.axes or () if axis != "..."]
        if found:
            first, *clauses = (part.strip() for part in found["rest"].split(","))
            clauses = [clause for clause in (first, *clauses) if clause]
        else:
            kind, *rest = self.type.rsplit(", optional", 1)
            clauses = ["optional"] if rest == [""] else []
            self.kind = kind
        self.flags = {clause for clause in clauses if clause in FLAGS}
        self.quotients = [whole["quotient"] for clause in clauses if (whole := WHOLE.fullmatch(clause))]
        others = [clause for clause in clauses if clause not in FLAGS and not WHOLE.fullmatch(clause)]
        self.ranges = [range for range in map(Range.read, others) if range]
        self.unread = [clause for clause in others if not Range.read(clause)]
        self.letter = next((range.letter for range in self.ranges), None) if self.is_scalar else None
        is_mask = self.dtype == "bool" and "..." in (self.axes or ()) and "no broadcasting" not in self.flags
        self.broadcasts = is_mask or "broadcasts" in self.flags
        borrowed = None if found else BORROWED.fullmatch(self.kind)
        self.borrowed = borrowed and borrowed["name"]
        self.is_list = bool(borrowed and borrowed[1])
        self.is_dict = not found and not self.is_list and (bool(borrowed) or self.kind == "dict")
        self.optional = "optional" in self.flags

    @property
    def advice(self):
        """Return the description below the row in the table, joined into one line."""
        return " ".join(line.strip() for line in self.lines if line.strip()).replace("`", "")

    def told(self):
        """Return the letters whose values an argument of this row determines, in its axes or as a number."""
        return [x for tree in self.sizes for x in letters(tree)] + [self.letter] * (self.letter is not None)

    def unenforced(self, names, known, inside):
        """Return why a clause of this row would not be enforced, or None if all clauses are enforced.

        `names` are the arguments of the function, `known` the letters of its table, or None if some are
        borrowed, and `inside` says whether the row is an entry of a dict.
        """
        if self.axes is None:
            kinds = (*OTHER_TYPES, *(["list of dict"] if self.borrowed else []))
            if not (self.kind in kinds or self.borrowed or CLASSES.fullmatch(self.kind)):
                return f"the type {self.kind!r} is not one of those that are compared"
            return None
        if self.unread:
            return f"{self.unread[0]!r} is neither a range nor one of {', '.join(sorted(FLAGS))}"
        if self.axes.count("...") > 1:
            return "'...' may stand for axes only once"
        if self.is_scalar and self.flags - {"optional"}:
            return f"{min(self.flags - {'optional'})!r} says nothing about a number"
        if self.dtype == "bool" and self.ranges:
            return "a boolean has no range"
        if NO_ROW in self.flags and (self.dtype != "float" or inside):
            return f"{NO_ROW!r} is said of an argument with axes, of float"
        if self.dtype == "float" and self.letter:
            return "a letter stands for a whole number"
        for range in self.ranges:
            own = self.told()
            if range.letter and (range.letter not in own or (range.how is None and not self.is_scalar)):
                return f"{range.letter!r} limits no axis of this row"
            if range.but and (range.letter or inside or range.but not in names):
                return f"{range.but!r} is no argument whose value could be allowed"
            if inside and not range.letter:
                return "the values of an entry of a dict are not compared with a range"
        wanted = [range.letters for range in self.ranges] + [letters(term(each)) for each in self.quotients]
        unknown = [x for found in wanted for x in found if known is not None and x not in known]
        return f"nothing says what {unknown[0]} is" if unknown else None


def section(function, title):
    """Return the lines of the numpydoc section with this title in a docstring, or [] if it is missing."""
    parts = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(function) or "", flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(title, "").splitlines()


def table(function, title="Parameters"):
    """Return the rows of "Parameters" or "Returns"; the entries of a dict are inside the row of the dict.

    If the docstring has no such section, it names the function whose table it shares, which is its twin in
    maths or another function of its family, as in "Parameters as for `copy`".
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
    if not rows and title == "Parameters" and (other := AS_FOR.search(said)):
        return table(offered(other["name"], function.__module__), title)
    if not rows and (twin := TWIN.search(said)):
        return table(getattr(importlib.import_module(twin["module"]), twin["name"]), title)
    return rows


def offered(name, module="clearhead.maths.layers"):
    """Return the function of this name whose table another row or docstring borrows.

    The function may be in a neighbouring module that has not been imported yet. The result must not depend
    on earlier imports, so all neighbouring modules are imported in that case.
    """
    if name not in OFFERED:
        package = importlib.import_module(module.rpartition(".")[0] or module)
        for each in pkgutil.iter_modules(getattr(package, "__path__", ())):
            importlib.import_module(f"{package.__name__}.{each.name}")
    if name not in OFFERED:
        raise ValueError(f"No checked function {name!r} has a table that could be borrowed.")
    return OFFERED[name]


@cache
def entries(name):
    """Return the rows that a function requires of a dict: those of its `parameters`, or all but its input."""
    _input, *others = table(offered(name))
    inner = next((row for row in others if row.name == "parameters"), None)
    if inner is None:
        return others
    return inner.rows or entries(inner.borrowed)


def check_readable(function):
    """Raise an error if the table of a function has a clause that would not be enforced.

    Raises
    ------
    ValueError
        When the module of the function is imported, with the names of the function and the row.
    """
    lines, names = section(function, "Parameters"), list(inspect.signature(function).parameters)
    if not lines:
        return
    try:
        for line in lines:
            if (line[:1].strip() and not ROW.match(line)) or re.match(r" +- (?![\w.]+ : )", line):
                raise ValueError(f"the line {line.strip()!r} is not of the form 'name : type'")
        rows = table(function)
        if [row.name for row in rows] != names:
            raise ValueError(f"its rows are {[row.name for row in rows]}, but its arguments are {names}")
        everything = [(each, each is not row) for row in rows for each in (row, *row.rows)]
        borrows = any(row.borrowed for row, _ in everything)
        known = None if borrows else {letter for row, _ in everything for letter in row.told()}
        for row, inside in everything:
            if reason := row.unenforced(names, known, inside):
                raise ValueError(f"the row '{row.name} : {row.type}' cannot be read: {reason}")
    except ValueError as error:
        raise ValueError(f"The table of {function.__module__}.{function.__qualname__}: {error}.") from None


@cache
def term(text):
    """Return an axis or a limit as a tree: "2d+1" is ("+", ("·", 2, "d"), 1).

    Raises
    ------
    ValueError
        If the text is not a size.
    """
    tokens = TOKEN.findall(text)
    left_over = "".join(tokens) != re.sub(r"\s", "", text)
    try:
        tree = _sum(tokens)
    except IndexError:
        left_over = True
    if left_over or tokens:
        raise ValueError(f"{text!r} is not a size such as 2d+1, V-1 or R/P·C/P")
    return tree


def _sum(tokens):
    if tokens[0] == "-":
        tokens[0:0] = ["0"]
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
        if tokens.pop(0) != ")":
            raise IndexError
        return inner
    if first.isalpha():
        return first
    if not first[0].isdecimal():
        raise IndexError
    number = float(first) if "." in first else int(first)
    return ("·", number, tokens.pop(0)) if tokens and tokens[0].isalpha() else number


def letters(tree):
    """Return the letters in a tree, in order."""
    if isinstance(tree, tuple):
        return letters(tree[1]) + letters(tree[2])
    return [tree] if isinstance(tree, str) else []


def quotients(tree):
    """Return the quotients in a tree, whose values must be integers."""
    if not isinstance(tree, tuple):
        return []
    return [tree] * (tree[0] == "/") + quotients(tree[1]) + quotients(tree[2])


def value(tree, sizes):
    """Return the value of a tree for these sizes, or None if one of its letters is unknown."""
    if not isinstance(tree, tuple):
        return sizes.get(tree) if isinstance(tree, str) else tree
    left, right = value(tree[1], sizes), value(tree[2], sizes)
    return None if left is None or right is None else COMPUTE[tree[0]](left, right)


def solved(tree, letter, sizes):
    """Return the only unknown letter of a tree, and its value if the tree equals `letter`, or None."""
    if isinstance(tree, str):
        return tree, letter
    if not isinstance(tree, tuple) or letter is None:
        return None
    sign, left, right = tree
    known = value(left, sizes)
    if known is not None:
        return solved(right, RIGHT[sign](letter, known), sizes) if sign in RIGHT else None
    known = value(right, sizes)
    return solved(left, LEFT[sign](letter, known), sizes) if known is not None and sign in LEFT else None


def spelled(tree):
    """Return a tree as a string, as it would be written in a table."""
    if not isinstance(tree, tuple):
        return str(tree)
    sign, left, right = tree
    if sign == "·" and isinstance(left, int) and isinstance(right, str):
        return f"{left}{right}"
    left, right = (f"({spelled(x)})" if needs_brackets(x, sign) else spelled(x) for x in (left, right))
    return f"{left}{sign}{right}"


def needs_brackets(tree, sign):
    """Return True if a tree inside another one of this sign needs parentheses."""
    return isinstance(tree, tuple) and sign not in "+-" and tree[0] in "+-"


def shape(axes, sizes, leading=()):
    """Return the shape of these axes for sizes of letters, such as (2, 5, 8) for ["...", "T", "D/H"]."""
    parts = (leading if axis == "..." else [int(value(term(axis), sizes))] for axis in axes)
    return tuple(size for part in parts for size in part)
