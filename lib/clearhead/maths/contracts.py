"""The table in a docstring, kept: a call whose arguments do not fit it raises one clear sentence."""

import functools
import inspect
import math
import re
from numbers import Integral, Number, Real

import numpy as np

from . import tables

MOST = 1000  # calls of different shapes that a function remembers


def checked(function, skip=lambda: False):
    """Return a function that first compares its arguments with the table in its docstring.

    A verdict is kept for each combination of shapes, dtypes and numbers: a call like an earlier one costs a
    look into a dict. Without docstrings (python -OO), and where `skip()`, nothing is compared.
    """
    if function.__doc__ is None:
        return function
    if tables.section(function, "Parameters"):
        tables.OFFERED.setdefault(function.__name__, function)
    fitting = {}

    @functools.wraps(function)
    def keeping_the_contract(*args, **kwargs):
        __tracebackhide__ = True
        if skip():
            return function(*args, **kwargs)
        seen = (*map(sight, args), *kwargs, *map(sight, kwargs.values()))
        if seen not in fitting:
            if len(fitting) >= MOST:
                fitting.clear()
            fitting[seen] = values_to_read(function, args, kwargs)
        for place, name, fits in fitting[seen]:
            fits(args[place] if place < len(args) else kwargs[name])
        return function(*args, **kwargs)

    return keeping_the_contract


def sight(argument):
    """Return all of an argument that a verdict depends on, as something that a dict can find."""
    shape = getattr(argument, "shape", None)
    if shape is not None and (shape or not isinstance(argument, Number)):
        return shape, argument.dtype
    if isinstance(argument, Number):
        return type(argument), argument
    if isinstance(argument, dict):
        return (*argument, *map(sight, argument.values()))
    if isinstance(argument, list | tuple):
        return (list, *map(sight, argument)) if is_rich(argument) else (list, np.shape(argument))
    return type(argument)


def is_rich(argument):
    """Return whether a list holds more than numbers: dicts of parameters, for example."""
    return any(isinstance(each, dict) for each in argument[:1])


def kind(array):
    """Return the name of an array's or tensor's dtype without the name of its library: 'bool', 'float32'."""
    return str(array.dtype).removeprefix("torch.")


def values_to_read(function, args, kwargs):
    """Return, for each argument whose values matter, its place, its name and what looks at them.

    Raises a TypeError or a ValueError where types, shapes or numbers do not fit the table.
    """
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return []  # Python's own sentence says what is missing
    bound.apply_defaults()
    rows = [row for row in tables.table(function) if row.name in bound.arguments]
    fit, given = Fit(), [(row.name, row, bound.arguments[row.name]) for row in rows]
    fit.take(given)
    for row in (*rows, *tables.table(function, "Returns")):
        fit.divides(row)
    places = {name: place for place, name in enumerate(signature.parameters)}
    return [
        (places[name], name, reading)
        for name, row, argument in given
        if (name in kwargs or places[name] < len(args)) and argument is not None
        for reading in fit.readings(name, row, argument, bound.arguments)
    ]


class Fit:
    """What the letters stand for in one call, and which argument said so."""

    def __init__(self, outer=None):
        self.sizes = dict(outer.sizes) if outer else {}
        self.sources = dict(outer.sources) if outer else {}
        self.leading, self.waiting = [], []

    def take(self, given):
        """Compare arguments (name, row, argument) with their rows: numbers first, dicts of others last."""
        given = [one for one in given if one[2] is not None or not one[1].optional]
        for name, row, argument in given:
            if row.is_scalar:
                self.number(name, row, argument)
        for name, row, argument in given:
            if row.axes:
                self.array(name, row, argument)
            elif row.is_dict and row.rows:
                self.take(list(picked(name, row.rows, argument)))
        self.solve_the_rest()
        for name, row, argument in given:
            self.ranges(name, row)
            if row.borrowed and (row.is_dict or row.is_list):
                pieces = enumerate(argument) if row.is_list else [("", argument)]
                for place, piece in pieces:
                    inner = f"{name}[{place}]" if row.is_list else name
                    Fit(self).take(list(picked(inner, tables.entries(row.borrowed), piece)))

    def number(self, name, row, argument):
        """Compare one number with its row, and remember its letter."""
        if (
            getattr(argument, "shape", None) == ()
            and not isinstance(argument, Number)
            and row.dtype == "float"
        ):
            return
        if row.dtype == "int" and (not isinstance(argument, Integral) or isinstance(argument, bool)):
            raise TypeError(f"{name} must be a whole number, got {argument!r}.")
        if row.dtype == "float" and not isinstance(argument, Real):
            raise TypeError(f"{name} must be one number, got {type(argument).__name__}.")
        if row.letter:
            if argument < 0:
                raise ValueError(f"{name} must be at least 0, got {argument}.")
            self.bind(row.letter, int(argument), Source(name, row, argument))

    def array(self, name, row, argument):
        """Compare the dtype and the shape of an array with its row."""
        source = Source(name, row, argument)
        if not hasattr(argument, "shape"):
            if "array or list" not in row.flags or not isinstance(argument, list | tuple | Number):
                raise TypeError(source.is_no_array())
            argument = source.array = np.asarray(argument)
        source.check_dtype()
        axes, shape = row.axes, tuple(argument.shape)
        if "..." in axes:
            front = axes.index("...")
            back = len(axes) - front - 1
            if row.broadcasts:
                shape = (1,) * (len(axes) - 1 - len(shape)) + shape
            if len(shape) < front + back:
                raise ValueError(source.lacks_axes(front + back))
            end = len(shape) - back
            self.lead(source, shape[front:end])
            pairs = zip(axes[:front] + axes[front + 1 :], shape[:front] + shape[end:], strict=True)
        elif len(shape) != len(axes):
            raise ValueError(source.has_other_axes())
        else:
            pairs = zip(axes, shape, strict=True)
        for axis, size in pairs:
            if not (row.broadcasts and size == 1):
                self.match(tables.term(axis), size, source)

    def lead(self, source, leading):
        """Compare the axes for which "..." stands with those of the arguments before."""
        for other, theirs in self.leading:
            alike = zip(leading[::-1], theirs[::-1], strict=False)
            if "no broadcasting" in source.row.flags:
                if leading != theirs:
                    raise ValueError(source.differs([other], "their leading axes must be equal."))
            elif any(a != b and 1 not in (a, b) for a, b in alike):
                raise ValueError(source.differs([other], "their leading axes must be equal or 1."))
        self.leading.append((source, leading))

    def match(self, tree, size, source):
        """Compare one axis with what is known of its letters; learn a letter from it; or wait for others."""
        expected = tables.value(tree, self.sizes)
        if expected is not None:
            if expected != size:
                raise ValueError(self.mismatch(tree, size, expected, source))
        elif found := tables.solved(tree, size, self.sizes):
            letter, meant = found
            if meant is None or meant != int(meant) or meant < 0:
                raise ValueError(self.mismatch(tree, size, None, source))
            self.bind(letter, int(meant), source)
        else:
            self.waiting.append((tree, size, source))

    def bind(self, letter, size, source):
        if letter in self.sizes and self.sizes[letter] != size:
            raise ValueError(self.mismatch(letter, size, self.sizes[letter], source))
        self.sizes.setdefault(letter, size)
        self.sources.setdefault(letter, source)

    def solve_the_rest(self):
        """Match what waited, as long as letters become known."""
        while self.waiting:
            waited, self.waiting = self.waiting, []
            for one in waited:
                self.match(*one)
            if len(self.waiting) == len(waited):
                return

    def mismatch(self, tree, size, expected, source):
        """Return the sentence on an axis that is not as long as other arguments say."""
        known = [letter for letter in dict.fromkeys(tables.letters(tree)) if letter in self.sources]
        others = [self.sources[letter] for letter in known if self.sources[letter] is not source]
        other = next(iter(others), source)
        name, here = tables.spelled(tree), f"in {source.name} {source.axes}"
        if isinstance(tree, int):
            return source.differs([], f"the axis {name} of {source.axes} is {size}.")
        if other is source and expected is None:
            return source.differs([], f"{name} is {size} {here}, which no whole number gives.")
        if other is source:
            return source.differs([], f"{name} stands for {expected} and for {size} {here}.")
        if expected is None:
            what = " and ".join(f"{letter} is {self.sizes[letter]}" for letter in known)
            return source.differs(others, f"{name} is {size} {here}, but {what}: this does not divide.")
        if source.row.axes[-1:] == other.row.axes[-1:] == [name] and source.ends_in(size):
            return source.differs(others, f"both end in {name}, so their last axes must be equal.")
        by = " and ".join(f"{o.name} {o.axes if o.row.axes else ''}".strip() for o in dict.fromkeys(others))
        return source.differs(others, f"{name} is {size} {here}, but {expected} by {by}.")

    def divides(self, row):
        """Raise where an axis that is promised, such as D/H, would not be whole."""
        axes = (axis for axis in row.axes or () if axis != "...")
        for axis in (*axes, *re.findall(r"(\S+/\S+) whole", row.type)):
            for tree in tables.quotients(tables.term(axis)):
                found = tables.value(tree, self.sizes)
                if found is not None and found == int(found):
                    continue
                known = [self.sources[letter] for letter in tables.letters(tree) if letter in self.sources]
                if found is not None and known:
                    text = f"{tables.spelled(tree)} is {self.text(tree)}, which is not whole."
                    raise ValueError(known[-1].differs(known, text))

    def text(self, tree):
        """Return a tree with numbers for its letters."""
        if isinstance(tree, tuple):
            return f"{self.text(tree[1])}{tree[0]}{self.text(tree[2])}"
        return str(self.sizes.get(tree, tree))

    def ranges(self, name, row):
        """Raise where a letter lies outside the range that a row states."""
        for range in row.ranges:
            if range["letter"] and range["how"] and range["letter"] in self.sizes:
                limits = self.limits(range)
                if limits and not limits.hold(self.sizes[range["letter"]]):
                    source = self.sources[range["letter"]]
                    other = next((self.sources[x] for x in limits.letters if x in self.sources), source)
                    if row.is_scalar and other is source:
                        raise ValueError(f"{name} must be {limits}, got {source.array}. {row.advice}".strip())
                    advised = Source(source.name, row, source.array) if row is not source.row else source
                    what = f"{range['letter']} is {self.sizes[range['letter']]}, and must be {limits}."
                    raise ValueError(advised.differs([other], what))

    def limits(self, range):
        """Return the limits of a range, None where a letter in them is not known."""
        ends = [
            tables.term(text) if text and text != "inf" else math.inf for text in range.group("low", "high")
        ]
        found = [end if end is math.inf else tables.value(end, self.sizes) for end in ends]
        return None if None in found else Limits(*found, range, ends)

    def readings(self, name, row, argument, arguments):
        """Yield what looks at the values of an argument, where a row limits them."""
        for range in row.ranges:
            if row.axes is None or not range["how"] or (range["letter"] and not row.is_scalar):
                continue
            limits = self.limits(range)
            if limits is None or (range["letter"] and isinstance(argument, Number)):
                continue
            limits.but = arguments.get(range["but"]) if range["but"] else None
            sources = [self.sources[x] for x in limits.letters if x in self.sources]
            look = functools.partial(limits.look, Source(name, row, argument), sources)
            if isinstance(argument, Number):
                look(argument)
            else:
                yield look


def picked(name, rows, entries):
    """Yield (name, row, argument) for each row whose entry a dict has: "up.weight" lies in the dict "up"."""
    if not isinstance(entries, dict):
        raise TypeError(f"{name} must be a dict, got {type(entries).__name__}.")
    for row in rows:
        found, said = entries, name
        for part in row.name.split("."):
            found, said = found.get(part) if isinstance(found, dict) else None, f'{said}["{part}"]'
        if found is not None:
            yield said, row, found


class Limits:
    """From where to where a number may go."""

    def __init__(self, low, high, range, ends):
        self.low, self.high, self.range, self.but = low, high, range, None
        self.letters = [letter for end in ends if end is not math.inf for letter in tables.letters(end)]

    def hold(self, number):
        above = number > self.low if self.range["how"] == "above" else number >= self.low
        return bool(above and (number <= self.high if self.range["high"] else number < math.inf))

    def __str__(self):
        if self.range["how"] == "above":
            return f"above {self.low}"
        if not self.range["high"]:
            return f"at least {self.low}"
        return f"from {self.low} to {self.high}"

    def look(self, source, others, values):
        """Raise where a value lies outside."""
        if isinstance(values, Number):
            if not self.hold(values):
                finite = " and finite" if values == math.inf else ""
                raise ValueError(source.advised(f"{source.name} must be {self}{finite}, got {values}."))
            return
        values = np.asarray(values) if isinstance(values, list | tuple) else values
        counted = values if self.but is None else values[values != self.but]
        if not math.prod(counted.shape):
            return
        lowest, highest = counted.min(), counted.max()
        if not (self.hold(lowest) and self.hold(highest)):
            found = f"{lowest}" if not values.shape else f"{lowest} to {highest}"
            but = f" (or {self.but}, which is not counted)" if self.but is not None else ""
            by = "".join(f"; {other.name} is {other.said}" for other in others[:1])
            raise ValueError(source.advised(f"{source.name} must be {self}{but}, got {found}{by}."))


class Source:
    """One argument with its row: what sentences say about it."""

    def __init__(self, name, row, argument):
        self.name, self.row, self.array = name, row, argument

    @property
    def said(self):
        """Return the shape, or the number itself."""
        return (
            self.array if self.row.is_scalar else tuple(np.shape(self.array)) if self.row.axes else self.array
        )

    @property
    def axes(self):
        """Return the axes as the table has them."""
        return f"({', '.join(self.row.axes)}{',' * (len(self.row.axes) == 1)})"

    def ends_in(self, size):
        """Return whether the last axis has this size."""
        return np.shape(self.array)[-1] == size

    def advised(self, sentence):
        """Return a sentence with what the table says about the argument."""
        return f"{sentence} {self.row.advice}".strip()

    def differs(self, others, what):
        """Return a sentence on arguments that do not fit together."""
        others = {other.name: other for other in others if other.name != self.name}
        *said, last = [f"{one.name} is {one.said}" for one in (self, *others.values())]
        return self.advised(f"{', '.join(said)}{' and ' * bool(said)}{last}: {what}")

    def is_no_array(self):
        """Return the sentence on something that has no shape."""
        got = type(self.array).__name__
        if self.row.dtype == "bool":
            return f"{self.name} must be boolean: True = may look; got {got}. Make an array of it first."
        return f"{self.name} must be an array, got {got}: make one of it first."

    def check_dtype(self):
        """Raise where numbers stand for True and False, or fractions for ids."""
        found = kind(self.array)
        if self.row.dtype == "bool" and found != "bool":
            text = f"{self.name} must be boolean: True = may look; got {found}. For ones and zeros write"
            raise TypeError(f"{text} {self.name} == 1.")
        if self.row.dtype == "int" and found.strip("u0123456789") != "int" and math.prod(self.array.shape):
            raise TypeError(self.advised(f"{self.name} must be whole numbers, got {found}."))

    def lacks_axes(self, wanted):
        """Return the sentence on an array with too few axes."""
        one = (
            f": for one single row write {self.name}[None, :]" if len(self.said) == 1 and wanted == 2 else ""
        )
        return self.advised(f"{self.name} is {self.said}, and needs the axes {self.axes}{one}.")

    def has_other_axes(self):
        """Return the sentence on an array with another number of axes."""
        return self.advised(f"{self.name} is {self.said}, and needs the axes {self.axes}.")
