"""The search for what distinguishes the failed cases: one value, or one property, of an argument."""

from itertools import combinations

import numpy as np

from ..plain_data import cut, is_error_text

OF_NUMBERS = {
    "`{0}` is 0": lambda n: n == 0,
    "`{0}` is negative": lambda n: n < 0,
    "`{0}` is not 0": lambda n: n != 0,
    "`{0}` is odd": lambda n: n % 2 == 1,
    "`{0}` is even": lambda n: n % 2 == 0,
    "`{0}` is less than 1": lambda n: n < 1,
    "`{0}` is greater than 1": lambda n: n > 1,
}
OF_ARRAYS = {
    "`{0}` has an integer dtype": lambda x: x.dtype.kind != "f",
    "`{0}` contains infinity": lambda x: np.isinf(x).any(),
    "`{0}` has entries beyond ±700": lambda x: (np.abs(x[np.isfinite(x)]) > 700).any(),
    "`{0}` has entries beyond ±1,000": lambda x: (np.abs(x[np.isfinite(x)]) > 1000).any(),
    "all entries of `{0}` are 0": lambda x: x.size and not x.any(),
    "`{0}` has a row of zeros": lambda x: x.ndim > 1 and not x.any(axis=-1).all(),
    "`{0}` is empty": lambda x: not x.size,
    "all entries of `{0}` are equal": lambda x: x.size > 1 and (x == x.flat[0]).all(),
    "`{0}` has a negative entry": lambda x: x.dtype.kind == "i" and (x < 0).any(),
    "`{0}` has two equal entries": lambda x: x.ndim == 1 and len(np.unique(x)) < len(x),
    "`{0}` has only one row": lambda x: x.ndim > 1 and len(x) == 1,
}


#: The parity of few numbers agrees by chance, so this many different odd and even numbers must be tried.
PARITY, EACH = ("`{0}` is odd", "`{0}` is even"), 3


def explain(names, tried, at_least):
    """Return clauses on an output that is the same in all cases, and on what the failed cases share."""
    return [constant(tried, at_least), failing(names, tried)]


def constant(tried, at_least):
    """Return the clause about an answer that returns the same number, string or boolean in every case."""
    outputs = [t.outcome.output for t in tried if t.status in ("wrong", "passed")]
    described = [t for t in tried if isinstance(t.outcome.output, str) and not isinstance(t.expected, str)]
    if described:  # a driver may describe in a string what the answer returned
        return ""
    if len(outputs) < max(3, at_least) or not isinstance(outputs[0], str | bool | int | float):
        return ""
    if is_error_text(outputs[0]):  # an error is not a returned value
        return ""
    alike = all(type(each) is type(outputs[0]) and each == outputs[0] for each in outputs)
    where = "in every case" + ("" if len(outputs) == len(tried) else " in which it returns a value")
    return f"your answer returns {cut(repr(outputs[0]), 40)} {where}" if alike else ""


def failing(names, tried):
    """Return the clause about a property that the arguments have in all failed cases, and in no passed one.

    Cases that expect a string, such as an error, are not compared with cases that expect numbers.
    """
    ran = [each for each in tried if each.status in ("wrong", "error", "timeout", "passed")]
    expects_string = {isinstance(each.expected, str) for each in ran if not each.passed}
    ran = [each for each in ran if {isinstance(each.expected, str)} == expects_string]
    passed = np.array([each.passed for each in ran])
    names_of = [each.case.name for each in ran]  # with other numbers it is the same case
    fine, failed = ({name for name, p in zip(names_of, passed, strict=True) if p == part} for part in (1, 0))
    if min(len(fine), len(failed)) < 2:  # one case alone is unlike the others by chance; it has its own name
        return ""
    columns = {
        name: [t.case.arguments[index] if index < len(t.case.arguments) else None for t in ran]
        for index, name in enumerate(names)
    }
    unequal = _unequal(columns, passed) if min(len(fine), len(failed)) > 2 else []
    held = _value(columns, passed) or _traits(columns, passed) or unequal
    return f"of the cases tried, your answer fails only those where {held[0]}" if len(held) == 1 else ""


def _value(columns, passed):
    """Return a clause for each argument with one value in all failed cases, and others in all passed ones."""
    found = []
    for name, values in columns.items():
        if not all(type(value) in (str, bool, int) for value in values):
            continue
        failed = {value for value, fine in zip(values, passed, strict=True) if not fine}
        fine = {value for value, fine in zip(values, passed, strict=True) if fine}
        if len(failed) == 1 and not failed & fine:
            value = next(iter(failed))
            if type(value) is not int or value in (0, 1):
                found.append(f"`{name}` is {value!r}")
    return found


def _traits(columns, passed):
    """Return a clause for each argument with a property that all failed cases have, and no passed one."""
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
    """Return a clause for each pair of sizes that differ in all failed cases, and in no passed one."""
    sizes = {}
    for name, values in columns.items():
        ndims = {np.ndim(value) for value in values if isinstance(value, np.ndarray)}
        if len(ndims) == 1 and all(isinstance(value, np.ndarray) for value in values):
            for axis in range(ndims.pop()):
                sizes[f"{name}.shape[{axis}]"] = np.array([x.shape[axis] for x in values])
        elif all(type(value) is int for value in values):
            sizes[name] = np.array(values)
    pairs = combinations(sizes, 2)
    return [f"`{a}` differs from `{b}`" for a, b in pairs if ((sizes[a] == sizes[b]) == passed).all()]
