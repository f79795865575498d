"""Find the change of the arguments for which a wrong answer would be right: tried, never guessed."""

from itertools import permutations
from time import process_time
from warnings import catch_warnings

import numpy as np

from .comparing import same_outcome
from .introspection import parameter_names
from .running import run

SECONDS = 0.12  # an exercise with a slow reference is asked fewer questions

NUMBERS = {
    "{0} + 1": lambda n: n + 1,
    "{0} - 1": lambda n: n - 1,
    "2 · {0}": lambda n: 2 * n,
    "{0} / 2": lambda n: n // 2 if isinstance(n, int) and n % 2 == 0 else n / 2,
    "-{0}": lambda n: -n,
    "{0}²": lambda n: n * n,
    "the root of {0}": lambda n: float(np.sqrt(n)),
    "1 / {0}": lambda n: 1 / n,
    "1 - {0}": lambda n: 1 - n,
    "1": lambda n: type(n)(1),
    "0": lambda n: type(n)(0),
}
TABLES = {
    "-{0}": lambda x: -x,
    "2 · {0}": lambda x: 2 * x,
    "{0} / 2": lambda x: x / 2,
    "{0}.T": lambda x: _other(np.swapaxes(x, -1, -2), x),
    "{0} from its last row to its first": lambda x: x[::-1].copy(),
    "{0} with its last axis turned round": lambda x: x[..., ::-1].copy(),
    "{0} without its last row": lambda x: x[:-1].copy(),
    "{0} without its first row": lambda x: x[1:].copy(),
    "{0}, each row moved on by one": lambda x: np.roll(x, 1, axis=0),
    "{0}, each row moved back by one": lambda x: np.roll(x, -1, axis=0),
    "{0}, its first row in the place of all rows": lambda x: x[:1] + 0 * x,
    "{0}, sorted": lambda x: np.sort(x, axis=0),
    "{0} without its sign": np.abs,
    "{0} squared": np.square,
    "{0} with 0 for what is negative": lambda x: np.maximum(x, 0),
    "e to the power of {0}": np.exp,
    "{0} less the mean of all": lambda x: x - x.mean(),
    "{0} less the mean of each row": lambda x: x - x.mean(axis=-1, keepdims=True),
    "{0} with each row brought to length 1": lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    "{0} with each column brought to length 1": lambda x: x / np.linalg.norm(x, axis=0, keepdims=True),
    "{0} with each row divided by its sum": lambda x: x / x.sum(axis=-1, keepdims=True),
    "{0} less the mean of each column": lambda x: x - x.mean(axis=0),
    "{0} with each column divided by its sum": lambda x: x / x.sum(axis=0),
    "{0} less the largest number of each row": lambda x: x - x.max(axis=-1, keepdims=True),
    "{0} with 1 at the largest number of each row and 0 elsewhere": lambda x: np.eye(x.shape[-1])[
        x.argmax(axis=-1)
    ],
    "{0} after a softmax of each row": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    "{0} with 0 above its diagonal": np.tril,
    "{0} with 0 below its diagonal": np.triu,
    "{0} - 1": lambda x: x - 1,
    "{0} rounded": np.round,
    "{0} + 1": lambda x: x + 1,
    "{0} of zeros": np.zeros_like,
    "{0} of ones": np.ones_like,
}
TRUTHS = {
    "{0} with True and False exchanged": np.logical_not,
    "{0} full of True": lambda x: np.ones_like(x),
    "{0}.T": lambda x: _other(np.swapaxes(x, -1, -2), x),
    "{0} from back to front": lambda x: x[..., ::-1].copy(),
}
ROWS = {
    "{0} from back to front": lambda x: x[::-1],
    "{0}, sorted": lambda x: type(x)(sorted(x)),
    "{0} without its last item": lambda x: x[:-1],
    "{0} without its first item": lambda x: x[1:],
    "{0} with each item once": lambda x: list(dict.fromkeys(x)),
}


def as_if(exercise, tried):
    """Return how the arguments would have to be for all that came back to be right; "" for no way we know.

    It holds in every case, in those that passed as well; where an error was raised, it is the same error.
    Nothing is said where fewer than two wrong results came back, or where a class edition holds no reference.
    """
    failed = sorted((t for t in tried if not t.passed), key=lambda t: t.status)[::-1]  # wrong before error
    shown = all(t.status in ("wrong", "passed", "error") and not t.outcome.returned for t in tried)
    if sum(t.status == "wrong" for t in failed) < 2 or not shown or exercise.recorded is not None:
        return ""
    wrong = [t for t in failed if t.status == "wrong"]
    few = len({t.case.name for t in wrong}) < 2  # a number fits one case by chance, a table does not
    tried, end = [*failed, *(t for t in tried if t.passed)], process_time() + SECONDS
    for words, change in _changes(parameter_names(exercise), failed[0].case.arguments, few):
        if process_time() > end:
            return ""
        if all(_right_for(exercise, t, change) for t in tried):
            return f"what came back is right for {words}"
    return ""


def _right_for(exercise, tried, change):
    """Return True where what came back is what the reference gives for the changed arguments."""
    try:
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            arguments = change(tried.case.arguments)
    except Exception:
        return False
    outcome = run(exercise, exercise.reference, arguments)
    return same_outcome(outcome, tried.outcome, exercise.tolerance)


def _changes(names, arguments, tables_alone):
    """Return pairs (words, change of the arguments), the likelier ones first."""
    places = range(min(len(names), len(arguments)))
    if tables_alone:
        places = [i for i in places if isinstance(arguments[i], np.ndarray)]
    for i, j in permutations(places, 2):
        if type(arguments[i]) is type(arguments[j]) and not callable(arguments[i]):
            if i < j:
                yield (
                    f"{names[i]} and {names[j]} exchanged",
                    lambda given, i=i, j=j: _put(given, {i: given[j], j: given[i]}),
                )
            yield (
                f"{names[i]} in both places, its own and that of {names[j]}",
                lambda given, i=i, j=j: _put(given, {j: given[i]}),
            )
    for i in places:
        for words, change in _kind(arguments[i]).items():
            told = words.format(names[i])
            told += "" if isinstance(arguments[i], dict) else f" in the place of {names[i]}"
            yield told, lambda given, i=i, change=change: _put(given, {i: change(given[i])})


def _kind(value):
    """Return the changes that make sense for one argument."""
    if isinstance(value, bool):
        return {"not {0}": lambda truth: not truth}
    if isinstance(value, np.ndarray):
        table = TRUTHS if value.dtype.kind == "b" else TABLES
        if value.ndim > 2:  # of so many axes, rows and columns tell nothing
            table = {words: f for words, f in table.items() if "row" not in words and "column" not in words}
        return table if value.ndim else {}
    if isinstance(value, dict):
        return _entries(value)
    if type(value) in (int, float):
        return NUMBERS
    return ROWS if type(value) in (list, str) else {}


def _entries(table):
    """Return the changes of one number in a dict."""
    return {
        f"{words.format(key)} in the place of {key}": lambda given, key=key, change=change: (
            given | {key: change(given[key])}
        )
        for key, value in table.items()
        if type(value) in (int, float)
        for words, change in NUMBERS.items()
    }


def _put(arguments, new):
    """Return the arguments with others in some places."""
    return tuple(new.get(place, value) for place, value in enumerate(arguments))


def _other(new, old):
    """Return a new array, or raise ValueError where it is the old one."""
    if new.shape == old.shape and (new == old).all():
        raise ValueError("nothing changed")
    return new.copy()
