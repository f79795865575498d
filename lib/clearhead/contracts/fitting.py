"""The comparison of the arguments of a call with a table, which determines the size of each letter."""

import functools
import math
from numbers import Integral, Number, Real

import numpy as np

from . import tables
from .sentences import Limits, Source, has_dtype


class Fit:
    """The sizes of the letters in one call, and the arguments by which they are known."""

    def __init__(self, outer=None):
        self.sizes = dict(outer.sizes) if outer else {}
        self.sources = dict(outer.sources) if outer else {}
        self.leading, self.waiting = [], []

    def take(self, given):
        """Compare arguments (name, row, argument) with their rows, numbers first and borrowed dicts last."""
        given = [one for one in given if one[2] is not None or not one[1].optional]
        for name, row, argument in given:
            if row.is_scalar:
                self.number(name, row, argument)
            elif row.axes is None and not row.is_dict:
                check_kind(name, row, argument)
        for name, row, argument in [  # masks come last
            *(one for one in given if not one[1].broadcasts),
            *(one for one in given if one[1].broadcasts),
        ]:
            if row.axes:
                self.array(name, row, argument)
            elif row.is_dict and row.rows:
                self.take(list(picked(name, row.rows, argument)))
        self.solve_the_rest()
        for name, row, argument in given:
            if row.borrowed:
                self.borrow(
                    name, row, argument, {x for _, row, _ in given for r in row.ranges for x in r.letters}
                )
        for name, row, _ in given:
            self.ranges(name, row)

    def borrow(self, name, row, argument, letters):
        """Compare a dict, or each dict of a list, with the table of another function.

        Its letters are independent of ours. Only the sizes of those `letters` are stored here that occur in a
        range and are not known otherwise.
        """
        for index, piece in enumerate(argument) if row.is_list else [("", argument)]:
            label, inner = f"{name}[{index}]" if row.is_list else name, Fit(self)
            inner.take(list(picked(label, tables.entries(row.borrowed), piece)))
            for letter in letters.intersection(inner.sizes).difference(self.sizes):
                self.bind(letter, inner.sizes[letter], inner.sources[letter])

    def number(self, name, row, argument):
        """Compare one number with its row, and store its value for the letter that the row gives it."""
        if (
            getattr(argument, "shape", None) == ()
            and not isinstance(argument, Number)
            and row.dtype == "float"
        ):
            return
        if row.dtype == "bool" and not isinstance(argument, bool | np.bool_):
            raise TypeError(f"{name} must be True or False, got {argument!r}.")
        if row.dtype == "int" and (not isinstance(argument, Integral) or isinstance(argument, bool)):
            raise TypeError(f"{name} must be an integer, got {argument!r}.")
        if row.dtype == "float" and not isinstance(argument, Real):
            raise TypeError(f"{name} must be one number, got {type(argument).__name__}.")
        if row.letter:
            if argument < 0:
                raise ValueError(f"{name} must be at least 0, got {argument}.")
            self.bind(row.letter, int(argument), Source(name, row, argument))

    def array(self, name, row, argument):
        """Compare the dtype and the shape of an array with its row."""
        source = Source(name, row, argument)
        if not has_dtype(argument):
            if "array or list" not in row.flags or not isinstance(argument, list | tuple | Number):
                raise TypeError(source.is_no_array())
            argument = source.array = as_rectangle(name, argument)
        source.check_dtype()
        axes, shape = row.axes, tuple(argument.shape)
        if "..." in axes:
            front = axes.index("...")
            back = len(axes) - front - 1
            if row.broadcasts:
                self.check_mask(source, len(shape))
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

    def check_mask(self, source, found):
        """Raise an error if an axis of a mask may fit only by a coincidence of sizes.

        A mask is compared from the right. It has either one axis (keys) or two (queries and keys), and is the
        same along all other axes, or it has all axes, with size 1 where it is the same. With one axis too
        few, a mask (B, T, S) for a batch of B texts would be taken for one for B heads if there are B heads.
        """
        axes = source.row.axes
        few = max(sum(axis != "1" for axis in axes[-2:]), 1)
        most = len(axes) - 1 + max((len(leading) for _, leading in self.leading), default=0)
        if found == 0 or few < found < most:
            raise ValueError(source.lacks_axes_of_a_mask(few, most))

    def lead(self, source, leading):
        """Compare the axes for which "..." stands with those of earlier arguments."""
        for other, theirs in self.leading:
            alike = zip(leading[::-1], theirs[::-1], strict=False)
            if "no broadcasting" in source.row.flags:
                if leading != theirs:
                    raise ValueError(source.differs([other], "their leading axes must be equal."))
            elif any(a != b and 1 not in (a, b) for a, b in alike):
                raise ValueError(source.differs([other], "their leading axes must be equal or 1."))
        self.leading.append((source, leading))

    def match(self, tree, size, source):
        """Compare one axis with its known letters, determine a letter from it, or postpone it."""
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
        """Match the postponed axes again, until no further letter becomes known."""
        while self.waiting:
            waited, self.waiting = self.waiting, []
            for one in waited:
                self.match(*one)
            if len(self.waiting) == len(waited):
                return

    def mismatch(self, tree, size, expected, source):
        """Return the sentence on an axis whose size contradicts other arguments."""
        known = [letter for letter in dict.fromkeys(tables.letters(tree)) if letter in self.sources]
        others = [self.sources[letter] for letter in known if self.sources[letter] is not source]
        other = next(iter(others), source)
        name, here = tables.spelled(tree), f"in {source.name} {source.axes}"
        if isinstance(tree, int):
            return source.differs([], f"the axis {name} of {source.axes} is {size}.")
        if other is source and expected is None:
            return source.differs([], f"{name} is {size} {here}, which no integer gives.")
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
        """Raise an error if the size of a promised axis, such as D/H, would not be an integer."""
        axes = (axis for axis in row.axes or () if axis != "...")
        for axis in (*axes, *row.quotients):
            for tree in tables.quotients(tables.term(axis)):
                found = tables.value(tree, self.sizes)
                if found is not None and found == int(found):
                    continue
                known = [self.sources[letter] for letter in tables.letters(tree) if letter in self.sources]
                if found is not None and known:
                    text = f"{tables.spelled(tree)} is {self.text(tree)}, which is not an integer."
                    raise ValueError(known[-1].differs(known, text))

    def text(self, tree):
        """Return a tree as a string in which known letters are replaced by their values."""
        if isinstance(tree, tuple):
            return f"{self.text(tree[1])}{tree[0]}{self.text(tree[2])}"
        return str(self.sizes.get(tree, tree))

    def ranges(self, name, row):
        """Raise an error if a letter lies outside the range that a row states."""
        for range in row.ranges:
            if range.letter and range.how and range.letter in self.sizes:
                limits = self.limits(range)
                if limits and not limits.hold(self.sizes[range.letter]):
                    source = self.sources[range.letter]
                    other = next((self.sources[x] for x in limits.letters if x in self.sources), source)
                    if row.is_scalar and other is source:
                        raise ValueError(f"{name} must be {limits}, got {source.array}. {row.advice}".strip())
                    advised = Source(source.name, row, source.array) if row is not source.row else source
                    what = f"{range.letter} is {self.sizes[range.letter]}, and must be {limits}."
                    raise ValueError(advised.differs([other], what))

    def limits(self, range):
        """Return the limits of a range, or None if one of its letters is unknown."""
        ends = range.low, range.high
        found = [math.inf if end is None else tables.value(end, self.sizes) for end in ends]
        return None if None in found else Limits(*found, range)

    def readings(self, name, row, argument, arguments):
        """Yield checks of the values of an argument that its row limits; a number is checked at once."""
        if tables.NO_ROW in row.flags:
            yield functools.partial(look_for_a_number, name)
        for range in row.ranges:
            if row.axes is None or not range.how or (range.letter and not row.is_scalar):
                continue
            limits = self.limits(range)
            if limits is None or (range.letter and isinstance(argument, Number)):
                continue
            limits.but = arguments.get(range.but) if range.but else None
            sources = [self.sources[x].without_numbers() for x in limits.letters if x in self.sources]
            look = functools.partial(limits.look, Source(name, row, argument).without_numbers(), sources)
            if isinstance(argument, Number):
                look(argument)
            else:
                yield look


def check_kind(name, row, argument):
    """Raise an error if an argument that is not a number, array or dict has the wrong type."""
    found = type(argument)
    if row.is_list:
        wanted, fits = "a list of dicts", found is list or found is tuple
    elif row.kind in KINDS:
        wanted, test = KINDS[row.kind]
        fits = test(argument)
    else:
        names = row.kind.replace(",", "").split()
        wanted, fits = f"a {row.kind}", any(base.__name__ in names for base in found.__mro__)
    if not fits:
        raise TypeError(f"{name} must be {wanted}, got {found.__name__}.")


def is_sequence_of_integers(given):
    """Return True if every entry of a sequence, or of an array with one axis, is an integer."""
    try:
        return all(isinstance(one, Integral) and not isinstance(one, bool) for one in list(given))
    except TypeError:
        return False


def is_pair_of_numbers(given):
    """Return True if an argument is a tuple or a list of two numbers."""
    return isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(one, Real) for one in given)


KINDS = {
    "function": ("a function", callable),
    "bool": ("True or False", lambda given: isinstance(given, bool | np.bool_)),
    "str": ("a string", lambda given: isinstance(given, str)),
    "numpy.random.Generator": (
        "a generator, such as np.random.default_rng(0)",
        lambda given: callable(getattr(given, "random", None)),
    ),
    "sequence of whole numbers": ("a sequence of integers", is_sequence_of_integers),
    "(float, float)": ("a pair of numbers", is_pair_of_numbers),
}


def as_rectangle(name, argument):
    """Return a list as an array; raise an error if its rows differ in length."""
    try:
        return np.asarray(argument)
    except ValueError:
        raise ValueError(f"{name} must be a rectangle, but its rows differ in length.") from None


def look_for_a_number(name, values):
    """Raise an error if a row holds NaN, or only -inf, so that no token can be drawn."""
    values = np.asarray(values) if isinstance(values, list | tuple) else values
    if (values != values).any():
        raise ValueError(f"{name} holds NaN, so no token can be drawn: look for an earlier division by 0.")
    if not (values > -math.inf).any(-1).all():
        raise ValueError(f"No token can be drawn: a row of {name} is -inf everywhere.")


def picked(name, rows, entries):
    """Yield (name, row, argument) for each row that a dict has; "up.weight" is in the dict "up"."""
    if not isinstance(entries, dict):
        raise TypeError(f"{name} must be a dict, got {type(entries).__name__}.")
    for row in rows:
        found, label = entries, name
        for part in row.name.split("."):
            found, label = found.get(part) if isinstance(found, dict) else None, f'{label}["{part}"]'
        if found is None and not row.optional:
            raise ValueError(f"{label} is missing; it is {row.type}.")
        if found is not None:
            yield label, row, found
