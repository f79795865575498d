"""Experiments with changed arguments: for which a wrong result would be right, and which it ignores.

Both are tried, never guessed: the reference is run on the changed arguments, and so is the answer.
"""

import re
from itertools import permutations
from time import process_time
from warnings import catch_warnings

import numpy as np

from ..comparing import difference, same_outcome
from ..introspection import parameter_names
from ..plain_data import as_array
from ..running import run
from .numbers import as_code, as_size, format_number, sizes_of

CHANGING = 0.12  # CPU seconds; with a slow reference, fewer changes are tried
SCALING = 0.08
LARGE = 1000  # a size up to which an integer may grow by more than a factor of two

#: Conditions on an argument, whose name replaces "{0}", each with the change that makes it true.
NUMBERS = {
    "{0} were larger by 1": lambda n: n + 1,
    "{0} were smaller by 1": lambda n: n - 1,
    "{0} were twice as large": lambda n: 2 * n,
    "{0} were half as large": lambda n: n // 2 if isinstance(n, int) and n % 2 == 0 else n / 2,
    "{0} had the opposite sign": lambda n: -n,
    "{0} were squared": lambda n: n * n,
    "{0} were replaced by its square root": lambda n: float(np.sqrt(n)),
    "{0} were replaced by its reciprocal": lambda n: 1 / n,
    "{0} were subtracted from 1": lambda n: 1 - n,
    "{0} were always 1": lambda n: type(n)(1),
    "{0} were always 0": lambda n: type(n)(0),
}
ARRAYS = {
    "{0} had the opposite sign": lambda x: -x,
    "{0} were twice as large": lambda x: 2 * x,
    "{0} were half as large": lambda x: x / 2,
    "{0} were transposed": lambda x: _other(np.swapaxes(x, -1, -2), x),
    "the rows of {0} were in reverse order": lambda x: x[::-1].copy(),
    "{0} were reversed along its last axis": lambda x: x[..., ::-1].copy(),
    "{0} had no last row": lambda x: x[:-1].copy(),
    "{0} had no first row": lambda x: x[1:].copy(),
    "every row of {0} were moved down by one, and the last one to the top": lambda x: np.roll(x, 1, axis=0),
    "every row of {0} were moved up by one, and the first one to the bottom": lambda x: np.roll(
        x, -1, axis=0
    ),
    "every row of {0} were its first row": lambda x: x[:1] + 0 * x,
    "{0} were sorted along its first axis": lambda x: np.sort(x, axis=0),
    "{0} were replaced by its absolute value": np.abs,
    "{0} were squared": np.square,
    "the negative entries of {0} were 0": lambda x: np.maximum(x, 0),
    "{0} were replaced by its exponential": np.exp,
    "the mean of {0} were subtracted from it": lambda x: x - x.mean(),
    "the mean of each row of {0} were subtracted from it": lambda x: x - x.mean(axis=-1, keepdims=True),
    "each row of {0} were divided by its norm": lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    "each column of {0} were divided by its norm": lambda x: x / np.linalg.norm(x, axis=0, keepdims=True),
    "each row of {0} were divided by its sum": lambda x: x / x.sum(axis=-1, keepdims=True),
    "the mean of each column of {0} were subtracted from it": lambda x: x - x.mean(axis=0),
    "each column of {0} were divided by its sum": lambda x: x / x.sum(axis=0),
    "the maximum of each row of {0} were subtracted from it": lambda x: x - x.max(axis=-1, keepdims=True),
    "each row of {0} were 1 at its largest entry and 0 elsewhere": lambda x: np.eye(x.shape[-1])[
        x.argmax(axis=-1)
    ],
    "a softmax were applied to each row of {0}": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    "{0} were 0 above its diagonal": np.tril,
    "{0} were 0 below its diagonal": np.triu,
    "every entry of {0} were smaller by 1": lambda x: x - 1,
    "{0} were rounded to integers": np.round,
    "every entry of {0} were larger by 1": lambda x: x + 1,
    "every entry of {0} were 0": np.zeros_like,
    "every entry of {0} were 1": np.ones_like,
}
BOOLEANS = {
    "True and False were swapped in {0}": np.logical_not,
    "every entry of {0} were True": lambda x: np.ones_like(x),
    "{0} were transposed": lambda x: _other(np.swapaxes(x, -1, -2), x),
    "{0} were reversed along its last axis": lambda x: x[..., ::-1].copy(),
}
SEQUENCES = {
    "{0} were reversed": lambda x: x[::-1],
    "{0} were sorted": lambda x: type(x)(sorted(x)),
    "{0} had no last item": lambda x: x[:-1],
    "{0} had no first item": lambda x: x[1:],
    "{0} held each of its items only once": lambda x: list(dict.fromkeys(x)),
}


def explain(exercise, answer, tried, by_values):
    """Return what changed arguments reveal about an answer, as a dict of `right_for_arguments` and `unused`.

    Parameters
    ----------
    exercise : Exercise
    answer : callable
    tried : list of CaseResult
    by_values : bool
        Whether the results are informative enough to look for arguments for which they would be right.
    """
    right_for_arguments = ""
    if by_values:
        right_for_arguments = right_if_changed(exercise, tried) or right_if_scaled(exercise, tried)
    return {"right_for_arguments": right_for_arguments, "unused": unused(exercise, answer, tried)}


def right_if_changed(exercise, tried):
    """Return the clause about a condition under which every result would be right, or "" if none is known.

    The condition holds in every case, also in those that passed, and where an error was raised, the reference
    raises the same one. The clause is "" if fewer than two results are wrong, and in a class edition, which
    has no reference.
    """
    failed = sorted((t for t in tried if not t.passed), key=lambda t: t.status)[::-1]  # wrong before error
    shown = all(t.status in ("wrong", "passed", "error") and not t.outcome.returned for t in tried)
    if sum(t.status == "wrong" for t in failed) < 2 or not shown or exercise.recorded is not None:
        return ""
    wrong = [t for t in failed if t.status == "wrong"]
    few = len({t.case.name for t in wrong}) < 2  # a number fits one case by chance, a table does not
    tried, end = [*failed, *(t for t in tried if t.passed)], process_time() + CHANGING
    for words, change in _changes(parameter_names(exercise), failed[0].case.arguments, few):
        if process_time() > end:
            return ""
        if all(_right_for(exercise, t, change) for t in tried):
            return f"your result would be right if {words}"
    return ""


def _right_for(exercise, tried, change):
    """Return True if an answer returned what the reference returns for changed arguments."""
    try:
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            arguments = change(tried.case.arguments)
    except Exception:
        return False
    if _too_large(tried.case.arguments, arguments, tried.expected):
        return False
    outcome = run(exercise, exercise.reference, arguments)
    return same_outcome(outcome, tried.outcome, exercise.tolerance)


def _too_large(before, after, expected):
    """Return True if an integer has grown so much that an array of its size could fill the memory."""
    if isinstance(expected, int | float | str):
        return False
    pairs = [pair for pair in zip(before, after, strict=True) if type(pair[0]) is type(pair[1]) is int]
    return any(new > max(LARGE, 2 * abs(old) + 1) for old, new in pairs)


def _changes(names, arguments, arrays_only):
    """Yield pairs (condition, change of the arguments), the likelier ones first."""
    indices = range(min(len(names), len(arguments)))
    if arrays_only:
        indices = [i for i in indices if isinstance(arguments[i], np.ndarray)]
    for i, j in permutations(indices, 2):
        if type(arguments[i]) is type(arguments[j]) and not callable(arguments[i]):
            if i < j:
                yield (
                    f"`{names[i]}` and `{names[j]}` were swapped",
                    lambda given, i=i, j=j: _put(given, {i: given[j], j: given[i]}),
                )
            yield (
                f"`{names[j]}` were equal to `{names[i]}`",
                lambda given, i=i, j=j: _put(given, {j: given[i]}),
            )
    for i in indices:
        for words, change in _kind(names[i], arguments[i]).items():
            yield (
                words.format(f"`{names[i]}`"),
                lambda given, i=i, change=change: _put(given, {i: change(given[i])}),
            )


def _kind(name, value):
    """Return a dict of the conditions and changes that make sense for one argument."""
    if isinstance(value, bool):
        return {"{0} had the opposite value": lambda boolean: not boolean}
    if isinstance(value, np.ndarray):
        changes = BOOLEANS if value.dtype.kind == "b" else ARRAYS
        if value.ndim > 2:  # with so many axes, it is not clear what rows and columns are
            changes = {
                words.replace("{0} were transposed", "the last two axes of {0} were swapped"): f
                for words, f in changes.items()
                if "row" not in words and "column" not in words
            }
        if value.ndim == 1:
            changes = {_of_vector(words): f for words, f in changes.items() if "column" not in words}
        return changes if value.ndim else {}
    if isinstance(value, dict):
        return _entries(name, value)
    if type(value) in (int, float):
        return NUMBERS
    return SEQUENCES if type(value) in (list, str) else {}


def _of_vector(words):
    """Return the words of a condition on the rows of a table, adapted to a vector."""
    words = words.replace("each row of {0}", "{0}").replace("rows", "entries").replace("row", "entry")
    return re.sub(" along its (first|last) axis", "", words)


def _entries(name, table):
    """Return a dict of the conditions and changes of each number in a dict."""
    return {
        words.format(f"`{name}[{key!r}]`"): lambda given, key=key, change=change: (
            given | {key: change(given[key])}
        )
        for key, value in table.items()
        if type(value) in (int, float)
        for words, change in NUMBERS.items()
    }


def _put(arguments, new):
    """Return the arguments with some of them replaced."""
    return tuple(new.get(index, value) for index, value in enumerate(arguments))


def _other(new, old):
    """Return a copy of a new array, or raise ValueError if it equals the old one."""
    if new.shape == old.shape and (new == old).all():
        raise ValueError("nothing changed")
    return new.copy()


def right_if_scaled(exercise, tried):
    """Return the clause about a factor of one argument with which every result would be right, or "".

    In a case that passed, the factor is 1, or it does not change the result.
    """
    shown = all(t.status in ("wrong", "passed") and not t.outcome.returned for t in tried)
    tried = sorted(tried, key=lambda each: each.passed)  # wrong cases rule out most factors
    if not shown or sum(not t.passed for t in tried) < 2 or exercise.recorded is not None:
        return ""
    names, end = parameter_names(exercise), process_time() + SCALING
    for index, name in enumerate(names[: len(tried[0].case.arguments)]):
        factors, counted = _factors(exercise, tried, index, end)
        if not factors:
            continue
        sizes = [sizes_of(names, each.case.arguments) for each in counted]
        alone = np.ptp(factors) < 1e-5 * abs(factors[0])
        factor_text = format_number(round(factors[0], 9)) if alone else as_size(np.array(factors), sizes)
        if factor_text and factor_text != "1":
            return f"your result would be right if `{name}` were multiplied by {as_code(factor_text)}"
    return ""


def _factors(exercise, tried, index, end):
    """Return the factors of an argument that explain the results, and the cases to which they belong.

    A case that passed counts only if a factor would change its result, and its factor is 1. Nothing is
    returned if no factor explains the result of one of the cases.
    """
    found, counted = [], []
    for each in tried:
        if each.passed and not _notices_a_factor(exercise, each, index):
            continue
        factor = None if process_time() > end else 1.0 if each.passed else _factor(exercise, each, index)
        if factor is None:
            return [], []
        found.append(factor)
        counted.append(each)
    return found, counted


def _factor(exercise, tried, index, steps=12):
    """Return the factor of an argument with which the reference gives the wrong result, or None."""
    want, log = _flat(tried.outcome.output), 0.0
    here = _with_factor(exercise, tried, index, log)
    for _ in range(steps):
        near = _with_factor(exercise, tried, index, log + 1e-5)
        if here is None or near is None or want is None or not len(here) == len(near) == len(want):
            return None
        if np.allclose(here, want, rtol=1e-7, atol=1e-9):
            return float(np.exp(log))
        slope = (near - here) / 1e-5
        if not (slope @ slope > 1e-18 and np.isfinite(slope).all()):
            return None
        log += float(np.clip(slope @ (want - here) / (slope @ slope), -1, 1))
        if abs(log) > 4:
            return None
        here = _with_factor(exercise, tried, index, log)
    return None


def _notices_a_factor(exercise, tried, index):
    """Return True if a factor of an argument changes the output of the reference in a case."""
    here, there = (_with_factor(exercise, tried, index, log) for log in (0.0, 0.3))
    return here is None or there is None or len(here) != len(there) or not np.allclose(here, there)


def _with_factor(exercise, tried, index, log):
    """Return the reference's output as a vector for an argument times e^log, or None if this fails."""
    given = tried.case.arguments
    if index >= len(given):  # this case leaves the argument to its default
        return None
    if not (isinstance(given[index], float) or getattr(given[index], "dtype", np.dtype(int)).kind == "f"):
        return None
    arguments = (*given[:index], given[index] * np.exp(log), *given[index + 1 :])
    return _flat(run(exercise, exercise.reference, arguments).output)


def _flat(output):
    """Return all numbers of an output as a vector, or None if it holds anything else."""
    parts = output.values() if isinstance(output, dict) else output if isinstance(output, list) else [output]
    try:
        flat = np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])
    except (TypeError, ValueError):
        return None
    return flat if flat.size and np.isfinite(flat).all() else None


def unused(exercise, answer, tried):
    """Return the clause about arguments that may change without changing the result, or "" if there are none.

    Each argument is changed three times in two or three cases that failed, where the output of the reference
    must change, and in cases that passed, where a change of the result shows that the argument is used.
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
        and all(
            _matters(exercise, each, path) and not _notices(exercise, answer, each, path) for each in wrong
        )
        and not any(_notices(exercise, answer, each, path) for each in passed)
    ]
    if not names or len(names) > 2:
        return ""
    changed = " or only ".join(f"`{name}`" for name in names)
    return f"when the check changed only {changed}, the expected result changed, but yours did not"


def _by_name(tried):
    """Return one case for each name, since the same case with other numbers reveals nothing new."""
    return list({each.case.name: each for each in tried}.values())


def _strange(outcome):
    """Return True for an output that may stay the same by chance, such as NaN or an empty array."""
    array = as_array(outcome.output)
    if array is not None and (not array.size or (array.dtype.kind == "f" and np.isinf(array).any())):
        return True
    return bool(outcome.returned) or difference(outcome.output, outcome.output, 0) is not None


def _of_floats(value):
    """Return True for a float and for an array of floats."""
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _matters(exercise, tried, path):
    """Return True if the right result changes with the argument at a path."""
    before, *after = (
        run(exercise, exercise.reference, given) for given in (tried.case.arguments, *_varied(tried, path))
    )
    return any(not each.error and not same_outcome(each, before, 1e-9) for each in after)


def _notices(exercise, answer, tried, path):
    """Return True if the result of an answer changes with the argument at a path."""
    return any(
        not same_outcome(run(exercise, answer, given), tried.outcome, 1e-9)
        for given in _varied(tried, path)
        if not run(exercise, exercise.reference, given).error
    )


def _paths(names, arguments):
    """Return the name and the path of each argument, or of each entry of an argument that is a dict."""
    found = []
    for index, (name, value) in enumerate(zip(names, arguments, strict=False)):
        keys = [(f"{name}[{key!r}]", (index, key)) for key in value] if isinstance(value, dict) else []
        found += keys or [(name, (index,))]
    return found


def _at(arguments, path):
    """Return the argument or the entry at a path, or None if there is none."""
    value = arguments[path[0]] if path[0] < len(arguments) else None
    return value.get(path[1]) if len(path) > 1 and isinstance(value, dict) else value


def _varied(tried, path):
    """Return the arguments of a case three times, each time with another value at one path."""
    given, (index, *key) = tried.case.arguments, path
    values = _others(_at(given, path))
    if key:
        values = [given[index] | {key[0]: value} for value in values]
    return [(*given[:index], value, *given[index + 1 :]) for value in values]


def _others(value):
    """Return three other values of the same kind, or [] for ids, which select rows of a table."""
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "b":
        return [~value, value[::-1], np.roll(value, 1, axis=-1)]
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind == "f":
        return [factor * value[::-1] + 0.5 for factor in (1.25, 1.5, 0.75)]
    if type(value) is int:
        return [value + 1, value + max(2, abs(value)), value - 1]
    return [factor * value + 0.01 for factor in (1.25, 1.5, 0.75)] if type(value) is float else []
