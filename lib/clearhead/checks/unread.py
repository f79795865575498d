"""Find the arguments that an answer does not read: they are changed, and the same comes back."""

import numpy as np

from .comparing import difference
from .plain_data import as_array
from .running import parameter_names, run, same_outcome


def unread(exercise, answer, tried):
    """Return the words for arguments whose numbers may change, and what comes back does not; "" for none.

    They are changed one by one in two or three cases that failed, where the reference notices the change.
    """
    wrong = [each for each in tried if each.status == "wrong" and not _strange(each.outcome)]
    wrong = list({each.case.name: each for each in wrong}.values())[:3]
    alike = all(same_outcome(each.outcome, wrong[0].outcome, 0) for each in wrong)  # a constant reads nothing
    if len(wrong) < 2 or alike or exercise.recorded is not None:
        return ""
    # A choice stays where numbers move a little.
    chooses = not all(_of_floats(each.outcome.output) for each in wrong)
    passed = list({each.case.name: each for each in tried if each.passed}.values())[:2]
    names = [
        name
        for place, name, changes in _changes(parameter_names(exercise), wrong[0].case.arguments)
        if all(_same_answer(exercise, answer, each, changes) for each in wrong)
        and not any(_moves(exercise, answer, each, changes) for each in passed)
        and not (chooses and _of_floats(wrong[0].case.arguments[place]))
    ]
    if not names or len(names) > 2:
        return ""
    return f"with other numbers in {' or in '.join(names)}, the same comes back"


def _strange(outcome):
    """Return True for an output that may stay as it is for any reason: empty, endless, NaN, no plain data."""
    array = as_array(outcome.output)
    if array is not None and (not array.size or (array.dtype.kind == "f" and np.isinf(array).any())):
        return True
    return bool(outcome.returned) or difference(outcome.output, outcome.output, 0) is not None


def _of_floats(value):
    """Return True for a float and for an array of floats."""
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _same_answer(exercise, answer, tried, changes):
    """Return True where changes of the arguments change what is expected, and none what comes back."""
    before, noticed = run(exercise, exercise.reference, tried.case.arguments), False
    for change in changes:
        try:
            arguments = change(tried.case.arguments)
        except (TypeError, ValueError, KeyError, IndexError):
            return False
        right = run(exercise, exercise.reference, arguments)
        if right.error:
            continue
        noticed |= not same_outcome(right, before, 1e-9)
        if not same_outcome(run(exercise, answer, arguments), tried.outcome, 1e-9):
            return False
    return noticed


def _moves(exercise, answer, tried, changes):
    """Return True where a change of the arguments changes what comes back, in a case that passed."""
    for change in changes:
        try:
            arguments = change(tried.case.arguments)
        except (TypeError, ValueError, KeyError, IndexError):
            continue
        if not same_outcome(run(exercise, answer, arguments), tried.outcome, 1e-9):
            return True
    return False


def _changes(names, arguments):
    """Return for each argument, and each entry of a dict, its name and changes of the arguments."""
    for place, (name, value) in enumerate(zip(names, arguments, strict=False)):
        if isinstance(value, dict):
            for key in value:
                yield (
                    place,
                    f"{name}[{key!r}]",
                    [
                        lambda given, p=place, k=key, n=n: _put(
                            given, p, given[p] | {k: _other(given[p][k], n)}
                        )
                        for n in (1, 2, -1)
                    ],
                )
        else:
            yield (
                place,
                name,
                [lambda given, p=place, n=n: _put(given, p, _other(given[p], n)) for n in (1, 2, -1)],
            )


def _put(arguments, place, value):
    """Return the arguments with another one in one place."""
    return (*arguments[:place], value, *arguments[place + 1 :])


def _other(value, step=1):
    """Return another number, truth or array of the same kind, one for each step of 1, 2 and -1."""
    if isinstance(value, np.ndarray) and value.size:
        if value.dtype.kind in "iu":
            raise TypeError("another id might be no row of a table")
        if value.dtype.kind == "b":
            return {1: ~value, 2: value[::-1], -1: np.roll(value, 1, axis=-1)}[step]
        return (1 + step / 4) * value[::-1] + 0.5
    if type(value) in (int, float):
        return (
            value + (step if step != 2 else max(2, abs(value)))
            if type(value) is int
            else (1 + step / 4) * value + 0.01
        )
    raise TypeError("no numbers")
