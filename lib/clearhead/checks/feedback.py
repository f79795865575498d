"""A verdict in words: what is wrong, the first case to fix, its numbers, all cases, and what to do next."""

import ast
import re
import reprlib

import numpy as np

from .comparing import HOLDS_INTEGERS
from .display import LINE_WIDTH, split_lines
from .explaining import explain
from .introspection import parameter_names, renamed_arguments
from .plain_data import cut, plain
from .slips_at_once import ORDINARY

SMALL, SHORT = 12, 8  # entries of an array that is printed as a table, and of one within a sentence
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_KEY = r"\[(?:'[^']*'|\"[^\"]*\"|\d+)\]"
PART = re.compile(rf"(?i)\bresult((?:{_KEY})+)")
PARTS = re.compile(rf"(?i)\bresult{_KEY}(?:, result{_KEY})* and result{_KEY}")
#: The beginning of a sentence that compares the cases that failed with those that passed.
OF_CASES = "Of the cases tried"
#: One value of several whose name is a plural: "only the weights after three steps is wrong".
ONE_OF_SEVERAL = re.compile(
    r"\b((?:[Oo]nly t|[Tt])he \w+s(?<!ss)(?<!is)(?<!us)(?<!as)\b[^:.]*?) is (?=wrong|right)"
)
#: The beginning of a message that says what is right, which holds only if this is the only mistake.
RIGHT_BUT = re.compile(r"^[^.]*?\b(?:is|are) right, but ")
#: Patterns of the words for one of several values, each with the words for several of these values.
PLURALS = {
    r"the (\w+) item of your result": "the {} items of your result",
    r"item (.+) of your result": "items {} of your result",
    r"the entry (.+) of your dict": "the entries {} of your dict",
    r"what the check measured as (.+)": "what the check measured as {}",
    r"the (\w+) value that you return": "the {} values that you return",
    r"the (\w+) value that you return \((.+)\)": "the {} values that you return ({})",
}


def words(verdict, button=False):
    """Return the verdict as plain text, without the line on how to get a hint if a button for hints follows.

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
    """Return the points of a verdict in words, such as "3 of 7 points"."""
    return f"{verdict.points} of {verdict.out_of} points"


def _count(verdict):
    """Return, in a list, the line that says how many cases pass."""
    right = sum(t.passed for t in verdict.tried)
    return [f"✗ {verdict.exercise.id}: {right} of {len(verdict.tried)} cases pass ({_points(verdict)})."]


def _cases(verdict):
    """Return a title and one line for each case, with a mark that shows whether it passed."""
    marks = {"passed": "✓", "skipped": "-", "not_attempted": "○"}
    return ["All cases:", *(f"  {marks.get(t.status, '✗')} {t.case.name}" for t in verdict.tried)]


def _first(verdict, first):
    """Return the lines about the first case to fix: the call, the problem, the line of code, and a remark."""
    exercise = verdict.exercise
    as_values = not _shown_arguments(verdict, first)
    call = f"{exercise.answer_name} was called with {_arguments_in_words(exercise, first.case, as_values)}."
    problem = (
        "This case still raises NotImplementedError." if first.status == "not_attempted" else first.problem
    )
    if verdict.certain or verdict.slips:  # the known mistake is the reason, not the dtype
        problem = problem.replace(f" ({HOLDS_INTEGERS})", "")
    problem = _capitalized(with_student_names(problem, exercise, verdict.names))
    lines = [f"Fix this first: {first.case.name}", f"  {call}", f"  {problem}"]
    if first.outcome.line:
        lines.append(f"  In your code, {first.outcome.line}")
    if first.case.about and first.status not in ("not_attempted", "timeout"):
        lines.append(f"  About this case: {first.case.about}")
    return lines


def _mistake(verdict):
    """Return the lines that name a known mistake, an ordinary slip, or two of them at once."""
    if verdict.slips:
        return _slips(verdict)
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


def _slips(verdict):
    """Return the lines about an ordinary slip, or about two mistakes at once."""
    known = [each.name for each in verdict.slips if each.name != ORDINARY]
    if verdict.one_unknown:
        which = f"the known mistake {known[0]}" if known else "an ordinary slip"
        first = f"Your answer makes two mistakes at once, and one of them is {which}:"
        last = "Repair this one first, and check again, because the other one is then easier to see."
        return [first, f"  {_alone(verdict.slips[0].message)}", f"  {last}"]
    if len(verdict.slips) == 1:
        return ["One ordinary slip explains everything that came back:", f"  {verdict.slips[0].message}"]
    both = " and ".join(known) if len(known) == 2 else f"{known[0]} and an ordinary slip"
    first = f"Your answer makes two mistakes at once, {both}:"
    return [first, *(f"  {n}. {_alone(each.message)}" for n, each in enumerate(verdict.slips, 1))]


def _alone(message):
    """Return a message without its claim that the rest is right, which is false if there are two mistakes."""
    return _capitalized(RIGHT_BUT.sub("", message))


def _explanations(verdict):
    """Return the lines that say what the failed cases have in common, unless a mistake is certain."""
    found = [] if verdict.certain or len(verdict.slips) == 2 else explain(verdict)
    raised = any(tried.status in ("error", "timeout", "skipped") for tried in verdict.tried)
    failed = [each for each in verdict.tried if (each.status == "wrong" if raised else not each.passed)]
    returned = "in which your answer returned a result"
    one, several = "In the case that failed:", "In all cases that failed:"
    if raised:
        one, several = f"In the only failed case {returned}:", f"In all failed cases {returned}:"
    where = one if len(failed) == 1 else several
    sentences = [_capitalized(with_student_names(each, verdict.exercise, verdict.names)) for each in found]
    of_cases = [sentence for sentence in sentences if sentence.startswith(OF_CASES)]
    of_each = [f"  {sentence}" for sentence in sentences if sentence not in of_cases]
    return [*([where, *of_each] if of_each else []), *of_cases]


def _capitalized(sentence):
    """Return a sentence with its first letter in upper case."""
    return sentence[:1].upper() + sentence[1:]


def _numbers(verdict, first):
    """Return the lines that show small arguments, and small expected and returned arrays of one shape."""
    got, expected = first.outcome.output, first.expected
    results = [("expected", expected), ("got", got)] if _comparable(first) else []
    shown = [*_shown_arguments(verdict, first), *results]
    width = max((len(name) for name, _ in shown), default=0)
    return [line for name, value in shown for line in _array(name, value, max(width, 9))]


def _comparable(first):
    """Return True if the first failed case has two small arrays of one shape, expected and returned."""
    got, expected = first.outcome.output, first.expected
    return first.status == "wrong" and _small(expected) and _small(got) and got.shape == expected.shape


def _shown_arguments(verdict, first):
    """Return the pairs (name, array) of arguments that are printed as tables below the first case.

    They are printed beside small arrays and, if one of the arguments is a matrix, also beside other results,
    such as a number.
    """
    named = zip(parameter_names(verdict.exercise), first.case.arguments, strict=False)
    given = [(name, plain(value)) for name, value in named if getattr(value, "shape", ())]
    given = [pair for pair in given if pair[0] not in renamed_arguments(verdict.exercise)]
    other = first.status == "wrong" and not isinstance(first.expected, np.ndarray)
    matrices = any(isinstance(value, np.ndarray) and value.ndim > 1 for _, value in given)
    wanted = _comparable(first) or (other and matrices)
    return given if wanted and all(_small(value) for _, value in given) else []


def _small(value):
    """Return True for an array of at most two axes and twelve entries."""
    return isinstance(value, np.ndarray) and value.ndim <= 2 and value.size <= SMALL


def _array(name, array, width):
    """Return the lines of a small array, the first of which begins with its name: "  got       [[1. 2.]"."""
    ordinary = array.dtype.kind == "U" or bool(np.all(np.abs(np.nan_to_num(array * 1.0)) < 1e4))
    text = np.array2string(array, precision=4, suppress_small=ordinary, max_line_width=LINE_WIDTH - width - 3)
    return [f"  {name if i == 0 else '':<{width}} {line}" for i, line in enumerate(text.splitlines())]


def _printed(first, most=8):
    """Return a title and the first lines that the answer printed in the first failed case."""
    kept = [f"    {line[: LINE_WIDTH - 4]}" for line in split_lines(first.outcome.printed[:4000])]
    return ["Your function printed:", *kept[:most], *["    ..."] * (len(kept) > most)] if kept else []


def _footer(verdict, button):
    """Return the last lines, which say how to get a hint and how to repeat the check."""
    id, answer_name = verdict.exercise.id, verdict.exercise.answer_name
    again = [
        "To repeat this check with the same inputs:",
        f'  check("{id}", {answer_name}, seed={verdict.seed})',
    ]
    return again if button else [_hint(id), *again]


def _hint(id):
    """Return the line that says how to get a hint."""
    return f'Stuck? Run hint("{id}") in a new cell to see the next hint.'


def _arguments_in_words(exercise, case, as_values):
    """Return the arguments of a case with their names: "scores of shape (2, 3), axis = 0".

    With `as_values`, short vectors appear with their entries. An argument that the driver hands over in
    another form comes last, in the words of the exercise.
    """
    names = parameter_names(exercise)
    known, others = [], []
    for index, argument in enumerate(case.arguments):
        name = names[index] if index < len(names) else f"argument {index + 1}"
        shape = getattr(argument, "shape", None)
        entries = _entries(argument) if as_values or shape == () else ""
        value = entries or (f"of shape {tuple(shape)}" if shape is not None else _in_short(argument))
        if name in exercise.given:
            value = f"drawn from the seed {argument}" if type(argument) is int else value
            others += [f"with {words.format(value)}"] if (words := exercise.given[name]) else []
        else:
            known.append(f"{name} {'' if value.startswith('of shape ') else '= '}{value}")
    return ", and ".join(filter(None, [", ".join(known), *others])).removeprefix("with ")


def _entries(argument):
    """Return a short vector as "[0.5, 0.25]", an array without axes as "0.5", and anything else as ""."""
    shape = getattr(argument, "shape", None)
    array = plain(argument) if shape is not None else None
    if shape == ():
        number = array.item() if isinstance(array, np.ndarray) else array
        return f"{number:.6g}" if isinstance(number, float) else cut(repr(number), 80)
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.size > SHORT:
        return ""
    entries = (f"{each:.6g}" if isinstance(each, float) else repr(each) for each in array.tolist())
    return f"[{', '.join(entries)}]"


def _in_short(argument):
    """Return the representation of an argument, shortened to at most 80 characters."""
    for items in (80, 12, 8, 4, 2, 1):
        for depth in (6, 2, 1):
            text = _Short(items, depth).repr(argument)
            if len(text) <= 80:
                return text
    return cut(text, 80)


class _Short(reprlib.Repr):
    """A `reprlib.Repr` that shows an array only by its shape, and abbreviates long or deep containers.

    At most `items` items of a list or dict appear, and nested containers only down to the given depth.
    """

    def __init__(self, items, depth):
        super().__init__()
        self.maxdict = self.maxlist = self.maxtuple = items
        self.maxlevel, self.maxstring, self.maxother = depth, max(items, 40), 80

    def repr_ndarray(self, array, _level):
        """Return the shape of an array instead of its entries."""
        return f"array of shape {array.shape}"


def with_student_names(text, exercise, names=()):
    """Return a sentence with words such as "the first value that you return" for `result['h']`.

    Parameters
    ----------
    text : str
    exercise : Exercise
        Its `returns` says what the keys of its driver mean.
    names : tuple of str
        The names in the student's own `return`, if they are known.
    """
    text = PARTS.sub(lambda found: _named_together(PART.findall(found[0]), exercise, names), text)
    text = PART.sub(lambda found: _named(found[1], exercise, names), text)
    return ONE_OF_SEVERAL.sub(r"\1 are ", text)


def _named_together(paths, exercise, names):
    """Return words for several values: "the first and second values that you return (h and c)"."""
    words = [_named(path, exercise, names) for path in paths]
    for singular, plural in PLURALS.items():
        found = [re.fullmatch(singular, each) for each in words]
        if all(found):
            return plural.format(*map(_in_a_row, zip(*(each.groups() for each in found), strict=True)))
    return _in_a_row(words)


def _in_a_row(words):
    """Return words joined as in "a, b and c"."""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def _named(path, exercise, names):
    """Return the words for the value at a path such as "['h'][2]"."""
    first, *rest = [ast.literal_eval(f"[{each}]")[0] for each in re.findall(r"\[(.*?)\]", path)]
    inside = "".join(f"entry {each!r} of " for each in reversed(rest))
    return f"{inside}{_value(first, exercise, names)}"


def _value(key, exercise, names):
    """Return the words for one of several returned values, given its key or its index."""
    returns = exercise.returns
    if isinstance(returns, dict) and key in returns:
        return returns[key]
    index = returns.index(key) if isinstance(returns, tuple) and key in returns else key
    if isinstance(index, int) and index < len(ORDINALS) and (names or index != key):
        name = names[index] if index < len(names) and names[index] else "" if index == key else key
        return f"the {ORDINALS[index]} value that you return{f' ({name})' if name else ''}"
    if isinstance(index, int):
        counted = f"the {ORDINALS[index]} item" if index < len(ORDINALS) else f"item [{index}]"
        return f"{counted} of your result"
    measured = exercise.driver or exercise.facts
    return f"what the check measured as {key!r}" if measured else f"the entry {key!r} of your dict"
