"""Calls of an answer with a time limit, which return only plain data, whatever the answer does."""

import copy
import functools
import importlib
import inspect
import io
import signal
import threading
import time
import warnings
import zlib
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass

import numpy as np

from ..errors import UserError
from .comparing import unchanged
from .error_explanations import explanation
from .introspection import parameter_names, student_line
from .plain_data import NotPlainData, plain

TIME_LIMIT = 5
WALL_CLOCK_FACTOR = 3  # on a busy machine, one CPU second may take this many seconds


class TimeLimitExceeded(BaseException):
    """The exception that stops an answer that takes too long, despite any `except Exception` in it."""

    def __str__(self):
        if package := self._importing():
            what = f"still importing {package} after {TIME_LIMIT} seconds"
            return f"{what}: import it in a separate cell before the function, and check again"
        return f"still running after {TIME_LIMIT} seconds: is there a loop that never ends?"

    def _importing(self):
        """Return the name of the package whose import was interrupted, or "" if none was."""
        step = self.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_name == "<module>":  # inside a function, only an import runs one
                return str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
            step = step.tb_next
        return ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call of an answer: its output or its error, and its side effects."""

    output: object = None  # plain data
    error: str = ""  # "ValueError: ...", "" where nothing was raised
    meaning: str = ""  # the explanation of the error in plain words, "" if there is none
    line: str = ""  # "line 3: return x @ y", the answer's own line that raised
    changed: tuple = ()  # names of the arguments that were written to
    printed: str = ""
    returned: str = ""  # a description of the output if it is not plain data
    given: tuple = ()  # the arguments after the call
    caught_error: str = ""  # the last error of the answer's that the exercise's driver caught, in words

    @property
    def error_name(self):
        """Return the exception's name, or "" if none was raised."""
        return self.error.partition(":")[0]


def import_needs(exercise):
    """Import the packages that an exercise needs before any time limit runs.

    An import that a time limit interrupted could not be repeated in the same process.
    """
    for package in exercise.needs:
        try:
            importlib.import_module(package)
        except ModuleNotFoundError as error:
            called = {"torch": "PyTorch"}.get(error.name, error.name)
            raise UserError(f"{exercise.id} needs {called}: pip install {error.name}") from None


def run_each(exercise, answer, cases):
    """Return the Outcomes of an answer in cases, in order, up to the first one that takes too long."""
    outcomes = []
    for case in cases:
        outcomes.append(run(exercise, answer, case.arguments))
        if outcomes[-1].error_name == "TimeLimitExceeded":
            break
    return outcomes


def run(exercise, answer, arguments, seconds=None):
    """Return the Outcome of calling the answer on a deep copy of the arguments.

    The call may take `seconds`, or `TIME_LIMIT` seconds if none are given.
    """
    import_needs(exercise)
    given = copy.deepcopy(arguments)
    printed, caught, written = io.StringIO(), [], []
    if exercise.driver is not None and inspect.isfunction(answer):
        answer = _observed(answer, caught, written)
    with _without_warnings(), redirect_stdout(printed):
        try:
            with time_limit(seconds or TIME_LIMIT):
                output = call(exercise, answer, given)
        except NotPlainData as what:  # raised by a driver that converted an output
            return Outcome(returned=str(what), printed=printed.getvalue())
        except (Exception, SystemExit, TimeLimitExceeded) as error:
            return Outcome(
                error=error_text(error),
                meaning=_meaning(error),
                line=student_line(error),
                printed=printed.getvalue(),
            )
        after = {"changed": tuple(written) or changed(exercise, arguments, given), "given": given}
        if caught:
            after |= {"caught_error": _error_message(caught[-1]), "line": student_line(caught[-1])}
        try:
            return Outcome(plain(output), **after, printed=printed.getvalue())
        except NotPlainData as what:
            return Outcome(returned=str(what), **after, printed=printed.getvalue())
        except Exception as error:  # an output whose own methods raise
            return Outcome(error=error_text(error), printed=printed.getvalue())


def call(exercise, answer, arguments):
    """Return an answer's output for arguments, computed with the exercise's driver and facts, if any."""
    driver, facts = exercise.driver, exercise.facts
    output = answer(*arguments) if driver is None else driver(answer, *arguments)
    return output if facts is None or output is None else facts(output, *arguments)


def _observed(answer, caught, written):
    """Return an answer that also records the errors that it raises and the arguments that it changes.

    This is needed with a driver, which may catch errors and calls the answer with arguments of its own. The
    errors are appended to `caught`, and the names of the changed arguments to `written`.
    """

    @functools.wraps(answer)
    def observed(*arguments, **named):
        before = [_checksum(each) for each in arguments]
        try:
            output = answer(*arguments, **named)
        except Exception as error:
            caught.append(error)
            raise
        after = [_checksum(each) for each in arguments]
        if after != before:
            names = [*inspect.signature(answer).parameters]
            for place in range(len(arguments)):
                name = names[place] if place < len(names) else f"argument {place + 1}"
                if name not in written and before[place] != after[place]:
                    written.append(name)
        return output

    return observed


def _checksum(value):
    """Return checksums that change when an array, or an array inside lists and dicts, is written to.

    Large contiguous arrays are not copied, since a driver may measure the memory of a call. Small arrays
    share one checksum, because models have many of them, and checksums are computed often.
    """
    parts, small, sums = [value], [], []
    for each in parts:
        kind = type(each)
        if kind is dict:
            parts += each.values()
        elif (kind is np.ndarray or issubclass(kind, np.ndarray)) and each.dtype.kind in "biuf":
            if each.nbytes <= 4096 and each.flags.c_contiguous:
                small += (each,)
                continue
            row = each if each.flags.c_contiguous else each.T if each.flags.f_contiguous else each.copy()
            sums += (zlib.crc32(row),)
        elif kind in (list, tuple) and not _CONTAINERS.isdisjoint(map(type, each)):
            parts += each
    return [*sums, zlib.crc32(b"".join(small))]


#: The types of which a list or tuple must contain one for its entries to be inspected.
_CONTAINERS = {np.ndarray, dict}


def _error_message(error):
    """Return an error as a check reports it: its type, and its explanation or its message."""
    message = error_text(error)
    meant = _meaning(error)
    return f"{message.partition(':')[0]}: {meant}" if meant else message


@contextmanager
def _without_warnings():
    """Silence warnings, and restore NumPy's error settings afterwards."""
    before = np.geterr()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        np.seterr(**before)


@contextmanager
def time_limit(seconds):
    """Raise TimeLimitExceeded in the block after the given CPU time, and then again every half second.

    An answer that waits instead of computing is stopped after `WALL_CLOCK_FACTOR` times as many seconds by
    the clock. A signal interrupts the answer, even while it sleeps. Where signals are not available, which is
    the case on Windows and outside the main thread, another thread interrupts it at its next line of Python.
    """
    begun, computed = time.monotonic(), time.process_time()

    def left():
        by_the_clock = WALL_CLOCK_FACTOR * seconds - (time.monotonic() - begun)
        return min(seconds - (time.process_time() - computed), by_the_clock)

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        with _second_thread(seconds, left):
            yield
        return

    def ring(number, frame):
        if (more := left()) > 0:
            signal.setitimer(signal.ITIMER_REAL, max(more, 0.01), 0.5)
        else:
            raise TimeLimitExceeded

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _second_thread(seconds, left):
    """Raise TimeLimitExceeded in this thread from a second one as soon as `left()` is not positive."""
    import ctypes  # Pyodide lacks it, but has signals

    here, over, rung = ctypes.c_ulong(threading.get_ident()), threading.Event(), []

    def interrupt():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(here, ctypes.py_object(TimeLimitExceeded))

    def ring():
        wait = seconds
        while not over.wait(wait):
            if (more := left()) > 0:
                wait = max(more, 0.01)
                continue
            wait = 0.5
            rung.append(True)
            interrupt()

    bell = threading.Thread(target=ring, daemon=True)
    bell.start()
    try:
        yield
    finally:
        over.set()
        bell.join()
        if rung:
            _receive(interrupt)


def _receive(interrupt):
    """Receive the interruption of this thread that may have been sent at the last moment.

    Withdrawing it (with NULL) would make the interpreter check for an interruption for ever. Everything would
    be slower, and in Python 3.11 a profiler or a debugger would hang at the next call of a function.
    """
    with suppress(TimeLimitExceeded):
        interrupt()
        while True:  # it is raised at once
            pass


def changed(exercise, before, after):
    """Return the names of the arguments that differ before and after a call."""
    found = []
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        try:
            if not unchanged(old, new):
                found.append([*parameter_names(exercise), *[f"argument {index + 1}"] * len(before)][index])
        except Exception:  # a function or a generator: nothing to compare
            continue
    return tuple(found)


def error_text(error):
    """Return "Type: message" in at most 500 characters, even if the message cannot be read."""
    try:
        message = str(error)
    except Exception:
        message = "(its message could not be read)"
    return f"{type(error).__name__}: {message}"[:500]


def _meaning(error):
    """Return the explanation of an error, or "" if there is none or it cannot be computed."""
    try:
        return explanation(error)
    except Exception:
        return ""
