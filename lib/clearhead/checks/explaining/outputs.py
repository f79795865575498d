"""Comparisons of the outputs of all wrong cases with the expected ones, for one output or for several."""

import re
from dataclasses import dataclass

import numpy as np

from ..comparing import same
from ..introspection import parameter_names
from ..plain_data import as_array
from .numbers import sizes_of

ORDINALS = ("first", "second", "third", "fourth")
#: The clause that says that only the first or last row, column or entry is wrong.
ONE_LINE = re.compile(r"(?:in each of them, )?only the (first|last) (\w+)( along axis \d+)? is wrong")


@dataclass(frozen=True)
class ComparedOutputs:
    """The returned and expected arrays of the wrong cases, with the sizes and arguments of those cases."""

    pairs: list  # of (got, expected), arrays
    outputs: list  # the same pairs as plain data
    sizes: list  # for each pair a dict from a name in words to a size of the arguments
    arguments: list  # for each pair a dict from the name of an argument to an array
    tolerance: float
    cases: int  # how many different cases they come from

    @property
    def of_one_shape(self):
        """Return True if each returned array has the expected shape and at least one axis."""
        return all(got.shape == want.shape and want.ndim for got, want in self.pairs)


def common_explanation(exercise, wrong, explainers):
    """Return clauses on how the outputs of all wrong cases are related to the expected ones.

    Parameters
    ----------
    exercise : Exercise
    wrong : list of CaseResult
        The cases that returned another output than the one expected.
    explainers : dict
        From a kind of output, "text", "booleans" or "numbers", to the functions that look for an explanation,
        in their order. One for text takes the pairs (got, expected), the others take a ComparedOutputs.
    """
    pairs = [(tried.outcome.output, tried.expected) for tried in wrong]
    keys = _keys(pairs)
    if not keys:
        return [_first(explainers["text"], pairs) or _of_arrays(exercise, wrong, pairs, explainers)]
    single = [key for key in keys if all(_same(got, want[key]) for got, want in pairs)]
    if single:
        which = f"the {ORDINALS[keys.index(single[0])]}" if len(keys) <= len(ORDINALS) else "one"
        return [f"you returned only {which} of the {len(keys)} required values"]
    if any(_keys([pair]) is None or not _fits(*pair) for pair in pairs):
        return []
    moved = _exchanged(pairs, keys)
    return [moved] if moved else _results(exercise, wrong, keys, explainers)


def _results(exercise, wrong, keys, explainers):
    """Return clauses on which of several results are wrong, and how they are related to the expected ones."""
    pairs = [(tried.outcome.output, tried.expected) for tried in wrong]
    bad = [key for key in keys if not all(_same(got[key], want[key]) for got, want in pairs)]
    if not bad:
        return []  # each is right, but to fewer digits than required
    measured = isinstance(pairs[0][1], dict) and not all(np.ndim(want[k]) for _, want in pairs for k in keys)
    subject = "" if len(bad) == len(keys) or measured else _only(bad, keys)
    together = _in_a_row(bad) if len(bad) < 4 else f"each of the {len(bad)} wrong results"
    if subject:
        together = "each of them" if subject.endswith("wrong") else "each of the others"
    if len(bad) > 1 and all(isinstance(want[key], np.ndarray) for _, want in pairs for key in bad):
        every = [(got[key], want[key]) for got, want in pairs for key in bad]
        about = _of_arrays(exercise, [tried for tried in wrong for _ in bad], every, explainers)
        if about:
            return [_joined(subject, _about(together, about))]
    values = {key: [(got[key], want[key]) for got, want in pairs] for key in bad}
    about = {key: _of_arrays(exercise, wrong, values[key], explainers) for key in bad}
    if len(bad) == 1 and subject:
        return [_joined(subject, about[bad[0]].replace(" of your result", "").replace("your result", "it"))]
    if subject and len(set(about.values())) == 1:
        return [_joined(subject, _about(together, about[bad[0]]))]
    return [subject, *(_about(_in_a_row(alike), words) for words, alike in _grouped(about))]


def _grouped(about):
    """Yield each clause with all keys to which it applies, or with one key at a time.

    A clause that begins with "your result" is about one key, and all other clauses may be about several.
    """
    for words in dict.fromkeys(about.values()):
        alike = [key for key in about if about[key] == words]
        for keys in [[key] for key in alike] if words.startswith("your result") else [alike]:
            yield words, keys


def _about(part, clause):
    """Turn a clause about a whole result into a clause about one part of it, or about each of several."""
    clause = clause.replace(" of your result", "").replace(" in your result ", " here ")
    if clause.startswith("your result"):
        each = "each of " if " and " in part else ""
        return each + part + clause.removeprefix("your result")
    return f"in {part}, {clause}" if clause else ""


def _joined(subject, clause):
    """Join two clauses, either of which may be empty: which results are wrong, and how."""
    if (found := ONE_LINE.fullmatch(clause)) and subject.endswith(" wrong"):
        end, noun, along = found.groups(default="")
        line = (f"{noun} 0" if end == "first" else f"the last {noun}") + along  # results count from 0, too
        if subject.endswith(" are wrong"):
            return f"{subject}, each only in {line}"
        return subject.replace("only ", f"only {line} of ", 1)
    return ": ".join(filter(None, [subject, clause]))


def _only(bad, keys):
    """Return a clause such as "only result[0] is wrong", or about the right results if these are fewer."""
    right = [key for key in keys if key not in bad]
    few, what = (right, "right") if len(right) < len(bad) else (bad, "wrong")
    return f"only {_in_a_row(few)} {'are' if len(few) > 1 else 'is'} {what}"


def _in_a_row(keys):
    """Return the keys of results in words, such as "result[0], result[1] and result[2]"."""
    *front, last = [f"result[{key!r}]" for key in keys]
    return f"{', '.join(front)} and {last}" if front else last


def _keys(pairs):
    """Return the keys or indices of several outputs if all cases agree on them, or None for one output."""
    wants = [want for _, want in pairs]
    if all(isinstance(want, dict) for want in wants):
        keys = [list(want) for want in wants]
    elif all(isinstance(want, list) and any(isinstance(item, np.ndarray) for item in want) for want in wants):
        keys = [list(range(len(want))) for want in wants]
    else:
        return None
    return keys[0] if all(each == keys[0] for each in keys) and len(keys[0]) > 1 else None


def _fits(got, want):
    """Return True if an output has as many results as the expected one, or the same keys."""
    if isinstance(want, dict):
        return isinstance(got, dict) and set(got) == set(want)
    return isinstance(got, list) and len(got) == len(want)


def _same(got, want):
    """Return True if two outputs are equal up to rounding."""
    one, other = as_array(got), as_array(want)
    if one is None or other is None:
        return type(got) is type(want) and isinstance(got, str | list) and same(got, want, 0)
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-6, atol=1e-6))


def _exchanged(pairs, keys):
    """Return the clause about two results that are swapped, or ""."""
    for n, one in enumerate(keys):
        for other in keys[n + 1 :]:
            right = all(_same(g[one], w[one]) for g, w in pairs)
            if not right and all(_same(g[one], w[other]) and _same(g[other], w[one]) for g, w in pairs):
                return f"result[{one!r}] and result[{other!r}] are swapped"
    return ""


def _of_arrays(exercise, wrong, pairs, explainers):
    """Return the first clause about arrays that is true of all pairs (got, expected), or ""."""
    arrays = [(as_array(got), as_array(want)) for got, want in pairs]
    if any(a is None or a.dtype.kind not in "biuf" or not a.size for pair in arrays for a in pair):
        return ""
    tolerance = max(exercise.tolerance, 1e-9)
    if all(g.shape == w.shape and np.allclose(g, w, tolerance, tolerance, True) for g, w in arrays):
        return ""  # the numbers are right, but something else is wrong
    booleans = any(want.dtype.kind == "b" for _, want in arrays)
    if booleans and any(got.dtype.kind != "b" for got, _ in arrays):
        return ""
    names = parameter_names(exercise)
    compared = ComparedOutputs(
        arrays,
        pairs,
        [sizes_of(names, tried.case.arguments) for tried in wrong],
        [_arrays_by_name(names, tried.case.arguments) for tried in wrong],
        tolerance,
        len({tried.case.name for tried in wrong}),
    )
    with np.errstate(all="ignore"):
        return _first(explainers["booleans" if booleans else "numbers"], compared)


def _first(explainers, compared):
    """Return the first clause that one of several explainers finds, or "" if none finds one."""
    return next(filter(None, (explainer(compared) for explainer in explainers)), "")


def _arrays_by_name(names, arguments):
    """Return a dict from the names of the numeric arguments to these arguments as arrays."""
    plain = [value if isinstance(value, np.ndarray | int | float) else None for value in arguments]
    named = zip(names, map(as_array, plain), strict=False)
    return {name: array for name, array in named if array is not None and array.dtype.kind in "biuf"}
