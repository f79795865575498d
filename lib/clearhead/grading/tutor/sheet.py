"""The tutor's answers about the exercises of one sheet, in sentences for the student."""

import ast
import builtins
import hashlib
import re
from pathlib import Path

import numpy as np

from clearhead.checks import progress, registry
from clearhead.checks.comparing import difference
from clearhead.checks.error_explanations import explanation
from clearhead.checks.explaining import explain
from clearhead.checks.feedback import with_student_names
from clearhead.checks.introspection import parameter_names
from clearhead.checks.plain_data import is_error_text, plain
from clearhead.errors import UserError

from ..collect.answers import answers_of
from ..collect.untrusted_text import one_line
from ..gradebook.policy import TutorPolicy
from ..write.feedback import read_again
from . import trying
from .withheld import statement, without_answer

MOST_CODE = 64_000  # letters of code that are tried at once
EXAMPLE_SEED = 0  # the cases worked by hand are the same for every seed
LARGEST_EXAMPLE = 40  # entries of an array that is shown
_CHECK = re.compile(r"check\(\s*[\"'](\d\d)\.\w+[\"']")
_LINE_NUMBER = re.compile(r"line (\d{1,4})\b")
_HOLDS = "This should hold, but does not: "
NEVER_RAN = {
    "missing": "The notebook does not define `{name}`, or the cell that defines it ended in an error. "
    "Run that cell in your notebook, read its error, and save the notebook.",
    "timeout": "Your function took too long, so it was stopped. Is there a loop that never ends?",
    "memory": "Your function needed too much memory, so it was stopped. Which array is "
    "larger than you think?",
    "crashed": "Your code ended its own process, so its result could not be read.",
    "unreadable": "The notebook cannot be read. Is it saved, and is it a Jupyter notebook?",
    "skipped": "This case was skipped, because an earlier one ended the process.",
    "not_attempted": "Your function still raises NotImplementedError here.",
}


def sheet_of(raw, name):
    """Return the number of the sheet to which a notebook belongs.

    Raises
    ------
    UserError
        If the notebook does not check any exercise of a known sheet.
    """
    found = _CHECK.findall(raw.decode("utf-8", "replace").replace('\\"', '"'))
    known = [number for number in found if number in registry.numbers()]
    if not known:
        raise UserError(
            f"{name} contains no check of an exercise, so it is no sheet of this book. Give the "
            "notebook of a "
            "sheet, such as exercises/05_attention.ipynb."
        )
    return max(sorted(set(known)), key=known.count)


class Tutor:
    """A tutor for the exercises of one sheet, whose notebook lies on this machine.

    Parameters
    ----------
    notebook : str or Path
    log : clearhead.grading.tutor.log.Log
        The log in which each answer is recorded, and which holds the entries of earlier sessions.
    policy : TutorPolicy, optional
    isolated : bool
        Whether the student's code runs in a sandbox that isolates it.
    closed : str
        Why no code can be run on this machine, or "" if it can be run.
    """

    def __init__(self, notebook, log, policy=None, isolated=True, closed=""):
        self.notebook, self.log, self.policy = Path(notebook), log, policy or TutorPolicy()
        self.isolated, self.closed = isolated, closed
        self.sheet = registry.sheet(sheet_of(trying.read_notebook(self.notebook), self.notebook.name))
        self.last = {}  # from the id of an exercise to its last verdict, in this session

    # what is asked for -------------------------------------------------------------------------------------

    def exercises(self):
        """Return a list of the exercises of the sheet as a string, each with its state."""
        lines = [f"Sheet {self.sheet.number}, {self.sheet.title}, has {len(self.sheet.exercises)} exercises."]
        for exercise in self.sheet.exercises:
            lines.append(
                f"- {exercise.id}: “{exercise.title}”, difficulty {exercise.stars} of 3, about "
                f"{exercise.minutes} minutes. {self._state(exercise)}"
            )
        lines.append(f"What you ask here is kept only on this machine, in {self.log.path}.")
        return self._answered("list_exercises", None, "\n".join(lines))

    def statement(self, name):
        """Return the statement of an exercise, as the notebook shows it."""
        exercise = self._exercise(name)
        parts = [
            text if kind == "markdown" else f"```python\n{text}\n```" for kind, text in statement(exercise)
        ]
        return self._answered(
            "get_statement", exercise, f"{exercise.id}: {exercise.title}\n\n" + "\n\n".join(parts)
        )

    def check(self, name, code=""):
        """Return what the check found in the student's answer, which is in the notebook or in `code`."""
        exercise = self._exercise(name)
        if self.closed:
            raise UserError(self.closed)
        if len(code) > MOST_CODE:
            raise UserError(
                f"The code has more than {MOST_CODE} letters. Give only the function {exercise.answer_name}."
            )
        raw = trying.read_notebook(self.notebook)
        raw = trying.with_code(raw, code) if code.strip() else raw
        verdict = trying.try_answer(exercise, raw, self.isolated)
        self.last[exercise.id] = verdict
        entry = {"passed": verdict.passed, "code": code}
        if _attempted(verdict):
            entry["attempt"] = _fingerprint(raw, code, exercise)
        tries = self.log.tries(exercise.id) + self._is_new(exercise, entry)
        text = "\n".join(self._of_verdict(exercise, verdict, tries))
        return self._answered("check_answer", exercise, without_answer(exercise, text), **entry)

    def hint(self, name):
        """Return the next hint that the policy allows, but never the last one, which is nearly the answer."""
        exercise = self._exercise(name)
        after = self.policy.rule(exercise.id).hints_after
        served = _hints(exercise)[: len(after)]
        tries, number = self.log.tries(exercise.id), self.log.hints(exercise.id)
        if not served:
            return self._answered(
                "get_hint", exercise, self._no_hint(exercise, "There are no hints here for")
            )
        if number < len(served) and tries >= after[number]:
            number += 1
            progress.record_hint(exercise.id, served[number - 1][0])
        elif number < len(served):
            needed = after[number] - tries
            more = f"{needed} more different attempt{'s' * (needed > 1)}"
            said = (
                f"The next hint for {exercise.id} is given after {more}: change your answer, and check "
                "it again."
            )
            again = f" The hint so far was: {served[number - 1][1]}" if number else ""
            return self._answered("get_hint", exercise, said + again)
        elif number >= len(served):
            number, said = (
                len(served),
                self._no_hint(exercise, "These were all hints that the tutor gives for"),
            )
            return self._answered(
                "get_hint", exercise, f"{said} The last one was: {served[-1][1]}", hint=number
            )
        text = f"Hint {number} of {len(served)} for {exercise.id}: {served[number - 1][1]}"
        return self._answered("get_hint", exercise, text, hint=number)

    def section(self, name):
        """Return where the book explains what an exercise needs."""
        exercise = self._exercise(name)
        verdict = self.last.get(exercise.id)
        failed = [t.case.about for t in verdict.tried if not t.passed] if verdict else []
        where = read_again({"id": exercise.id, "cases": [{"hint": about} for about in failed]})["text"]
        said = f"Read {where}, before the next attempt."
        if exercise.text.builds_on:
            said += f" This exercise builds on {_in_words(exercise.text.builds_on)}, which you wrote before."
        return self._answered("get_section", exercise, said)

    def example(self, name):
        """Return a small example worked by hand, with its result, which the public check shows as well."""
        exercise = self._exercise(name)
        shown = examples(exercise)[: self.policy.rule(exercise.id).examples]
        if not shown:
            said = (
                f"There is no example to show for {exercise.id}. Make one yourself: choose the "
                "smallest input "
                "that is not trivial, and work out its result on paper."
            )
            return self._answered("get_example", exercise, said)
        lines = ["Work this out on paper first, and compare only then with the result below."]
        for case in shown:
            lines += ["", f"Example: {case.name}.", *_arguments(exercise, case)]
            lines += _value("expected result", plain(case.expected))
        return self._answered("get_example", exercise, "\n".join(lines))

    def question(self, name):
        """Return a question about the student's own attempt that leads to the next step."""
        exercise = self._exercise(name)
        return self._answered("get_question", exercise, without_answer(exercise, self._question(exercise)))

    # how it is answered ------------------------------------------------------------------------------------

    def _exercise(self, name):
        """Return the exercise with this id or function name; raise UserError if the sheet has none."""
        for exercise in self.sheet.exercises:
            if name in (exercise.id, exercise.answer_name):
                return exercise
        ids = ", ".join(exercise.id for exercise in self.sheet.exercises)
        raise UserError(
            f"“{one_line(name, 40)}” is no exercise of this sheet. The tutor helps only with sheet "
            f"{self.sheet.number}, whose exercises are {ids}."
        )

    def _answered(self, tool, exercise, text, **entry):
        """Record an answer in the log, and return it."""
        self.log.add(tool=tool, exercise=exercise.id if exercise else None, said=text, **entry)
        return text

    def _is_new(self, exercise, entry):
        """Return True if an attempt has not been checked before."""
        known = {each.get("attempt") for each in self.log.entries if each.get("exercise") == exercise.id}
        return "attempt" in entry and entry["attempt"] not in known

    def _state(self, exercise):
        """Return the state of an exercise as a sentence."""
        tries, hints = self.log.tries(exercise.id), self.log.hints(exercise.id)
        if self.log.passed(exercise.id):
            return "Your answer passed its last check."
        if not tries:
            return "The tutor has not seen an attempt yet."
        return (
            f"Your last check did not pass, after {tries} different attempt{'s' * (tries > 1)} and "
            f"{hints} hint{'s' * (hints != 1)}."
        )

    def _no_hint(self, exercise, begin):
        return (
            f"{begin} {exercise.id}. Read the section of the book, or ask your instructor about "
            "your own attempt."
        )

    def _of_verdict(self, exercise, verdict, tries):
        """Return the lines on a verdict: how many cases pass, the cause, what to fix first, and all cases."""
        count = len(verdict.tried)
        if verdict.passed:
            return [
                f"{exercise.id}: your answer passes all {count} cases.",
                "To get its marks, run the check in your notebook, since the tutor gives none.",
            ]
        if not _attempted(verdict):
            return [f"{exercise.id}: {NEVER_RAN[_first(verdict).status].format(name=exercise.answer_name)}"]
        lines = [f"{exercise.id}: {sum(t.passed for t in verdict.tried)} of {count} cases pass."]
        lines += self._cause(exercise, verdict, tries)
        first = _first(verdict)
        lines += [f"The first case to fix is “{first.case.name}”. {self._problem(exercise, first)}"]
        if first.status in ("wrong", "error") and first.case.about:
            lines.append(f"About this case: {without_answer(exercise, first.case.about)}")
        lines.append("The cases, in order:")
        lines += [f"- {t.case.name}: {'passes' if t.passed else 'does not pass'}" for t in verdict.tried]
        return lines

    def _cause(self, exercise, verdict, tries):
        """Return the lines that name a known mistake, or else what all wrong results have in common."""
        mistake = verdict.mistake
        if mistake and tries >= self.policy.rule(exercise.id).mistake_after:
            message = without_answer(exercise, mistake.message)
            sure = "This is a known mistake" if verdict.certain else "This looks like a known mistake"
            if verdict.partly:
                sure = "In the first of these cases, this is a known mistake"
            return [f"{sure}, `{mistake.name}`. {message or _in_sentence(mistake.name)}"]
        if verdict.certain:
            return []
        found = [with_student_names(each, exercise) for each in explain(verdict)]
        said = [each for each in map(lambda each: without_answer(exercise, each), found) if each]
        return [f"In all cases that failed: {' '.join(said)}"] if said else []

    def _problem(self, exercise, tried):
        """Return what is wrong in a case, without expected values or words of the student's process."""
        if tried.status in NEVER_RAN:
            return NEVER_RAN[tried.status].format(name=exercise.answer_name)
        if tried.status == "error":
            return _error(tried.outcome)
        if tried.problem.startswith(_HOLDS):
            broken = tried.problem.removeprefix(_HOLDS).partition(". ")[0].rstrip(".")
            return f"For its result the following should hold, but does not: {broken}."
        if tried.outcome.changed:
            return f"Your function changes {_changed(exercise, tried)}. Work on a copy."
        if tried.outcome.returned:
            return (
                "Your function returned something else than numbers, strings, arrays, or lists and "
                "dicts of them."
            )
        got = tried.outcome.output
        if got is None and tried.expected is not None:
            return "Your function returned None. Is a `return` missing?"
        if is_error_text(tried.expected):
            return "Your function should refuse these inputs with an error, but returned a result."
        found = difference(got, tried.expected, exercise.tolerance)
        if found is not None and found.kind == "structure":
            return f"Your function returned {_form(got)}, but {_form(tried.expected)} is expected."
        return "The result has the right shape, but at least one of its values is wrong."

    def _question(self, exercise):
        """Return a question that fits the last check of an exercise."""
        names = _in_words([f"`{name}`" for name in parameter_names(exercise) if name]) or "its inputs"
        verdict = self.last.get(exercise.id)
        if verdict is None or not _attempted(verdict):
            return (
                f"Before you write {exercise.answer_name}: which shape or type do {names} have, and "
                "which one "
                "should the result have? Say it for one small input."
            )
        if verdict.passed:
            return (
                "Your answer passes. Which input would be the hardest for it, and why does it still "
                "hold there? "
                f"Explain {exercise.answer_name} in two sentences to somebody who has not read the chapter."
            )
        first = _first(verdict)
        if first.status == "error":
            number = _line_number(first.outcome)
            where = f"line {number} of your cell" if number else "the line that raised the error"
            return (
                f"What are the shapes or types of all values in {where}, and which of them did you "
                "expect to differ?"
            )
        if verdict.mistake:
            return (
                "Which single line of your function decides what the check complains about? "
                "What does this line compute for the smallest input that you can think of?"
            )
        return (
            f"For the case “{first.case.name}”, what do you expect as the first entry of the "
            "result, and why? "
            "Compute it on paper, and compare it with what your function returns."
        )


# what is shown of values ------------------------------------------------------------------------------------


def examples(exercise):
    """Return the cases worked by hand that are small enough to be shown, but never all cases."""
    cases = exercise.cases(np.random.default_rng(EXAMPLE_SEED))
    if exercise.driver or exercise.facts:
        return []  # the arguments of a driver are not those of the student's function
    by_hand = [
        case
        for case in cases
        if case.expected is not None
        and _can_be_shown(plain_or_none(case.expected))
        and all(_can_be_shown(plain_or_none(argument)) for argument in case.arguments)
    ]
    return by_hand[: min(len(by_hand), len(cases) - 1)]


def plain_or_none(value):
    """Return a value as plain data, or None if this is impossible, as for a function."""
    try:
        return plain(value)
    except TypeError:
        return None


def _can_be_shown(value):
    """Return True if a value is plain data that fits into a few lines."""
    if isinstance(value, np.ndarray):
        return value.size <= LARGEST_EXAMPLE and value.ndim <= 3
    return value is not None and len(repr(value)) <= 400


def _arguments(exercise, case):
    """Return the lines that show the arguments of a case under their names."""
    names = parameter_names(exercise)
    lines = []
    for index, argument in enumerate(case.arguments):
        name = names[index] if index < len(names) else f"argument {index + 1}"
        lines += _value(name, plain(argument))
    return lines


def _value(name, value):
    """Return the lines that show a value, the first of which begins with its name."""
    if isinstance(value, np.ndarray):
        value = np.array2string(value, precision=4, suppress_small=True, max_line_width=88)
    elif isinstance(value, list | dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [line for key, item in items for line in _value(f"{name}[{key!r}]", item)]
    first, *rest = str(value).splitlines() or [""]
    return [f"  {name} = {first}", *(f"  {' ' * (len(name) + 3)}{line}" for line in rest)]


def _form(value):
    """Return the kind of a value without its entries, such as "an array of numbers of shape (2, 3)"."""
    if isinstance(value, np.ndarray):
        kind = {"b": "booleans", "U": "strings"}.get(value.dtype.kind, "numbers")
        return f"an array of {kind} of shape {value.shape}"
    if isinstance(value, list):
        if 0 < len(value) <= 4 and not any(isinstance(item, list | dict) for item in value):
            return f"{len(value)} values ({_in_words([_form(item) for item in value])})"
        return f"{len(value)} values"
    if isinstance(value, dict):
        return f"a dict with {len(value)} entries"
    names = {
        bool: "a boolean",
        int: "an integer",
        float: "a decimal number",
        str: "a string",
        type(None): "None",
    }
    return names[type(value)]


# what is read from the student's process --------------------------------------------------------------------


def _attempted(verdict):
    """Return True if a verdict is on an answer that ran, and not on a stub or a missing function."""
    return any(
        t.status in ("passed", "wrong", "error", "timeout", "memory", "crashed") for t in verdict.tried
    )


def _first(verdict):
    """Return the first case that did not pass; a skipped case is returned only if there is no other."""
    failed = [t for t in verdict.tried if not t.passed]
    return next((t for t in failed if t.status != "skipped"), failed[0])


def _changed(exercise, tried):
    """Return the words for the arguments that were changed, with only the names that the statement shows."""
    shown = "\n".join(text for _, text in statement(exercise))
    names = [f"`{n}`" for n in tried.outcome.changed if re.search(rf"\b{re.escape(n)}\b", shown)]
    return (
        f"{_in_words(names)}, which the caller still needs"
        if names
        else "an argument that the caller still needs"
    )


def _error(outcome):
    """Return a sentence about an error that the student's function raised.

    The message comes from the student's process, which can write anything into it, so it is only looked up in
    our own explanations, and never repeated.
    """
    kind = getattr(builtins, outcome.error_name, None)
    known = isinstance(kind, type) and issubclass(kind, Exception)
    number = _line_number(outcome)
    where = f" in line {number} of your cell" if number else ""
    said = f"Your function raised {'a ' + outcome.error_name if known else 'an error'}{where}."
    meaning = _meaning(kind, outcome.error.partition(": ")[2]) if known else ""
    return f"{said} {meaning}" if meaning else f"{said} Run it in your notebook to read the whole message."


def _meaning(kind, message):
    """Return our explanation of an error, or "" if there is none or it would repeat the message."""
    try:
        found = explanation(kind(message))
    except Exception:  # some errors are made of more than a message, and some rules read its line
        return ""
    if not found or message in found:
        return ""
    return f"{found[:1].upper()}{found[1:].rstrip('.')}."


def _line_number(outcome):
    """Return the number of the line that raised an error, or None if it is unknown."""
    found = _LINE_NUMBER.match(outcome.line)
    return int(found[1]) if found else None


def _fingerprint(raw, code, exercise):
    """Return a hash of an attempt that does not depend on its comments and spaces."""
    written = code if code.strip() else answers_of(raw, [exercise.answer_name]).get(exercise.answer_name, "")
    try:
        written = ast.dump(ast.parse(written))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        written = "".join(written.split())
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:16]


# words ------------------------------------------------------------------------------------------------------


def _hints(exercise):
    """Return the hints that may be shown, as pairs of their number and their text without the answer."""
    kept = [(n, without_answer(exercise, text)) for n, text in enumerate(exercise.hints[:-1], 1)]
    return [(n, text) for n, text in kept if text]


def _in_sentence(name):
    """Return the name of a mistake as a sentence."""
    return f"Your results are those of an answer with this slip: {name.replace('_', ' ')}."


def _in_words(names):
    """Return names as a list in words, such as "a, b and c"."""
    *front, last = names or [""]
    return f"{', '.join(front)} and {last}" if front else last
