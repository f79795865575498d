"""Say what all cases that failed have in common: seen in the numbers, never guessed."""

import numpy as np

from .comparing import same
from .introspection import parameter_names
from .items import items
from .plain_data import as_array, raised
from .relations import by_form, relation
from .sizes import nearly, sizes_of, sizes_told
from .traits import traits
from .where import in_part, places, truths
from .which import constant, which


def seen(verdict):
    """Return sentences about the wrong outputs of a verdict, all true of every one of them; or none."""
    tried = [*verdict.tried, *verdict.more]
    wrong = [each for each in tried if each.status == "wrong" and each.outcome.output is not None]
    wrong = [each for each in wrong if not raised(each.outcome.output)]  # an error is no output
    written_to = any(each.outcome.changed for each in wrong)  # then what came back may be right
    nothing = any(each.status == "wrong" and each.outcome.output is None for each in tried)
    about = _outputs(verdict.exercise, wrong) if wrong and not written_to and not nothing else []
    plain = any("every number" in sentence for sentence in about)  # a changed argument says the same
    found = [*about, "" if plain else verdict.right_for, verdict.unused]
    found += [constant(tried, len(verdict.tried)), which(parameter_names(verdict.exercise), tried)]
    return [sentence[:1].upper() + sentence[1:] + "." for sentence in found if sentence]


def _outputs(exercise, wrong):
    """Return sentences on what the outputs have to do with those expected."""
    pairs = [(tried.outcome.output, tried.expected) for tried in wrong]
    keys = _keys(pairs)
    if not keys:
        return [items(pairs) or _numbers(exercise, wrong, pairs)]
    alone = [key for key in keys if all(_same(got, want[key]) for got, want in pairs)]
    if alone:
        value = ("first", "second", "third", "fourth")[keys.index(alone[0])] if len(keys) < 5 else "one"
        return [f"you returned only the {value} of the {len(keys)} values that are asked for"]
    if any(_keys([pair]) is None or not _fits(*pair) for pair in pairs):
        return []
    moved = _exchanged(pairs, keys)
    return [moved] if moved else _results(exercise, wrong, keys)


def _results(exercise, wrong, keys):
    """Return sentences on several results: which are wrong, and what they have to do with those expected."""
    pairs = [(tried.outcome.output, tried.expected) for tried in wrong]
    bad = [key for key in keys if not all(_same(got[key], want[key]) for got, want in pairs)]
    if not bad:
        return []  # each is right to fewer digits than are asked for
    measured = isinstance(pairs[0][1], dict) and not all(np.ndim(want[k]) for _, want in pairs for k in keys)
    said = "" if len(bad) == len(keys) or measured else _only(bad)
    if len(bad) > 1 and all(isinstance(want[key], np.ndarray) for _, want in pairs for key in bad):
        every = [(got[key], want[key]) for got, want in pairs for key in bad]
        about = _numbers(exercise, [tried for tried in wrong for _ in bad], every)
        if about:
            return [
                f"{said}; in each of them, {about}" if said else f"in each of the {len(bad)} results, {about}"
            ]
    about = {key: _numbers(exercise, wrong, [(got[key], want[key]) for got, want in pairs]) for key in bad}
    if len(bad) == 1:
        return ["; there, ".join(filter(None, [said, about[bad[0]]]))]
    if said and len(set(about.values())) == 1:
        return ["; in each of them, ".join(filter(None, [said, *set(about.values())]))]
    return [said, *(f"in result[{key!r}], {words}" for key, words in about.items() if words)]


def _only(bad):
    """Return "only result[0] is wrong"."""
    *front, last = [f"result[{key!r}]" for key in bad]
    return f"only {', '.join(front)} and {last} are wrong" if front else f"only {last} is wrong"


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
        return type(got) is type(want) and isinstance(got, str | list) and same(got, want, 0)
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-6, atol=1e-6))


def _exchanged(pairs, keys):
    """Return the words for two results that stand in each other's place."""
    for n, one in enumerate(keys):
        for other in keys[n + 1 :]:
            right = all(_same(g[one], w[one]) for g, w in pairs)
            if not right and all(_same(g[one], w[other]) and _same(g[other], w[one]) for g, w in pairs):
                return f"result[{one!r}] and result[{other!r}] are swapped"
    return ""


def _numbers(exercise, wrong, pairs):
    """Return the words for a relation between arrays or numbers, or for where the wrong ones stand."""
    arrays = [(as_array(got), as_array(want)) for got, want in pairs]
    if any(a is None or a.dtype.kind not in "biuf" or not a.size for pair in arrays for a in pair):
        return ""
    tolerance = max(exercise.tolerance, 1e-9)
    if all(g.shape == w.shape and np.allclose(g, w, tolerance, tolerance, True) for g, w in arrays):
        return ""  # the numbers are right, and something else is not
    names = parameter_names(exercise)
    sizes = [sizes_of(names, tried.case.arguments) for tried in wrong]
    if any(want.dtype.kind == "b" for _, want in arrays):
        if any(got.dtype.kind != "b" for got, _ in arrays):
            return ""
        return truths(arrays) or by_form(arrays, sizes, tolerance) or places(arrays)
    given = [dict(zip(names, map(as_array, _plainly(t.case.arguments)), strict=False)) for t in wrong]
    given = [{n: a for n, a in each.items() if a is not None and a.dtype.kind in "biuf"} for each in given]
    with np.errstate(all="ignore"):
        found = relation(arrays, sizes, given, tolerance) or sizes_told(pairs, sizes) or places(arrays)
        if not found and all(got.shape == want.shape and want.ndim for got, want in arrays):
            several = len({tried.case.name for tried in wrong}) > 1  # one case alone has a trait by chance
            found = in_part(arrays, tolerance) or (traits(arrays) if several else "")
        return found or nearly(arrays)


def _plainly(arguments):
    """Return the arguments, those that are no arrays and no numbers as None."""
    return [x if isinstance(x, np.ndarray | int | float) else None for x in arguments]
