"""The error messages for arguments that do not fit: names, conflicting shapes, and what to do."""

import math
from numbers import Number

import numpy as np


def kind(array):
    """Return the name of an array's or tensor's dtype without the name of its library: 'bool', 'float32'."""
    return str(array.dtype).removeprefix("torch.")


def has_dtype(argument):
    """Return True for an array or a tensor, which has a shape and a dtype, unlike a pandas table."""
    return hasattr(argument, "shape") and hasattr(argument, "dtype")


class Limits:
    """The range of a number, as two values and the rule by which a docstring states it."""

    def __init__(self, low, high, range):
        self.low, self.high, self.range, self.but = low, high, range, None
        self.letters = range.letters

    def hold(self, number):
        above = number > self.low if self.range.how == "above" else number >= self.low
        return bool(above and (number < math.inf if self.range.high is None else number <= self.high))

    def __str__(self):
        start = f"above {self.low}" if self.range.how == "above" else f"at least {self.low}"
        if self.range.high is None:
            return start
        if self.range.how == "above":
            return f"{start} and at most {self.high}"
        return f"from {self.low} to {self.high}"

    def look(self, source, others, values):
        """Raise an error if a value, or an entry of an array, is outside the range."""
        if isinstance(values, Number):
            if not self.hold(values) and (self.but is None or values != self.but):
                finite = " and finite" if values == math.inf else ""
                raise ValueError(source.advised(f"{source.name} must be {self}{finite}, got {values}."))
            return
        values = np.asarray(values) if isinstance(values, list | tuple) else values
        counted = values if self.but is None else values[values != self.but]
        if not math.prod(counted.shape):
            return
        lowest, highest = counted.min(), counted.max()
        if lowest != lowest:
            raise ValueError(source.advised(f"{source.name} must be {self}, and holds NaN."))
        if not (self.hold(lowest) and self.hold(highest)):
            found = f"{lowest}" if not values.shape else f"{lowest} to {highest}"
            but = f" (or {self.but}, which is not counted)" if self.but is not None else ""
            by = "".join(f"; {other.name} is {other.said}" for other in others[:1])
            raise ValueError(source.advised(f"{source.name} must be {self}{but}, got {found}{by}."))


class Shape:
    """A substitute for an array, of which only the shape is stored."""

    def __init__(self, shape):
        self.shape = tuple(shape)


class Source:
    """One argument with its row of the table, for error messages about it."""

    def __init__(self, name, row, argument):
        self.name, self.row, self.array = name, row, argument

    def without_numbers(self):
        """Return a copy in which the array is replaced by its shape, so that the array can be freed."""
        array = Shape(self.array.shape) if has_dtype(self.array) else self.array
        return Source(self.name, self.row, array)

    @property
    def said(self):
        """Return what an error message says of the argument: its shape, or its value if it has no axes."""
        return (
            self.array if self.row.is_scalar else tuple(np.shape(self.array)) if self.row.axes else self.array
        )

    @property
    def stated(self):
        """Return a clause on the argument, such as "Q has shape (2, 3)" or "length is 3"."""
        return f"{self.name} {'has shape' if isinstance(self.said, tuple) else 'is'} {self.said}"

    @property
    def axes(self):
        """Return the axes of the argument in parentheses, as they are written in the table."""
        return f"({', '.join(self.row.axes)}{',' * (len(self.row.axes) == 1)})"

    def ends_in(self, size):
        """Return True if the last axis has this size."""
        return np.shape(self.array)[-1] == size

    def advised(self, sentence):
        """Return a sentence followed by the description of the argument in the table."""
        return f"{sentence} {self.row.advice}".strip()

    def differs(self, others, what):
        """Return a sentence on arguments that do not fit together."""
        others = {other.name: other for other in others if other.name != self.name}
        *said, last = [one.stated for one in (self, *others.values())]
        return self.advised(f"{', '.join(said)}{' and ' * bool(said)}{last}: {what}")

    def is_no_array(self):
        """Return the sentence on an argument that should be an array, but has no shape."""
        got = type(self.array).__name__
        if self.row.dtype == "bool":
            allowed = f"{self.name} must be boolean, with True where attention is allowed; got {got}."
            return f"{allowed} Convert it to an array first."
        return f"{self.name} must be an array, got {got}: convert it to an array first."

    def check_dtype(self):
        """Raise an error if the dtype does not fit, such as numbers for booleans or floats for ids."""
        found = kind(self.array)
        if self.row.dtype == "bool" and found != "bool":
            text = f"{self.name} must be boolean, with True where attention is allowed; got {found}."
            raise TypeError(f"{text} For ones and zeros write {self.name} == 1.")
        if self.row.dtype == "int" and found.strip("u0123456789") != "int" and math.prod(self.array.shape):
            raise TypeError(self.advised(f"{self.name} must be integers, got {found}."))
        if self.row.dtype == "float" and not found.startswith(("float", "bfloat", "int", "uint", "bool")):
            raise TypeError(self.advised(f"{self.name} must be an array of numbers, got {found}."))

    def lacks_axes(self, num_axes):
        """Return the sentence on an array that has too few axes."""
        one = (
            f": for a single row write {self.name}[None, :]" if len(self.said) == 1 and num_axes == 2 else ""
        )
        return self.advised(f"{self.stated}, but needs the axes {self.axes}{one}.")

    def lacks_axes_of_a_mask(self, few, most):
        """Return the sentence on a mask whose axes could be mistaken for other axes."""
        *_, queries, keys = self.row.axes
        some = f"({keys},)" if few == 1 else f"({keys},), ({queries}, {keys})"
        return self.advised(
            f"{self.stated}, but needs {some} or all {most} axes {self.axes}, with 1 for each axis along "
            "which it is the same."
        )

    def has_other_axes(self):
        """Return the sentence on an array that has another number of axes."""
        return self.advised(f"{self.stated}, but needs the axes {self.axes}.")
