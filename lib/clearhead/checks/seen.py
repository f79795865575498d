"""Say what all cases that failed have in common: seen in the numbers, never guessed."""

import numpy as np

from .comparing import same
from .plain_data import as_array
from .relations import relation
from .relations_of_places import in_part
from .running import parameter_names

PLACES = {
    "on the diagonal": lambda i, j: i == j,
    "above the diagonal": lambda i, j: i < j,
    "below the diagonal": lambda i, j: i > j,
}

ITEMS = {  # what came back, made from what was expected
    "the {0}s are right, but stand from back to front": lambda want: want[::-1],
    "the {0}s are right, but the first one is missing": lambda want: want[1:],
    "the {0}s are right, but the last one is missing": lambda want: want[:-1],
    "only the first {0} came back": lambda want: want[:1],
    "only the last {0} came back": lambda want: want[-1:],
    "the {0}s stand twice, one after the other": lambda want: want + want,
}
ITEMS_BACK = {  # what was expected, made from what came back
    "the {0}s are right, but the first one is too many": lambda got: got[1:],
    "the {0}s are right, but the last one is too many": lambda got: got[:-1],
}


def seen(verdict):
    """Return sentences about the wrong outputs of a verdict, all true of every one of them; or none."""
    wrong = [tried for tried in verdict.tried if tried.status == "wrong" and tried.outcome.output is not None]
    about = _outputs(verdict, wrong) if wrong else ""
    plain = about.startswith("every number")  # then the change of an argument says the same once more
    found = [about, "" if plain else verdict.right_for, _constant(verdict), _which(verdict)]
    return [sentence[:1].upper() + sentence[1:] + "." for sentence in found if sentence]


def _outputs(verdict, wrong):
    """Return the words for what the outputs have to do with those expected."""
    pairs = [(tried.outcome.output, tried.expected) for tried in wrong]
    keys = _keys(pairs)
    if not keys:
        return _items(pairs) or _numbers(verdict, wrong, pairs)
    alone = [key for key in keys if all(_same(got, want[key]) for got, want in pairs)]
    if alone:
        return f"what came back is result[{alone[0]!r}] alone: {len(keys)} results are asked for"
    if any(_keys([pair]) is None or not _fits(*pair) for pair in pairs):
        return ""
    moved = _exchanged(pairs, keys)
    if moved:
        return moved
    bad = [key for key in keys if not all(_same(got[key], want[key]) for got, want in pairs)]
    if len(bad) == len(keys) and all(isinstance(want[key], np.ndarray) for _, want in pairs for key in keys):
        every = [(got[key], want[key]) for got, want in pairs for key in keys]
        about = _numbers(verdict, [tried for tried in wrong for _ in keys], every)
        return f"in each of the {len(keys)} results, {about}" if about else ""
    if len(bad) != 1:
        return ""
    about = _numbers(verdict, wrong, [(got[bad[0]], want[bad[0]]) for got, want in pairs])
    if isinstance(pairs[0][1], dict) and not all(np.ndim(want[key]) for _, want in pairs for key in keys):
        return about  # the others were measured, not returned
    rest = f"only result[{bad[0]!r}] is wrong"
    return f"{rest}; there, {about}" if about else rest


def _items(pairs):
    """Return the words for texts, or lists of them, that are right but for their order or for one end."""
    if not all(type(got) is type(want) and isinstance(want, str | list) for got, want in pairs):
        return ""
    if all(isinstance(want, list) and as_array(want) is not None for _, want in pairs):
        return ""
    if all(isinstance(want, list) and len(want) == 2 for _, want in pairs):
        turned = all(_equal(got, want[::-1]) for got, want in pairs)
        return "the two results are exchanged" if turned else ""
    if max(len(want) for _, want in pairs) < 3:
        return ""
    noun = "letter" if isinstance(pairs[0][1], str) else "item"
    for words, change in ITEMS.items():
        if all(_equal(got, change(want)) for got, want in pairs):
            return words.format(noun)
    for words, change in ITEMS_BACK.items():
        if all(_equal(change(got), want) for got, want in pairs):
            return words.format(noun)
    return ""


def _equal(one, other):
    """Return True where two pieces of plain data are equal, arrays in them as well."""
    return same(one, other, 1e-9)


def _constant(verdict):
    """Return the words for an answer that gives the same number, text or truth in every case."""
    outputs = [t.outcome.output for t in verdict.tried if t.status in ("wrong", "passed")]
    if len(outputs) < max(3, len(verdict.tried)) or not isinstance(outputs[0], str | bool | int | float):
        return ""
    alike = all(type(each) is type(outputs[0]) and each == outputs[0] for each in outputs)
    return f"it gives {outputs[0]!r:.40} in every case" if alike else ""


def _keys(pairs):
    """Return the names or places of several outputs, the same in each case; None for one output alone."""
    wants = [want for _, want in pairs]
    if all(isinstance(want, dict) for want in wants):
        keys = [list(want) for want in wants]
    elif all(isinstance(want, list) and any(isinstance(item, np.ndarray) for item in want) for want in wants):
        keys = [list(range(len(want))) for want in wants]
    else:
        return None
    return keys[0] if all(each == keys[0] for each in keys) and len(keys[0]) > 1 else None


def _fits(got, want):
    """Return True where an output has the form of the one expected: as many results, or the same names."""
    if isinstance(want, dict):
        return isinstance(got, dict) and set(got) == set(want)
    return isinstance(got, list) and len(got) == len(want)


def _same(got, want):
    """Return True where two outputs hold the same numbers."""
    one, other = as_array(got), as_array(want)
    if one is None or other is None:
        return type(got) is type(want) and isinstance(got, str) and got == want
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-6, atol=1e-6))


def _exchanged(pairs, keys):
    """Return the words for two results that stand in each other's place."""
    for n, one in enumerate(keys):
        for other in keys[n + 1 :]:
            right = all(_same(g[one], w[one]) for g, w in pairs)
            if not right and all(_same(g[one], w[other]) and _same(g[other], w[one]) for g, w in pairs):
                return f"result[{one!r}] and result[{other!r}] are exchanged"
    return ""


def _numbers(verdict, wrong, pairs):
    """Return the words for a relation between arrays or numbers, or for where the wrong ones stand."""
    arrays = [(as_array(got), as_array(want)) for got, want in pairs]
    if any(a is None or a.dtype.kind not in "biuf" or not a.size for pair in arrays for a in pair):
        return ""
    tolerance = max(verdict.exercise.tolerance, 1e-9)
    if all(g.shape == w.shape and np.allclose(g, w, tolerance, tolerance, True) for g, w in arrays):
        return ""  # the numbers are right, and something else is not
    if any(want.dtype.kind == "b" for _, want in arrays):
        return _truths(arrays) or ("" if any(got.dtype.kind != "b" for got, _ in arrays) else _places(arrays))
    names = parameter_names(verdict.exercise)
    sizes = [_sizes(names, tried.case.arguments) for tried in wrong]
    given = [dict(zip(names, map(as_array, _plainly(t.case.arguments)), strict=False)) for t in wrong]
    given = [{n: a for n, a in each.items() if a is not None and a.dtype.kind in "biuf"} for each in given]
    with np.errstate(all="ignore"):
        found = relation(arrays, sizes, given, tolerance) or _places(arrays)
        return found or (in_part(arrays, tolerance) if _one_form(arrays) else "")


def _one_form(arrays):
    """Return True where what came back has the shape of what was expected, and axes."""
    return all(got.shape == want.shape and want.ndim for got, want in arrays)


def _plainly(arguments):
    """Return the arguments, those that are no arrays and no numbers as None."""
    return [x if isinstance(x, np.ndarray | int | float) else None for x in arguments]


def _sizes(names, arguments):
    """Return the sizes of the arguments in words: "the size of axis 0 of X", or a number by its name."""
    found = {}
    for name, value in zip(names, arguments, strict=False):
        if type(value) in (int, float):
            found[name] = value
        if isinstance(value, dict):
            found |= {key: size for key, size in value.items() if type(size) in (int, float)}
        for axis, size in enumerate(getattr(value, "shape", ())):
            found[f"the size of axis {axis} of {name}"] = size
    return found


def _truths(arrays):
    """Return the words for a table of True and False that is turned round or has its axes exchanged."""
    if any(got.dtype.kind != "b" for got, _ in arrays):
        return ""
    if all(want.ndim == got.ndim == 0 for got, want in arrays):
        said = {bool(got) for got, _ in arrays}
        both = len(said) == 2
        return "" if both else f"it says {said.copy().pop()} where {not said.pop()} was expected"
    if all(got.shape == want.shape and (got != want).all() for got, want in arrays):
        return "True stands where False was expected, and False where True was"
    square = all(got.ndim == 2 and got.T.shape == want.shape for got, want in arrays)
    if square and all((want == got.T).all() for got, want in arrays):
        return "rows and columns are exchanged"
    if all(got.shape == want.shape for got, want in arrays):
        if all((want | ~got).all() for got, want in arrays):
            return "nothing is True that must be False, but some that must be True is False"
        if all((got | ~want).all() for got, want in arrays):
            return "nothing is False that must be True, but some that must be False is True"
    return ""


def _places(arrays):
    """Return the words for where all wrong numbers stand, where others of the same array are right.

    Nearly all of a wide table stands above its diagonal, so there it says nothing.
    """
    if any(got.shape != want.shape or not want.ndim for got, want in arrays):
        return ""
    with np.errstate(all="ignore"):
        wrong = [~np.isclose(got * 1.0, want * 1.0, rtol=1e-6, atol=1e-6) for got, want in arrays]
    axes = wrong[0].ndim
    if any(bad.ndim != axes or bad.all() for bad in wrong):
        return ""
    if axes >= 2:
        for words, holds in PLACES.items():
            few = all(holds(*np.indices(bad.shape[-2:])).mean() < 0.6 for bad in wrong)
            if few and all(holds(*np.nonzero(bad)[-2:]).all() for bad in wrong):
                return f"all wrong values stand {words}"
    for axis in range(axes):
        noun = "number" if axes == 1 else ("row", "column")[axis] if axes == 2 else f"index of axis {axis}"
        lines = [np.unique(np.nonzero(bad)[axis]) for bad in wrong]
        for end, at in (("first", lambda n: 0), ("last", lambda n: n - 1)):
            ends = [at(bad.shape[axis]) for bad in wrong]
            if all(bad.shape[axis] > 2 for bad in wrong) and all(
                line.tolist() == [place] for line, place in zip(lines, ends, strict=True)
            ):
                return f"only the {end} {noun} is wrong"
            if max(bad.shape[axis] for bad in wrong) > 2 and all(
                place not in line and len(line) == bad.shape[axis] - 1
                for line, place, bad in zip(lines, ends, wrong, strict=True)
            ):
                return f"only the {end} {noun} is right"
    return ""


def _which(verdict):
    """Return the words for the one value of an argument with which all cases fail, and without it none."""
    names = parameter_names(verdict.exercise)
    ran = [tried for tried in verdict.tried if tried.status in ("wrong", "error", "slow", "passed")]
    for place, name in enumerate(names):
        values = [t.case.arguments[place] if place < len(t.case.arguments) else None for t in ran]
        if not all(type(value) in (str, bool, int) for value in values):
            continue
        failed = {value for value, t in zip(values, ran, strict=True) if not t.passed}
        passed = {value for value, t in zip(values, ran, strict=True) if t.passed}
        if len(failed) == 1 and passed and not failed & passed:
            value = next(iter(failed))
            if type(value) is not int or value in (0, 1):
                return f"it fails where {name} is {value!r}, and only there"
    return ""
