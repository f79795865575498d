"""Find the arguments that an answer does not read: they are changed, and the same comes back."""

import numpy as np

from .comparing import difference, same_outcome
from .introspection import parameter_names
from .plain_data import as_array
from .running import run


def unread(exercise, answer, tried):
    """Return the words for arguments whose numbers may change, and what comes back does not; "" for none.

    Each is changed three times, in two or three cases that failed, where the reference notices a change, and
    in cases that passed: what moves there is read.
    """
    wrong = _by_name(each for each in tried if each.status == "wrong" and not _strange(each.outcome))[:3]
    alike = all(same_outcome(each.outcome, wrong[0].outcome, 0) for each in wrong)  # a constant reads nothing
    if len(wrong) < 2 or alike or exercise.recorded is not None:
        return ""
    passed = _by_name(each for each in tried if each.passed)[:2]
    chooses = not all(_of_floats(each.outcome.output) for each in wrong)
    names = [
        name
        for name, path in _paths(parameter_names(exercise), wrong[0].case.arguments)
        if not (chooses and _of_floats(_at(wrong[0].case.arguments, path)))  # a small step changes no choice
        and all(_matters(exercise, each, path) and not _moves(exercise, answer, each, path) for each in wrong)
        and not any(_moves(exercise, answer, each, path) for each in passed)
    ]
    if not names or len(names) > 2:
        return ""
    return f"tried with other numbers in {' or in '.join(names)}, it gave the same"


def _by_name(tried):
    """Return one case of each name: the same one with other numbers tells nothing new."""
    return list({each.case.name: each for each in tried}.values())


def _strange(outcome):
    """Return True for an output that may stay as it is for any reason: empty, endless, NaN, no plain data."""
    array = as_array(outcome.output)
    if array is not None and (not array.size or (array.dtype.kind == "f" and np.isinf(array).any())):
        return True
    return bool(outcome.returned) or difference(outcome.output, outcome.output, 0) is not None


def _of_floats(value):
    """Return True for a float and for an array of floats."""
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _matters(exercise, tried, path):
    """Return True where the right answer is another one for changed arguments."""
    before, *after = (
        run(exercise, exercise.reference, given) for given in (tried.case.arguments, *_varied(tried, path))
    )
    return any(not each.error and not same_outcome(each, before, 1e-9) for each in after)


def _moves(exercise, answer, tried, path):
    """Return True where an answer gives something else for changed arguments that are allowed."""
    return any(
        not same_outcome(run(exercise, answer, given), tried.outcome, 1e-9)
        for given in _varied(tried, path)
        if not run(exercise, exercise.reference, given).error
    )


def _paths(names, arguments):
    """Return the name and the place of each argument, and of each entry of a dict."""
    found = []
    for place, (name, value) in enumerate(zip(names, arguments, strict=False)):
        keys = [(f"{name}[{key!r}]", (place, key)) for key in value] if isinstance(value, dict) else []
        found += keys or [(name, (place,))]
    return found


def _at(arguments, path):
    """Return the argument or the entry at a place, None where there is none."""
    value = arguments[path[0]] if path[0] < len(arguments) else None
    return value.get(path[1]) if len(path) > 1 and isinstance(value, dict) else value


def _varied(tried, path):
    """Return the arguments of a case three times, each time with another value at one place."""
    given, (place, *key) = tried.case.arguments, path
    values = _others(_at(given, path))
    if key:
        values = [given[place] | {key[0]: value} for value in values]
    return [(*given[:place], value, *given[place + 1 :]) for value in values]


def _others(value):
    """Return three other values of the same kind; none for ids, which pick rows of a table."""
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "b":
        return [~value, value[::-1], np.roll(value, 1, axis=-1)]
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "f":
        return [share * value[::-1] + 0.5 for share in (1.25, 1.5, 0.75)]
    if type(value) is int:
        return [value + 1, value + max(2, abs(value)), value - 1]
    return [share * value + 0.01 for share in (1.25, 1.5, 0.75)] if type(value) is float else []
