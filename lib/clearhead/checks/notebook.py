"""The functions that a student calls: check, hint, score, report and ready."""

import functools
import os
import secrets
from numbers import Integral

import numpy as np

from ..errors import UserError
from . import display, feedback, progress, registry
from .diagnosis import diagnose
from .display import print_text, split_lines, wrapped
from .introspection import parameter_names, takes_arguments
from .plain_data import cut
from .report import write_report


class CheckFailed(AssertionError):
    """The error that is raised under CLEARHEAD_STRICT=1 if a check fails or a call is refused."""

    def _render_traceback_(self):
        """Return the lines of the message, which IPython shows instead of a traceback."""
        return split_lines(wrapped(str(self)))


def _strict():
    """Return True if a failed check must raise an error, as CLEARHEAD_STRICT demands."""
    return os.environ.get("CLEARHEAD_STRICT", "") not in ("", "0")


def _errors_as_sentences(function):
    """Return a function that prints each error as a sentence, or raises it in strict mode."""

    @functools.wraps(function)
    def spoken(*arguments, **named):
        try:
            return function(*arguments, **named)
        except CheckFailed:
            raise
        except KeyboardInterrupt:
            print_text("Stopped.")
        except UserError as error:
            _refuse(str(error))
        except Exception as error:
            _refuse(
                f"The check itself failed ({type(error).__name__}: {error}). This is our fault, not yours: "
                "please report this message."
            )

    return spoken


def _refuse(sentence):
    """Print a sentence, or raise it as CheckFailed in strict mode."""
    if _strict():
        raise CheckFailed(sentence)
    print_text(sentence)


@_errors_as_sentences
def check(id, answer, seed=None):
    """Try an answer on fresh inputs, and print which cases pass and what to fix first.

    Parameters
    ----------
    id : str
        The exercise, such as "05.attention_weights".
    answer : callable
        Your function, without parentheses.
    seed : () int, optional
        The seed of the inputs. With None, a new seed is drawn and printed.
    """
    if callable(id) and isinstance(answer, str):
        raise UserError(
            f"The id comes first, then the function: check({answer!r}, {getattr(id, '__name__', 'answer')})."
        )
    exercise = registry.exercise(id)
    _must_be_callable(exercise, answer)
    if seed is not None and (not isinstance(seed, Integral) or isinstance(seed, bool | np.bool_) or seed < 0):
        raise UserError(f"The seed must be a non-negative integer or None; got {cut(repr(seed), 60)}.")
    verdict = diagnose(exercise, answer, secrets.randbelow(10**6) if seed is None else int(seed))
    progress.record_verdict(verdict)
    if _strict() and not verdict.passed:
        raise CheckFailed(feedback.words(verdict))
    button = not verdict.passed and display.has_buttons()
    print_text(feedback.words(verdict, button))
    if button:
        display.show_hint_button(lambda: _next_hint(exercise))


def _must_be_callable(exercise, answer):
    """Raise UserError if the answer is not a function that accepts the exercise's arguments."""
    if callable(answer) and takes_arguments(exercise, answer):
        return
    name = exercise.answer_name
    if answer is None:
        raise UserError(
            f'{exercise.id} got None: run the cell that defines {name}, then check("{exercise.id}", {name}).'
        )
    if not callable(answer):
        what = (
            f"the string {cut(repr(answer), 40)}"
            if isinstance(answer, str)
            else f"a value of type {type(answer).__name__}"
        )
        raise UserError(
            f'{exercise.id} got {what}: pass the function itself, check("{exercise.id}", {name}).'
        )
    names = parameter_names(exercise)
    raise UserError(
        f"{exercise.id} calls {name}({', '.join(names)}), but your function does not accept "
        f"{len(names)} argument{'s' * (len(names) != 1)}."
    )


@_errors_as_sentences
def hint(id, n=None):
    """Print hint `n` of an exercise, or its next unread hint if `n` is None."""
    exercise = registry.exercise(id)
    count, read = len(exercise.hints), _hints_read(exercise.id)
    number = min(read + 1, count) if n is None else n
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= count:
        raise UserError(f"{id} has the hints 1 to {count}; you asked for {cut(repr(n), 40)}.")
    print_text(_read_hint(exercise, number))
    if n is None and read >= count:
        where = " The solution is on the page of this sheet." if exercise.recorded is None else ""
        print_text(f"That was the last hint.{where}")


def _hints_read(id):
    """Return how many hints of an exercise have been read."""
    return progress.records().get(id, progress.EMPTY_RECORD)["hints"]


def _read_hint(exercise, number):
    """Return a hint as a sentence, and record that it was read."""
    progress.record_hint(exercise.id, number)
    return f"Hint {number} of {len(exercise.hints)} for {exercise.id}: {exercise.hints[number - 1]}"


def _next_hint(exercise):
    """Return the next hint as a sentence, and whether it is the last one."""
    count = len(exercise.hints)
    number = min(_hints_read(exercise.id) + 1, count)
    return _read_hint(exercise, number), number == count


@_errors_as_sentences
def score(sheet=None):
    """Print the marks of a sheet, or those of all attempted sheets if none is given."""
    kept = progress.records()
    chosen = [registry.sheet(sheet)] if sheet is not None else _attempted_sheets(kept)
    for one in chosen:
        print_text(_table(one, kept))
    print_text(
        f"Progress stored in: {progress.storage_location()}"
        if chosen
        else "Nothing has been checked yet: first run a cell with check(...)."
    )


def _attempted_sheets(kept):
    """Return the sheets with at least one exercise that has a record."""
    return [registry.sheet(n) for n in registry.numbers() if any(id.startswith(f"{n}.") for id in kept)]


def _table(sheet, kept):
    """Return the marks of a sheet as text: a line for the sheet, and one for each of its exercises."""
    records = [kept.get(e.id, progress.EMPTY_RECORD) for e in sheet.exercises]
    width = max(len(e.id) for e in sheet.exercises)
    done = sum(r["passed"] for r in records)
    lines = [f"Sheet {sheet.number}, {sheet.title}: {done} of {len(records)} exercises done"]
    for e, r in zip(sheet.exercises, records, strict=True):
        mark = "✓" if r["passed"] else "✗" if r["attempts"] else "○"
        points = f"{r['points']} of {r['out_of']} points" if r["attempts"] else "not attempted"
        lines.append(
            f"  {mark} {e.id:<{width}}  {e.rating}  {points:<15} {r['hints']} of {len(e.hints)} hints read"
        )
    return "\n".join(lines)


@_errors_as_sentences
def ready(*ids):
    """Return whether all these exercises passed their last check in this session, and print which did not."""
    whole_ids = [registry.exercise(id).id for id in ids]
    missing = [id for id in whole_ids if not progress.passed_in_session(id)]
    kept = progress.records()
    before = [id for id in missing if kept.get(id, progress.EMPTY_RECORD)["passed"]]
    new = [id for id in missing if id not in before]
    if new:
        print_text(f"Not yet: {', '.join(new)} must pass first. Then run this cell again.")
    if before:
        print_text(f"{', '.join(before)} passed earlier, but not now: run the answer and check again.")
    return not missing


@_errors_as_sentences
def report(sheet=None, folder=".", name=""):
    """Write the marks of a sheet as a web page and as JSON, beside older reports, and print the two paths."""
    kept = progress.records()
    chosen = [registry.sheet(sheet)] if sheet is not None else _attempted_sheets(kept)
    if not chosen:
        raise UserError(
            "Nothing has been checked yet, so there is nothing to report: first run a cell with check(...)."
        )
    for one in chosen:
        print_text("Written: " + " and ".join(str(path) for path in write_report(one, kept, folder, name)))
