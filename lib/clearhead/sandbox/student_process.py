"""The untrusted process in the sandbox, which runs the student's cells, then each answer on each case.

From the first line of the student's code on, this process can be made to send anything. Therefore it only
sends data, and the grader outside, which knows the right results, compares them.
"""

import contextlib
import functools
import inspect
import linecache
import os
import re
import signal
import sys
import types

import numpy as np

from clearhead.checks import running
from clearhead.checks.exercise import Exercise
from clearhead.checks.plain_data import plain
from clearhead.errors import UserError

from . import protocol, reading
from .shell import AWAITS, Shell, execute
from .syntax import lines_of, module

MAX_ERRORS = 20


class Connection:
    """The student process's connection to the grader."""

    def __init__(self, channel):
        self.channel, self.incoming = channel, channel.makefile("rb")

    def send(self, head, value=None):
        """Send one message to the grader."""
        self.channel.sendall(protocol.pack(head, value))

    def receive(self):
        """Return the head and the value of the next message; exit if the grader has closed the connection."""
        text = self.incoming.read(int.from_bytes(self.incoming.read(8), "big"))
        return protocol.unpack(text, lambda number: RemoteFunction(self, number)) if text else os._exit(0)


class RemoteFunction:
    """A function that is passed to an answer, but is computed by the grader."""

    def __init__(self, connection, number):
        self._connection, self._number = connection, number

    def __call__(self, *arguments):
        self._connection.send({"type": "callback", "number": self._number}, arguments)
        head, value = self._connection.receive()
        if head.get("error"):
            raise ValueError(head["error"])
        return value

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "a function"


class SubstitutedHelper(RemoteFunction):
    """A right helper that replaces the student's own, and has the same parameters."""

    def __init__(self, connection, number, own):
        super().__init__(connection, number)
        self._own = own

    def __call__(self, *arguments, **named):
        if callable(self._own):  # a missing helper has no parameters to which arguments could be bound
            with contextlib.suppress(ValueError):  # it has no signature
                bound = inspect.signature(self._own).bind(*arguments, **named)
                bound.apply_defaults()
                arguments, named = bound.args, bound.kwargs
        return super().__call__(plain(arguments), plain(named))


def serve(channel, exercises, seconds):
    """Run the cells that the grader sends, then answer its calls until it closes the connection."""
    connection = Connection(channel)
    # by the clock, since the grader itself ends what computes for too long
    running.TIME_LIMIT, running.WALL_CLOCK_FACTOR = seconds * 6, 1
    head, raw = connection.receive()
    raw = reading.with_present_names(raw, head["renamed"])
    try:
        cells, last = reading.sources(raw)
    except UserError as error:
        connection.send({"type": "unreadable", "reason": str(error)})
        return
    if head["slim"]:
        connection.send({"type": "slim"}, np.frombuffer(reading.slim(cells), np.uint8))
    remarks = [] if head["definitions"] else reading.remarks(raw)
    skip, raw = {tuple(position) for position in head["skip"]}, None
    answer_names = {e["answer_name"] for e in exercises.values()}
    namespace, problems = _run_cells(connection, cells, skip, answer_names, head["definitions"])
    problems = [problem for problem in problems if problem[0] <= last]
    for name, number in head["given"].items():
        namespace[name] = SubstitutedHelper(connection, number, namespace.get(name))
    connection.send({"type": "ready", "problems": problems[:MAX_ERRORS], "remarks": remarks[:MAX_ERRORS]})
    while True:
        head, arguments = connection.receive()
        _answer(connection, head, exercises[head["exercise"]], namespace, arguments)


def _run_cells(connection, cells, skip, answer_names, definitions):
    """Run the statements of the cells one by one; return the names that they define, and their errors.

    If `definitions` is true, only statements that import or define names are run, and an answer that another
    statement may have changed is left out.
    """
    page = types.ModuleType("__main__")
    sys.modules["__main__"] = page
    namespace = page.__dict__
    shell = Shell(namespace)
    namespace.update(get_ipython=lambda: shell, display=lambda *things, **named: None)
    parts, stubs, problems = _parts(cells, answer_names)
    answers, unsure = Answers(namespace, answer_names, stubs), set()
    for last_time in (False, True):  # cells may be in any order, so a missing name may be defined later
        again = []
        for position, statement in parts:
            if position in skip:
                continue
            if definitions and not reading.is_definition(statement, answer_names):
                unsure |= reading.binds(statement) & answer_names
                continue
            connection.send({"type": "cell", "position": list(position)})
            error = _execute(statement, f"<cell {position[0] + 1}>", namespace)
            if isinstance(error, ImportError) and isinstance(statement, reading.ast.ImportFrom):
                for single in _single_imports(statement):  # a missing name must not prevent the others
                    error = _execute(single, f"<cell {position[0] + 1}>", namespace) or error
            if isinstance(error, NameError) and not last_time:
                again.append((position, statement))
            elif error is not None:
                problems.append([position[0] + 1, running.error_text(error)])
            answers.update(last_time)
        parts = again
    namespace.update(answers.kept)
    for name in unsure:
        namespace.pop(name, None)
    return namespace, problems


class Answers:
    """The values that count as the answers, by a rule that follows what each statement assigns.

    A name's answer is the last value that it held, after any statement, that can be called and is not a stub.
    It does not matter how the name got it: by `def`, by an assignment such as `f = lambda x: ...` or
    `f = better`, by a decorator, an import or `exec`. Therefore a wrong assignment after a right `def`
    counts, as it does in Jupyter, but neither a stub that was run again nor an array of the same name
    replaces an answer. A statement that could only be run at the end, because it needs a name from a later
    cell, does not change an existing answer.

    A stub is a function that only raises NotImplementedError, or a class with such a method; `stubs` are the
    file names and first lines of these functions.
    """

    def __init__(self, namespace, answer_names, stubs):
        self.kept, self._last_values = {}, dict.fromkeys(answer_names)
        self._namespace, self._stubs = namespace, stubs

    def update(self, last_time):
        """Store the current values of the names as answers, as far as they are answers."""
        for name, before in self._last_values.items():
            value = self._namespace.get(name)
            if value is before:
                continue
            self._last_values[name] = value
            if not (last_time and name in self.kept) and self._is_answer(value):
                self.kept[name] = value

    def _is_answer(self, value):
        if not callable(value) or np.ndarray in type(value).__mro__:
            return False
        try:
            return not any(map(self._is_stub, _functions(value)))
        except Exception:  # an object of the student's own that cannot be inspected
            return True

    def _is_stub(self, function):
        code = function.__code__
        return (code.co_filename, code.co_firstlineno) in self._stubs


def _functions(value):
    """Return the functions inside a callable: the one that decorators wrap, or the methods of a class."""
    while isinstance(value, functools.partial):
        value = value.func
    value = inspect.unwrap(value)
    found = vars(value).values() if isinstance(value, type) else [getattr(value, "__func__", value)]
    return [each for each in found if isinstance(each, types.FunctionType)]


def _parts(cells, answer_names):
    """Return all statements with their positions (cell, number), the stubs, and errors of cells."""
    parts, stubs, problems = [], set(), []
    for number, source in enumerate(cells):
        name = f"<cell {number + 1}>"
        linecache.cache[name] = (len(source), None, lines_of(source), name)
        try:
            tree, left_out = module(source)
            stubs |= {(name, first) for first in reading.stubs(tree)}
        except (SyntaxError, RecursionError) as error:
            problems.append([number + 1, running.error_text(error)])
            continue
        if left_out and any(re.search(rf"\b{re.escape(name)}\b", source) for name in answer_names):
            problems.append([number + 1, f"`%%{left_out}` keeps no names, in Jupyter as here: take it out"])
        parts += [((number, count), statement) for count, statement in enumerate(tree.body)]
    return parts, stubs, problems


def _single_imports(statement):
    """Return an import of several names as a list of imports of one name each."""
    parts = [reading.ast.ImportFrom(statement.module, [name], statement.level) for name in statement.names]
    return [reading.ast.copy_location(part, statement) for part in parts]


def _execute(statement, name, namespace):
    """Run one statement, and return the error that it raised, or None."""
    try:
        with running.time_limit(running.TIME_LIMIT):
            execute(compile(reading.ast.Module([statement], []), name, "exec", flags=AWAITS), namespace)
    except BaseException as error:
        return error
    return None


def _answer(connection, head, exercise, namespace, arguments):
    """Call one answer on the arguments of one case, and send its outcome."""
    answer_name = exercise["answer_name"]
    if answer_name not in namespace:
        connection.send({"type": "missing", "call": head["call"]})
        return
    try:
        outcome = running.run(exercise["made"], namespace[answer_name], arguments)
    except BaseException as error:
        outcome = running.Outcome(error=running.error_text(error))
    facts = {k: getattr(outcome, k) for k in ("error", "meaning", "line", "returned", "caught_error")}
    facts |= {"type": "outcome", "call": head["call"], "given": [_plain_or_none(a) for a in outcome.given]}
    facts["changed"] = list(outcome.changed)  # a driver's own arguments are known only here
    try:
        message = protocol.pack(facts, outcome.output)
    except (TypeError, ValueError, RecursionError, MemoryError) as error:
        message = protocol.pack(facts | {"returned": running.error_text(error)})
    if len(message) > protocol.MAX_BYTES:
        message = protocol.pack(
            facts | {"returned": f"an output of {len(message) >> 20} megabytes", "given": []}
        )
    connection.channel.sendall(message)


def _plain_or_none(argument):
    """Return an argument as plain data after the call, or None if it is not plain data."""
    try:
        return plain(argument)
    except Exception:
        return None


def prepare(id, answer_name, driver):
    """Return what is needed to call an answer: its name, and an Exercise that can run it."""
    return {"answer_name": answer_name, "made": Exercise(id, "", None, None, (), (), (), 1, 1, driver=driver)}


def discard_output():
    """Give this process an empty input, outputs that are discarded, and default signal handlers."""
    empty = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(empty, number)
    os.close(empty)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
