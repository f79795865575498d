"""Say in which cases an answer fails: those with one value, or with one trait, of an argument."""

from itertools import combinations

import numpy as np

from ..plain_data import is_error_text

OF_NUMBERS = {
    "{0} is 0": lambda n: n == 0,
    "{0} is negative": lambda n: n < 0,
    "{0} is not 0": lambda n: n != 0,
    "{0} is odd": lambda n: n % 2 == 1,
    "{0} is even": lambda n: n % 2 == 0,
    "{0} is less than 1": lambda n: n < 1,
    "{0} is more than 1": lambda n: n > 1,
}
OF_ARRAYS = {
    "{0} holds whole numbers": lambda x: x.dtype.kind != "f",
    "{0} holds infinity": lambda x: np.isinf(x).any(),
    "{0} holds numbers beyond 700": lambda x: (np.abs(x[np.isfinite(x)]) > 700).any(),
    "{0} holds numbers beyond 1,000": lambda x: (np.abs(x[np.isfinite(x)]) > 1000).any(),
    "{0} holds nothing but 0": lambda x: x.size and not x.any(),
    "{0} has a row of nothing but 0": lambda x: x.ndim > 1 and not x.any(axis=-1).all(),
    "{0} is empty": lambda x: not x.size,
    "{0} holds nothing but one value": lambda x: x.size > 1 and (x == x.flat[0]).all(),
    "{0} holds a negative number": lambda x: x.dtype.kind == "i" and (x < 0).any(),
    "{0} holds one value twice": lambda x: x.ndim == 1 and len(np.unique(x)) < len(x),
    "{0} has one row": lambda x: x.ndim > 1 and len(x) == 1,
}


#: Odd and even part few numbers by chance: so many different ones of each kind must have been tried.
PARITY, EACH = ("{0} is odd", "{0} is even"), 3


def explain(names, tried, at_least):
    """Return clauses on the cases that were tried: on one output for all of them, and on which ones fail."""
    return [constant(tried, at_least), failing(names, tried)]


def constant(tried, at_least):
    """Return the words for an answer that gives the same number, text or truth in every case."""
    outputs = [t.outcome.output for t in tried if t.status in ("wrong", "passed")]
    if len(outputs) < max(3, at_least) or not isinstance(outputs[0], str | bool | int | float):
        return ""
    if is_error_text(outputs[0]):  # that nothing but an error came is no value
        return ""
    alike = all(type(each) is type(outputs[0]) and each == outputs[0] for each in outputs)
    where = "in every case" if len(outputs) == len(tried) else "wherever it gives something"
    return f"it gives {outputs[0]!r:.40} {where}" if alike else ""


def failing(names, tried):
    """Return the words for what the arguments of all failed cases have, and those of no passed one.

    A case that asks for an error tells nothing of one that asks for numbers.
    """
    ran = [each for each in tried if each.status in ("wrong", "error", "timeout", "passed")]
    asked = {isinstance(each.expected, str) for each in ran if not each.passed}
    ran = [each for each in ran if {isinstance(each.expected, str)} == asked]
    passed = np.array([each.passed for each in ran])
    names_of = [each.case.name for each in ran]  # with other numbers it is the same case
    fine, failed = ({name for name, p in zip(names_of, passed, strict=True) if p == part} for part in (1, 0))
    if min(len(fine), len(failed)) < 2:  # one case alone is unlike the others by chance; it has its own name
        return ""
    columns = {
        name: [t.case.arguments[place] if place < len(t.case.arguments) else None for t in ran]
        for place, name in enumerate(names)
    }
    unequal = _unequal(columns, passed) if min(len(fine), len(failed)) > 2 else []
    held = _value(columns, passed) or _traits(columns, passed) or unequal
    return f"of the cases tried, it fails where {held[0]}, and only there" if len(held) == 1 else ""


def _value(columns, passed):
    """Return words for the one value of an argument with which all cases fail, and without it none."""
    found = []
    for name, values in columns.items():
        if not all(type(value) in (str, bool, int) for value in values):
            continue
        failed = {value for value, fine in zip(values, passed, strict=True) if not fine}
        fine = {value for value, fine in zip(values, passed, strict=True) if fine}
        if len(failed) == 1 and not failed & fine:
            value = next(iter(failed))
            if type(value) is not int or value in (0, 1):
                found.append(f"{name} is {value!r}")
    return found


def _traits(columns, passed):
    """Return for each argument the words for a trait that all failed cases have, and no passed one."""
    found = []
    for name, values in columns.items():
        numbers = all(type(value) in (int, float) for value in values)
        arrays = all(isinstance(value, np.ndarray) and value.dtype.kind in "iuf" for value in values)
        for words, holds in (OF_NUMBERS if numbers else OF_ARRAYS if arrays else {}).items():
            if words in PARITY and min(len({v for v in values if v % 2 == r}) for r in (0, 1)) < EACH:
                continue
            if all(bool(holds(value)) != fine for value, fine in zip(values, passed, strict=True)):
                found.append(words.format(name))
                break
    return found


def _unequal(columns, passed):
    """Return words for two sizes that differ in all failed cases, and in no passed one."""
    sizes = {}
    for name, values in columns.items():
        ndims = {np.ndim(value) for value in values if isinstance(value, np.ndarray)}
        if len(ndims) == 1 and all(isinstance(value, np.ndarray) for value in values):
            for axis in range(ndims.pop()):
                sizes[f"the size of axis {axis} of {name}"] = np.array([x.shape[axis] for x in values])
        elif all(type(value) is int for value in values):
            sizes[name] = np.array(values)
    pairs = combinations(sizes, 2)
    return [f"{a} differs from {b}" for a, b in pairs if ((sizes[a] == sizes[b]) == passed).all()]
