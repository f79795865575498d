"""Enforcement of the table in a docstring: arguments that do not fit it raise an error that says why."""

import functools
import inspect
import re
from numbers import Number

import numpy as np

from . import tables
from .fitting import Fit
from .precision import in_float32 as in_float32

MOST = 1000  # results of comparisons that a function remembers


def checked(function, skip=lambda: False):
    """Return a function that compares its arguments with the table in its docstring before each call.

    The result is stored for each combination of shapes, dtypes and numbers, so that a similar call only costs
    a dict lookup. Without docstrings (python -OO), or if `skip()` is true, nothing is compared.
    """
    if function.__doc__ is None:
        return function
    tables.check_readable(function)
    if tables.section(function, "Parameters") or tables.AS_FOR.search(function.__doc__):
        tables.OFFERED.setdefault(function.__name__, function)
    fitting = {}

    @functools.wraps(function)
    def keeping_the_contract(*args, **kwargs):
        __tracebackhide__ = True
        if skip():
            return function(*args, **kwargs)
        seen = (*map(sight, args), *kwargs, *map(sight, kwargs.values()))
        try:
            if seen not in fitting:
                if len(fitting) >= MOST:
                    fitting.clear()
                fitting[seen] = values_to_read(function, args, kwargs)
            for index, name, fits in fitting[seen]:
                fits(args[index] if index < len(args) else kwargs[name])
        except (TypeError, ValueError) as complaint:
            raise complaint.with_traceback(None) from None  # the fault is not in the code of this module
        return function(*args, **kwargs)

    keeping_the_contract.__doc__ = with_raises(function.__doc__)
    return keeping_the_contract


RAISES = """
Raises
------
ValueError, TypeError
    Where an argument does not fit the table above, in one sentence that says which and why.
"""


def with_raises(docstring):
    """Return a docstring in which a missing section on errors is added, if it has a table of parameters.

    The indentation of the source is removed, as Python 3.13 does.
    """
    docstring = inspect.cleandoc(docstring)
    if not re.search(r"^Parameters( as for `|\n)", docstring, flags=re.M) or "\nRaises\n" in docstring:
        return docstring
    end = re.search(r"\n(Notes|References)\n|$", docstring).start()
    return f"{docstring[:end].rstrip()}\n{RAISES}{docstring[end:]}"


def sight(argument):
    """Return a hashable key of all properties of an argument on which the comparison depends."""
    kind = type(argument)
    if kind is np.ndarray:  # the most frequent type first, because this runs at every call
        return argument.shape, argument.dtype
    if kind is dict:
        return (*argument, *map(sight, argument.values()))
    if kind is int or kind is float:
        return kind, argument
    shape = getattr(argument, "shape", None)
    if shape is not None and (shape or not isinstance(argument, Number)):
        return shape, getattr(argument, "dtype", None)
    if isinstance(argument, Number):
        return kind, argument
    if isinstance(argument, dict):
        return (dict, *argument, *map(sight, argument.values()))
    if isinstance(argument, list | tuple):
        numbers = as_numbers(argument)
        return (kind, *map(sight, argument)) if numbers is None else (kind, numbers.shape, numbers.dtype)
    return kind


def as_numbers(argument):
    """Return a list of numbers, or of such lists, as an array, or None if it holds anything else."""
    if any(isinstance(each, dict) for each in argument[:1]):  # parameters of blocks: the common case
        return None
    try:
        array = np.asarray(argument)
    except Exception:  # rows that are not equally long, tensors on another device
        return None
    return None if array.dtype == object else array


def values_to_read(function, args, kwargs):
    """Return the position, the name and the check of each argument whose values must be checked.

    Raise a TypeError or a ValueError if types, shapes or numbers do not fit the table.
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
    indices = {name: index for index, name in enumerate(signature.parameters)}
    return [
        (indices[name], name, reading)
        for name, row, argument in given
        if (name in kwargs or indices[name] < len(args)) and argument is not None
        for reading in fit.readings(name, row, argument, bound.arguments)
    ]
