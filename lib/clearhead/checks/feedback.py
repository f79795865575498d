"""Put a verdict into words: what is wrong, the first case to fix, its numbers, all cases, what to do next."""

import ast
import re
import reprlib
import textwrap

import numpy as np

from .comparing import HOLDS_INTEGERS
from .display import LINE_WIDTH, split_lines
from .explaining import explain
from .introspection import parameter_names
from .plain_data import plain

SMALL = 12
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_KEY = r"\[(?:'[^']*'|\"[^\"]*\"|\d+)\]"
PART = re.compile(rf"(?i)\bresult((?:{_KEY})+)")
PARTS = re.compile(rf"(?i)\bresult{_KEY}(?:, result{_KEY})* and result{_KEY}")
#: How a sentence begins that compares the cases that failed with those that passed.
OF_CASES = "Of the cases tried"
#: One value of several whose name is a plural: "only the weights after three steps is wrong".
ONE_OF_SEVERAL = re.compile(r"\b([Oo]nly the \w+s(?<!ss)(?<!is)(?<!us)\b[^:.]*?) is (?=wrong|right)")
#: How the words for one value of several become the words for several of them.
PLURALS = {
    r"item (.+) of your result": "items {} of your result",
    r"the entry (.+) of your dict": "the entries {} of your dict",
    r"what the check measured as (.+)": "what the check measured as {}",
    r"the (\w+) value that you return": "the {} values that you return",
    r"the (\w+) value that you return \((.+)\)": "the {} values that you return ({})",
}


def words(verdict, button=False):
    """Return the verdict as plain text; where a button for hints follows, no line explains how to get one.

    Like a tutor, it begins with what is wrong: the known mistake, or what all failed cases have in common.
    """
    id = verdict.exercise.id
    if verdict.passed:
        return f"✓ {id}: all {len(verdict.tried)} cases pass, {_points(verdict)} (seed {verdict.seed})."
    if not verdict.attempted:
        what = "Replace `raise NotImplementedError` with your answer, run that cell, then this one."
        return f"○ {id}: not attempted yet. {what}" + ("" if button else f"\n  {_hint(id)}")
    first = next(t for t in verdict.tried if not t.passed)
    mistake, explanations = _mistake(verdict), _explanations(verdict)
    headline = explanations if verdict.partly or not mistake else mistake
    details = [block for block in (mistake, explanations) if block is not headline]
    blocks = [_count(verdict), headline, _first(verdict, first), *details, _numbers(verdict, first)]
    blocks += [_printed(first), _cases(verdict), _footer(verdict, button)]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _points(verdict):
    """Return "3 of 7 points"."""
    return f"{verdict.points} of {verdict.out_of} points"


def _count(verdict):
    """Return the line that counts the cases."""
    right = sum(t.passed for t in verdict.tried)
    return [f"✗ {verdict.exercise.id}: {right} of {len(verdict.tried)} cases pass ({_points(verdict)})."]


def _cases(verdict):
    """Return one line per case, below a title."""
    marks = {"passed": "✓", "skipped": "-", "not_attempted": "○"}
    return ["All cases:", *(f"  {marks.get(t.status, '✗')} {t.case.name}" for t in verdict.tried)]


def _first(verdict, first):
    """Return the lines on the first case to fix: the call, what is wrong, the line of code, what to check."""
    exercise, verb = verdict.exercise, "tried" if verdict.exercise.driver else "called"
    call = f"{exercise.answer_name} was {verb} with {_arguments_in_words(exercise, first.case)}"
    call += f": {exercise.given}." if exercise.given else "."
    problem = (
        "This case still raises NotImplementedError." if first.status == "not_attempted" else first.problem
    )
    if verdict.certain:  # the known mistake is the reason, not the dtype
        problem = problem.replace(f" ({HOLDS_INTEGERS})", "")
    problem = _capitalized(with_student_names(problem, exercise, verdict.names))
    lines = [f"Fix this first: {first.case.name}", f"  {call}", f"  {problem}"]
    if first.outcome.line:
        lines.append(f"  In your code, {first.outcome.line}")
    if first.case.about and first.status not in ("not_attempted", "timeout"):
        lines.append(f"  About this case: {first.case.about}")
    return lines


def _mistake(verdict):
    """Return the lines that name a known mistake."""
    if verdict.mistake is None:
        return []
    name = verdict.mistake.name
    if verdict.partly:
        introduction = f"In this case, your answer does the same as a known mistake, {name}:"
        return [introduction, f"  {verdict.mistake.message}", "  This does not explain all cases that fail."]
    sure = (
        f"This is a known mistake, {name}" if verdict.certain else f"This looks like a known mistake, {name}"
    )
    return [f"{sure}:", f"  {verdict.mistake.message}"]


def _explanations(verdict):
    """Return the lines on what all failed cases have in common, where no known mistake explains it."""
    found = [] if verdict.certain else explain(verdict)
    raised = any(tried.status in ("error", "timeout", "skipped") for tried in verdict.tried)
    where = "In all cases that returned a wrong result:" if raised else "In all cases that failed:"
    sentences = [_capitalized(with_student_names(each, verdict.exercise, verdict.names)) for each in found]
    of_cases = [sentence for sentence in sentences if sentence.startswith(OF_CASES)]
    of_each = [f"  {sentence}" for sentence in sentences if sentence not in of_cases]
    return [*([where, *of_each] if of_each else []), *of_cases]


def _capitalized(sentence):
    """Return a sentence that begins with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def _numbers(verdict, first):
    """Return the lines that show arguments, expected and returned arrays, if small and of one shape."""
    got, expected = first.outcome.output, first.expected
    if first.status != "wrong" or not (_small(expected) and _small(got)) or got.shape != expected.shape:
        return []
    named = zip(parameter_names(verdict.exercise), first.case.arguments, strict=False)
    given = [(name, plain(value)) for name, value in named if hasattr(value, "shape")]
    given = given if all(_small(value) for _, value in given) else []
    return [
        line for name, value in [*given, ("expected", expected), ("got", got)] for line in _array(name, value)
    ]


def _small(value):
    """Return True for an array that fits in a few lines."""
    return isinstance(value, np.ndarray) and value.ndim <= 2 and value.size <= SMALL


def _array(name, array):
    """Return a small array as lines that begin with its name: "  got       [[1. 2.]"."""
    ordinary = array.dtype.kind == "U" or bool(np.all(np.abs(np.nan_to_num(array * 1.0)) < 1e4))
    text = np.array2string(array, precision=4, suppress_small=ordinary, max_line_width=LINE_WIDTH - 12)
    return [f"  {name if i == 0 else '':<9} {line}" for i, line in enumerate(text.splitlines())]


def _printed(first, most=8):
    """Return the first lines of what the answer printed in that case."""
    kept = [f"    {line[: LINE_WIDTH - 4]}" for line in split_lines(first.outcome.printed[:4000])]
    return ["Your function printed:", *kept[:most], *["    ..."] * (len(kept) > most)] if kept else []


def _footer(verdict, button):
    """Return the lines that say what to do next."""
    id, answer_name = verdict.exercise.id, verdict.exercise.answer_name
    again = [
        "To repeat this check with the same inputs:",
        f'  check("{id}", {answer_name}, seed={verdict.seed})',
    ]
    return again if button else [_hint(id), *again]


def _hint(id):
    """Return the line that says how to get a hint."""
    return f'Stuck? Run hint("{id}") in a new cell to see the next hint.'


def _arguments_in_words(exercise, case):
    """Return the arguments of a case with their names: "scores of shape (2, 3), axis = 0"."""
    names = parameter_names(exercise)
    lines = []
    for index, argument in enumerate(case.arguments):
        name = names[index] if index < len(names) else f"argument {index + 1}"
        shape = getattr(argument, "shape", None)
        known_by = f"of shape {tuple(shape)}" if shape is not None else f"= {_in_short(argument)}"
        lines.append(f"{name} {known_by}")
    return ", ".join(lines)


def _in_short(argument):
    """Return the representation of an argument in at most 80 characters, cut between words."""
    text = _SHORT.repr(argument)
    return textwrap.shorten(text, 80, placeholder=" ...") if " " in text[:76] else f"{text:.80}"


class _Short(reprlib.Repr):
    """The representation of a value, in which an array appears only with its shape."""

    def __init__(self):
        super().__init__()
        self.maxlist = self.maxtuple = self.maxstring = self.maxother = 80

    def repr_ndarray(self, array, _level):
        """Return the shape instead of the numbers."""
        return f"array of shape {array.shape}"


_SHORT = _Short()


def with_student_names(text, exercise, names=()):
    """Return a sentence in which `result['h']` is "the first value that you return (h)".

    Parameters
    ----------
    text : str
    exercise : Exercise
        Its `returns` says what the keys mean that its driver chose.
    names : tuple of str
        The names in the student's own `return`, where they are known.
    """
    text = PARTS.sub(lambda found: _named_together(PART.findall(found[0]), exercise, names), text)
    text = PART.sub(lambda found: _named(found[1], exercise, names), text)
    return ONE_OF_SEVERAL.sub(r"\1 are ", text)


def _named_together(paths, exercise, names):
    """Return the words for several values: "the first and second values that you return (h and c)"."""
    words = [_named(path, exercise, names) for path in paths]
    for singular, plural in PLURALS.items():
        found = [re.fullmatch(singular, each) for each in words]
        if all(found):
            return plural.format(*map(_in_a_row, zip(*(each.groups() for each in found), strict=True)))
    return _in_a_row(words)


def _in_a_row(words):
    """Return "a, b and c"."""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def _named(path, exercise, names):
    """Return the words for a path such as "['h'][2]"."""
    first, *rest = [ast.literal_eval(f"[{each}]")[0] for each in re.findall(r"\[(.*?)\]", path)]
    inside = "".join(f"entry {each!r} of " for each in reversed(rest))
    return f"{inside}{_value(first, exercise, names)}"


def _value(key, exercise, names):
    """Return the words for one value of several, by its key or by its index."""
    returns = exercise.returns
    if isinstance(returns, dict) and key in returns:
        return returns[key]
    index = returns.index(key) if isinstance(returns, tuple) and key in returns else key
    if isinstance(index, int) and index < len(ORDINALS) and (names or index != key):
        name = names[index] if index < len(names) and names[index] else "" if index == key else key
        return f"the {ORDINALS[index]} value that you return{f' ({name})' if name else ''}"
    if isinstance(index, int):
        return f"item {index} of your result"
    measured = exercise.driver or exercise.facts
    return f"what the check measured as {key!r}" if measured else f"the entry {key!r} of your dict"
