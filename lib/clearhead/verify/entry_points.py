"""The entry points that an adapter may name, with their cases, known mistakes and conventions.

`entry_points.toml` has one table for each of them. The reference of an entry point is that of an exercise, a
function of the library, or a few lines of Python in the table itself. The wrong answers and the conventions
are edits of the reference, as in the exercises (see `clearhead.checks.edits`).
"""

import ast
import inspect
import re
import textwrap
import tomllib
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from clearhead.checks import edits, from_text, registry
from clearhead.checks.exercise import Exercise, Mistake
from clearhead.checks.running import run
from clearhead.errors import UserError

from . import cases as own_cases

TABLE = Path(__file__).with_name("entry_points.toml")
_ARGUMENT = re.compile(r"(\w+)(?: \(([^)]*)\))?((?: \w+)*)")
KEYS = {
    "about",
    "causal",
    "conventions",
    "exercise",
    "first_of_several",
    "group",
    "inputs",
    "leave_out",
    "library",
    "names",
    "python",
    "removes_logits",
    "returns",
    "takes",
    "valid",
    "without_driver",
    "wrong",
}


@dataclass(frozen=True)
class Argument:
    """One argument of an entry point: its name, its axes (None if it is not an array), and its kind."""

    name: str
    axes: tuple | None
    kind: str  # "float", "int", "bool", or the name of another type
    written: tuple = ()  # the axes with "..." for any number of further ones

    def axes_of(self, array):
        """Return a name for each axis of an array, or None if the array does not fit this argument."""
        if self.axes is None:
            return None
        more = np.ndim(array) - len(self.axes)
        if more < 0 or (more and "..." not in self.written):
            return None
        further = [f"...{number}" for number in range(more)]
        written = [further if name == "..." else [name] for name in self.written]
        return tuple(name for names in written for name in names)


@dataclass(frozen=True)
class Reading:
    """An entry point under some of its conventions: an exercise whose reference follows them."""

    conventions: tuple  # of Edit; none for our own definition
    exercise: Exercise

    @property
    def names(self):
        """Return the names of the conventions."""
        return tuple(each.name for each in self.conventions)


@dataclass(frozen=True, eq=False)
class EntryPoint:
    """A function that an adapter may name, with its signature, cases, mistakes and conventions.

    Attributes
    ----------
    name, group, about : str
    takes, returns : str
        The arguments and the result, with axes, as they are listed.
    arguments, inputs : tuple of Argument
        The arguments of the function and those of the cases, which differ only if there is a driver.
    result_axes : tuple of str, optional
    exercise : Exercise
        Reference, cases and known mistakes.
    source : str
        The reference, to which all edits apply.
    conventions : tuple of Edit
    make : callable
        make(source) -> the function of that source.
    valid : str
        A Python expression that is true for a valid input.
    removes_logits : bool
        Whether some logits become minus infinity, for which some libraries use a large negative number.
    causal : tuple of str
        Arguments whose last row, that of the last key, may change only the last row of the result.
    """

    name: str
    group: str
    about: str
    takes: str
    returns: str
    arguments: tuple
    inputs: tuple
    result_axes: tuple | None
    exercise: Exercise
    source: str
    wrong: tuple
    conventions: tuple
    make: object
    valid: str
    removes_logits: bool
    causal: tuple = ()

    @cached_property
    def signature(self):
        """Return the signature of the reference, with the names of the arguments that adapters use."""
        return inspect.signature(self.exercise.reference)

    @property
    def call(self):
        """Return the signature as text, such as "softmax(z (...), axis int) -> weights (...)"."""
        return f"{self.name}({self.takes}) -> {self.returns}"

    def axes(self, name):
        """Return the axes of an argument, or None if it is not an array."""
        return next((each.axes for each in self.arguments if each.name == name), None)

    def is_mask(self, name):
        """Return True for an argument that is an attention mask."""
        return any(each.name == name and each.kind == "mask" for each in self.arguments)

    def with_equal_axes(self, equal):
        """Return the entry point with cases in which the given axes all have the same size.

        This size is the smallest size of these axes in the case. A case is left out if the reference raises
        an error for this size.
        """

        def cases(rng):
            cut = [self._cut(case, equal) for case in self.exercise.cases(rng)]
            return [case for case in cut if not _fails(self.exercise, case)]

        return replace(self, exercise=replace(self.exercise, cases=cases))

    def _cut(self, case, equal):
        """Return a case whose arrays are cut to the smallest size along the axes that have to be equal."""
        pairs = list(zip(case.arguments, self.inputs, strict=False))
        sizes = [
            size
            for value, each in pairs
            for axis, size in zip(each.axes_of(value) or (), np.shape(value), strict=False)
            if axis in equal
        ]
        arguments = list(case.arguments)
        for place, (value, each) in enumerate(pairs):
            axes = each.axes_of(value) or ()
            if set(axes) & set(equal):
                arguments[place] = value[tuple(slice(min(sizes) if a in equal else None) for a in axes)]
        return replace(case, arguments=tuple(arguments), expected=None, properties=())

    def is_valid(self, inputs):
        """Return True if arguments, in the order of the inputs, are a valid input of the entry point."""
        names = {each.name: value for each, value in zip(self.inputs, inputs, strict=False)}
        with np.errstate(all="ignore"):
            return bool(eval(self.valid, {"np": np, **names}))

    @cached_property
    def readings(self):
        """Return the Readings with no convention, then with one convention, then with two."""
        some = [pair for count in (0, 1, 2) for pair in combinations(self.conventions, count)]
        return [each for each in map(self._reading, some) if each is not None]

    def _reading(self, conventions):
        """Return the Reading under some conventions, or None if their edits exclude each other."""
        if not conventions:
            return Reading((), self.exercise)
        source = self.source
        for convention in conventions:
            source = _followed(source, convention)
            if source is None:
                return None
        mistakes = []
        for wrong in self.wrong:
            changed = _mistaken(wrong, conventions, source)
            if changed:
                mistakes.append(Mistake(wrong.name, self.make(changed), wrong.message))
        exercise = replace(
            self.exercise,
            reference=self.make(source),
            mistakes=tuple(mistakes),
            cases=lambda rng: [
                replace(case, expected=None, properties=()) for case in self.exercise.cases(rng)
            ],
        )
        return Reading(tuple(conventions), exercise)


def _fails(exercise, case):
    """Return True if the reference raises an error in a case."""
    return bool(run(exercise, exercise.reference, case.arguments).error)


def _mistaken(wrong, conventions, source):
    """Return the source of a mistake under some conventions, or None if the edits exclude each other.

    The edits of the conventions are applied to the source with the mistake. If they do not apply, because
    both change the same expression, the mistake is made in the source that follows the conventions.
    """
    if not wrong.changes:
        return None
    changed = wrong.source
    for convention in conventions:
        changed = _followed(changed, convention) if changed else None
    return changed or _followed(source, wrong)


def _followed(source, convention):
    """Return a source with the edits of a convention, or None if they do not apply to it."""
    if not convention.changes:
        return convention.source
    for old, new in convention.changes:
        if old not in source:
            return None
        source = source.replace(old, new)
    return source


@cache
def entry_points():
    """Return a dict from the name of each entry point to its EntryPoint, in the order of the table."""
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: _entry_point(name, table) for name, table in tables.items()}


def _entry_point(name, table):
    """Return the EntryPoint of one table."""
    if unknown := set(table) - KEYS:
        raise UserError(f"{TABLE.name}, {name}: there is no key {min(unknown)!r}.")
    source, make, base = _reference(name, table)
    wrong = [*(base.text.wrong if base else ()), *edits.parse(table.get("wrong", ""), source)]
    takes, returns = table["takes"], table["returns"]
    inputs = _arguments(table.get("inputs", takes))
    leave_out, drawn = table.get("leave_out", []), base.cases if base else None
    extra = getattr(own_cases, name, None)

    def cases(rng):
        found = list(drawn(rng)) if drawn else []
        found = [case for case in found if not any(re.search(words, case.name) for words in leave_out)]
        if table.get("without_driver"):
            found = [_without_driver(case) for case in found]
        return [_cast(case, inputs) for case in found + (list(extra(rng)) if extra else [])]

    exercise = Exercise(
        id=f"verify.{name}",
        title=table["about"],
        reference=_library(table["library"]) if "library" in table else make(source),
        cases=cases,
        hints=(),
        mistakes=tuple(Mistake(each.name, make(each.source), each.message) for each in wrong),
        alternatives=base.alternatives if base else (),
        stars=1,
        minutes=1,
        tolerance=base.tolerance if base else 1e-6,
        driver=base.driver if base and not table.get("without_driver") else None,
        facts=_first_of_several if table.get("first_of_several") else base and base.facts,
        returns=base.returns if base else (),
        given=base.given if base and not table.get("without_driver") else {},
    )
    return EntryPoint(
        name=name,
        group=table["group"],
        about=table["about"],
        takes=takes,
        returns=returns,
        arguments=_arguments(takes),
        inputs=inputs,
        result_axes=_arguments(returns)[0].axes if _is_one_array(returns) else None,
        exercise=exercise,
        source=source,
        wrong=tuple(wrong),
        conventions=tuple(edits.parse(table.get("conventions", ""), source)),
        make=make,
        valid=table.get("valid", "True"),
        removes_logits=table.get("removes_logits", False),
        causal=tuple(table.get("causal", ())),
    )


def _first_of_several(output, *arguments):
    """Return the first of several outputs, or the output itself if there is only one.

    A function may, for example, return the attention weights in addition to its result.
    """
    return output[0] if isinstance(output, tuple | list) else output


def _without_driver(case):
    """Return a case without results that only a driver reports, such as the memory of a call."""
    expected = case.expected.get("Z") if isinstance(case.expected, dict) else case.expected
    return replace(case, expected=expected, properties=())


def _reference(name, table):
    """Return the source of the reference, a maker of functions from sources, and the exercise or None."""
    if "exercise" in table:
        base = registry.exercise(table["exercise"])
        return base.text.steps, _maker(from_text.namespace(base), base.answer_name), base
    if "library" in table:
        function = inspect.unwrap(_library(table["library"]))
        names = (
            "from importlib import import_module\n"
            f"globals().update(vars(import_module({function.__module__!r})))\n"
        )
        source, called = _without_docstring(inspect.getsource(function)), function.__name__
    else:
        names, source, called = table.get("names", ""), table["python"], name
    text = SimpleNamespace(builds_on=(), given=(), names=names)
    return source, _maker(from_text.Namespace(text, TABLE), called), None


def _maker(namespace, called):
    """Return a function that makes from a source the function that is named `called`."""
    return lambda source: namespace.answer(called, source)


def _library(path):
    """Return the function at a path such as "maths.layers.rms_norm"."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"clearhead.{module}"), name)


def _without_docstring(source):
    """Return the source of a function without its decorators and its docstring."""
    lines = textwrap.dedent(source).splitlines()
    function = ast.parse("\n".join(lines)).body[0]
    docstring = function.body[0]
    kept = lines[function.lineno - 1 : docstring.lineno - 1] + lines[docstring.end_lineno :]
    return "\n".join(kept) + "\n"


def _arguments(text):
    """Return the Arguments that a list such as "Q (T, d), k int" describes."""
    found = []
    for name, axes, kind in _ARGUMENT.findall(text):
        has_axes = f"{name} (" in text
        written = tuple(re.findall(r"[\w·/+-]+|\.\.\.", axes))
        known = tuple(axis for axis in written if axis != "...")
        kind = kind.strip() or ("float" if has_axes else "")
        is_array = has_axes and kind in ("float", "int", "bool", "mask")
        found.append(Argument(name, known if is_array else None, kind, written))
    return tuple(found)


def _is_one_array(returns):
    return len(_arguments(returns)) == 1 and _arguments(returns)[0].axes is not None


def _cast(case, inputs):
    """Return a case whose arguments have the kinds that the table names, such as floats for integers.

    This is needed because some functions of PyTorch do not accept integers.
    """
    arguments = list(case.arguments)
    for place, (value, argument) in enumerate(zip(arguments, inputs, strict=False)):
        if argument.kind == "float" and isinstance(value, np.ndarray) and value.dtype.kind in "iub":
            arguments[place] = value.astype(float)
        elif argument.kind == "float" and type(value) is int:
            arguments[place] = float(value)
        elif isinstance(value, np.generic):
            arguments[place] = value.item()
    return replace(case, arguments=tuple(arguments))
