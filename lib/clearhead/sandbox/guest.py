"""What runs in the sandbox: the student's cells, then each answer on each case. Nothing here is trusted.

From the first line of the student's on, this process can be made to say anything. So it says data, and the
grader outside, which knows what is right, compares.
"""

import contextlib
import inspect
import linecache
import os
import signal
import sys
import types

import numpy as np

from clearhead.checks import running
from clearhead.checks.exercise import Exercise
from clearhead.checks.plain_data import plain

from . import reading, wire

TROUBLES = 20


class Line:
    """The connection to the grader."""

    def __init__(self, channel):
        self.channel, self.coming = channel, channel.makefile("rb")

    def say(self, head, value=None):
        """Send one message."""
        self.channel.sendall(wire.pack(head, value))

    def hear(self):
        """Return the next message, its head and its value; end where the grader has hung up."""
        text = self.coming.read(int.from_bytes(self.coming.read(8), "big"))
        return wire.unpack(text, lambda number: Remote(self, number)) if text else os._exit(0)


class Remote:
    """A function that an answer is given, and that the grader computes."""

    def __init__(self, line, number):
        self._line, self._number = line, number

    def __call__(self, *arguments):
        self._line.say({"is": "callback", "number": self._number}, arguments)
        head, value = self._line.hear()
        if head.get("error"):
            raise ValueError(head["error"])
        return value

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "a function"


class Given(Remote):
    """A right helper in place of the student's own; it takes what that one takes, by name or by place."""

    def __init__(self, line, number, own):
        super().__init__(line, number)
        self._own = own

    def __call__(self, *arguments, **named):
        if callable(self._own):  # else it is missing: the grader takes what comes, by place or by name
            with contextlib.suppress(ValueError):  # it tells no names
                bound = inspect.signature(self._own).bind(*arguments, **named)
                bound.apply_defaults()
                arguments, named = bound.args, bound.kwargs
        return super().__call__(plain(arguments), plain(named))


def serve(channel, exercises, seconds):
    """Run the cells that the grader sends, then answer its calls until it hangs up."""
    line = Line(channel)
    running.SECONDS = seconds * 6  # by the clock; the grader itself ends what computes for too long
    head, raw = line.hear()
    try:
        cells, last = reading.sources(raw)
    except reading.Unreadable as error:
        line.say({"is": "unreadable", "why": str(error)})
        return
    if head["slim"]:
        line.say({"is": "slim"}, np.frombuffer(reading.slim(cells), np.uint8))
    skip, raw = {tuple(place) for place in head["skip"]}, None
    entries = {e["entry"] for e in exercises.values()}
    namespace, troubles = _run_cells(line, cells, skip, entries, head["definitions"])
    troubles = [trouble for trouble in troubles if trouble[0] <= last]
    for name, number in head["given"].items():
        namespace[name] = Given(line, number, namespace.get(name))
    line.say({"is": "ready", "troubles": troubles[:TROUBLES]})
    while True:
        head, arguments = line.hear()
        _answer(line, head, exercises[head["exercise"]], namespace, arguments)


def _run_cells(line, cells, skip, entries, definitions):
    """Return what the cells define, and what went wrong in them; statements are run one by one.

    Where `definitions` is true, only those that import and define are run.
    """
    page = types.ModuleType("__main__")
    sys.modules["__main__"] = page
    namespace, kept, troubles = page.__dict__, {}, []
    namespace.update(get_ipython=_Shell, display=lambda *things, **named: None)
    parts, troubles = _parts(cells)
    for last_time in (False, True):  # cells may stand in any order: a name that is missing may come later
        again = []
        for place, statement in parts:
            if place in skip or (definitions and not reading.is_definition(statement)):
                continue
            line.say({"is": "cell", "place": list(place)})
            error = _execute(statement, f"<cell {place[0] + 1}>", namespace)
            if isinstance(error, ImportError) and isinstance(statement, reading.ast.ImportFrom):
                for single in _one_by_one(statement):  # what is not there must not take away what is
                    error = _execute(single, f"<cell {place[0] + 1}>", namespace) or error
            defined = reading.defines(statement)
            if isinstance(error, NameError) and not last_time:
                again.append((place, statement))
            elif error is not None:
                troubles.append([place[0] + 1, running.in_words(error)])
            elif defined in entries and not (last_time and defined in kept):
                kept[defined] = namespace.get(defined)
        parts = again
    namespace.update(kept)
    return namespace, troubles


def _parts(cells):
    """Return the statements of all cells, each with its place (cell, number), and what cannot be read."""
    parts, troubles = [], []
    for number, source in enumerate(cells):
        name = f"<cell {number + 1}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        try:
            found = reading.statements(source)
        except SyntaxError as error:
            troubles.append([number + 1, running.in_words(error)])
            continue
        parts += [((number, count), statement) for count, statement in enumerate(found)]
    return parts, troubles


def _one_by_one(statement):
    """Return an import of several names as imports of one name each."""
    parts = [reading.ast.ImportFrom(statement.module, [name], statement.level) for name in statement.names]
    return [reading.ast.copy_location(part, statement) for part in parts]


class _Shell:
    """Stands for IPython's shell: takes every order, does nothing."""

    def __getattr__(self, name):
        return lambda *arguments, **named: None


def _execute(statement, name, namespace):
    """Run one statement, and return what it raised, or None."""
    try:
        with running.time_limit(running.SECONDS):
            exec(compile(reading.ast.Module([statement], []), name, "exec"), namespace)
    except BaseException as error:
        return error
    return None


def _answer(line, head, exercise, namespace, arguments):
    """Call one answer on the arguments of one case, and say what came of it."""
    entry = exercise["entry"]
    if entry not in namespace:
        line.say({"is": "missing", "call": head["call"]})
        return
    try:
        outcome = running.run(exercise["made"], namespace[entry], arguments)
    except BaseException as error:
        outcome = running.Outcome(error=running.in_words(error))
    facts = {k: getattr(outcome, k) for k in ("error", "meaning", "line", "returned", "swallowed")}
    facts |= {"is": "outcome", "call": head["call"], "given": [_as_data(a) for a in outcome.given]}
    try:
        message = wire.pack(facts, outcome.output)
    except (TypeError, ValueError, RecursionError, MemoryError) as error:
        message = wire.pack(facts | {"returned": running.in_words(error)})
    if len(message) > wire.MOST:
        message = wire.pack(facts | {"returned": f"an output of {len(message) >> 20} megabytes", "given": []})
    line.channel.sendall(message)


def _as_data(argument):
    """Return an argument after the call, for the grader to compare; None for what is no data."""
    try:
        return plain(argument)
    except Exception:
        return None


def prepare(id, entry, driver):
    """Return what a call needs of an exercise: its entry, and an Exercise without reference and cases."""
    return {"entry": entry, "made": Exercise(id, "", None, None, (), (), (), 1, 1, driver=driver)}


def quiet():
    """Give the guest an empty input, outputs that go nowhere, and plain signals."""
    empty = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(empty, number)
    os.close(empty)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
