"""Reproducible marking of one notebook, whose code runs in a sandbox and whose results are compared here."""

import time
from dataclasses import replace

import numpy as np

from clearhead.checks import registry, verdicts
from clearhead.checks.former_ids import renamed_functions
from clearhead.checks.plain_data import describe, plain
from clearhead.checks.running import Outcome, error_text
from clearhead.sandbox.sandbox import WALL_CLOCK_FACTOR, SubmissionEnded

from ..collect.untrusted_text import clean
from .hidden_cases import hidden_cases, seed_of
from .notes import NotebookNotes
from .outcomes import for_protocol, judge_outcome, read_outcome, size, size_in_bytes

MAX_RESTARTS, TOTAL = 24, 20  # the most statements left out; the limit of a notebook, in limits of one case
MAX_CALLBACKS = 20_000
SHARES = 6  # a cell may take one sixth of the remaining time
MAX_KEPT_BYTES = 64 << 20  # of the outputs of a notebook
MIN_KEPT_BYTES = 1 << 20  # of the output of one case, however small the expected one is
BUDGET = 60  # seconds by the clock for one sheet of one student, whatever it does
GIVEN, LARGEST = 1000, 1 << 20  # the number of the first given helper; the most entries in its arguments
WORDS = {
    "missing": "`{answer_name}` is not defined: {why}",
    "timeout": "There was no answer within {seconds} CPU seconds: is there a loop that never ends?",
    "memory": "The process took too much memory and was stopped.",
    "crashed": "The process of the submission {why}.",
    "unreadable": "{why}",
    "absent": "No notebook of this sheet was handed in.",
    "skipped": "Skipped, because the case before it ended the process.",
}


class Marking:
    """The marking of one notebook, with the remaining cases, the judged cases, and notes for the student.

    `only` maps the ids of the exercises to try to their cases; None stands for all exercises, with hidden
    cases. `given` maps the names of helpers to functions that the grader computes in place of the student's.
    """

    def __init__(self, sandbox, settings, student, raw, only=None, given=None):
        self.sandbox, self.settings, self.raw, self.given = sandbox, settings, raw, given or {}
        exercises = [e for number in settings["sheets"] for e in registry.sheet(number).exercises]
        self.seeds = {e.id: seed_of(settings["secret"], student, e.id, raw) for e in exercises}
        self.exercises = [e for e in exercises if only is None or e.id in only]
        self.tried = {e.id: [] for e in self.exercises}
        self.drawn = only or {e.id: hidden_cases(e, self.seeds[e.id]) for e in self.exercises}
        remaining = [(e, case) for e in self.exercises for case in self._shuffled(e)]
        self.remaining = sorted(remaining, key=lambda pair: pair[0].megabytes)
        self.skip, self.call, self.kept = [], 0, 0  # statements left out; calls made; bytes of stored outputs
        self.megabytes, self.slim, self.whole = 0, raw, set()
        self.notebook_notes = NotebookNotes(settings["sheets"][0], raw)
        self.notes = self.notebook_notes.notes

    def _shuffled(self, exercise):
        """Return the cases in a random order, so that an answer cannot profit from counting its calls."""
        cases = self.drawn[exercise.id]
        return [cases[i] for i in np.random.default_rng([self.seeds[exercise.id], 1]).permutation(len(cases))]

    def run(self):
        """Run all cases and return self; a case that ends the process fails only its own exercise."""
        spent, most = 0, TOTAL * self.settings["seconds"]
        self.until = time.monotonic() + self.settings.get("budget", BUDGET)
        while self.remaining and spent < most and len(self.skip) < MAX_RESTARTS:
            if time.monotonic() >= self.until:
                break
            begun, self.megabytes = time.monotonic(), self.remaining[0][0].megabytes
            try:
                self.sandbox.open(self.megabytes)
                if self._cells():
                    self._cases()
            finally:
                spent += max(self.sandbox.cpu, (time.monotonic() - begun) / WALL_CLOCK_FACTOR)
                self.sandbox.close()
        for exercise, case in self.remaining:
            self._record_result(exercise, case, "timeout", "")
        for id, tried in self.tried.items():
            tried.sort(key=lambda t: [case is t.case for case in self.drawn[id]].index(True))
        self.notebook_notes.say_what_to_fix_first(self.exercises, self.tried)
        return self

    def _allow(self, shares):
        """Set the time limits of the next case or cell: its CPU seconds, and its part of the remaining time.

        Therefore an answer that sleeps takes no time from others, and later cases are still tried.
        """
        seconds, left = self.settings["seconds"], self.until - time.monotonic()
        self.sandbox.set_time_limit(seconds, min(WALL_CLOCK_FACTOR * seconds, left / shares))

    def _cells(self):
        """Run the cells, and return True if the sandbox is ready for cases."""
        position = None
        try:
            self._allow(SHARES)
            narrow = bool(self.megabytes)
            definitions = narrow and self.remaining[0][0].id not in self.whole
            head = {
                "skip": self.skip,
                "given": {name: GIVEN + count for count, name in enumerate(self.given)},
                "definitions": definitions,
                "renamed": {k: v for n in self.settings["sheets"] for k, v in renamed_functions(n).items()},
                "slim": not narrow and any(e.megabytes for e in self.exercises),
            }
            self.sandbox.send(head, self.slim if definitions else self.raw)
            while time.monotonic() < self.until:
                head, value = self.sandbox.receive()
                self._allow(SHARES)
                if head.get("type") == "slim" and position is None and isinstance(value, np.ndarray):
                    self.slim = value.tobytes()
                elif head.get("type") == "cell":
                    position = _checked_position(head.get("position"))
                elif head.get("type") == "unreadable" and position is None:
                    reason = clean(head.get("reason"), 200)
                    self.notebook_notes.note(reason)
                    return self.fail_remaining("unreadable", reason)
                elif head.get("type") == "ready":
                    if not narrow:  # else what would not fit is no fault of the student's
                        self.notebook_notes.add_errors(head.get("problems"))
                        self.notebook_notes.remarks(head.get("remarks"))
                    return True
                else:
                    raise SubmissionEnded("crashed", "broke the connection")
            raise SubmissionEnded("timeout", "took too long")
        except SubmissionEnded as error:
            if position is None or position in self.skip:
                return self.fail_remaining(error.status, str(error))
            self.skip.append(position)
            where = self.notebook_notes.locator.label(position[0] + 1)
            if not narrow:
                self.notebook_notes.note(f"{where}: a line was left out, because it {error}.")
        return False

    def fail_remaining(self, status, why):
        """Give this status to every remaining case that runs in this kind of process, and return False."""
        remaining, self.remaining = self.remaining, []
        for exercise, case in remaining:
            if self.megabytes in (0, exercise.megabytes):
                self._record_result(exercise, case, status, why)
            else:
                self.remaining.append((exercise, case))
        return False

    def _cases(self):
        """Try the remaining cases until one of them ends the process or needs another kind of process."""
        while self.remaining and self.remaining[0][0].megabytes == self.megabytes:
            exercise, case = self.remaining[0]
            try:
                self._try(exercise, case)
                if self._lacks_cells(exercise):
                    self.tried[exercise.id].pop()
                    return self.whole.add(exercise.id)
                ended = False
            except SubmissionEnded as error:
                self._record_result(exercise, case, error.status, str(error))
                ended = True
            self.remaining.pop(0)
            if ended or self.tried[exercise.id][-1].status == "timeout":
                for _, other in [pair for pair in self.remaining if pair[0] is exercise]:
                    self._record_result(exercise, other, "skipped", "")
                self.remaining = [pair for pair in self.remaining if pair[0] is not exercise]
            if ended:
                return None
        return None

    def _lacks_cells(self, exercise):
        """Return True if an answer needs more than definitions, and not all cells have been run yet."""
        last = self.tried[exercise.id][-1]
        lacks = last.status == "missing" or last.outcome.error_name == "NameError"
        return bool(self.megabytes) and lacks and exercise.id not in self.whole

    def _try(self, exercise, case):
        """Try one case in the sandbox, and judge its result here."""
        self.call += 1
        callbacks, given = {}, {str(GIVEN + count): f for count, f in enumerate(self.given.values())}
        self._allow(len({e.id for e, _ in self.remaining}))
        arguments_given = exercise.feed(*case.arguments) if exercise.feed else case.arguments
        arguments = tuple(for_protocol(argument, callbacks) for argument in arguments_given)
        self.sandbox.send({"exercise": exercise.id, "call": self.call}, arguments)
        for _ in range(MAX_CALLBACKS):
            head, value = self.sandbox.receive()
            if head.get("type") == "callback":
                number = str(head.get("number"))
                most = LARGEST if number in given else size(case.arguments)
                self._answer((callbacks | given).get(number), value, most)
            elif head.get("call") != self.call:
                raise SubmissionEnded("crashed", "broke the connection")
            elif head.get("type") == "missing":
                why = self.notebook_notes.why_missing(exercise.answer_name)
                return self._record_result(exercise, case, "missing", why)
            else:
                outcome = read_outcome(head, value, exercise, arguments_given)
                self.tried[exercise.id].append(self._kept(judge_outcome(exercise, case, outcome)))
                return None
        raise SubmissionEnded("timeout", "asked too often")

    def _kept(self, tried):
        """Return a judged case, in which a description in words replaces an output that is too large.

        Outputs are kept because a known mistake is recognised by its output, but only up to eight times the
        size of the expected output, and up to a limit for all outputs of a notebook together.
        """
        size = size_in_bytes(tried.outcome.output)
        most = max(MIN_KEPT_BYTES, 8 * size_in_bytes(tried.expected))
        large = size > most or self.kept + size > MAX_KEPT_BYTES
        if large:
            words = describe(tried.outcome.output)
            return replace(tried, outcome=replace(tried.outcome, output=None, returned=words))
        self.kept += size
        return tried

    def _answer(self, function, arguments, most):
        """Call a function for the sandbox, and send its value or its error; refuse large arguments."""
        try:
            if function is None or not isinstance(arguments, tuple):
                raise ValueError("there is no such function")
            if size(arguments) > most:
                raise ValueError("the argument is larger than what the answer was given")
            with np.errstate(all="ignore"):
                self.sandbox.send({}, plain(function(*arguments)))
        except SubmissionEnded:
            raise
        except Exception as error:
            self.sandbox.send({"error": error_text(error)})

    def _record_result(self, exercise, case, status, reason):
        seconds = self.settings["seconds"]
        words = WORDS[status].format(
            answer_name=exercise.answer_name, seconds=seconds, why=clean(reason, 400)
        )
        self.tried[exercise.id].append(verdicts.CaseResult(case, Outcome(), status, words))


def _checked_position(position):
    """Return the position of a statement: its cell and its number in it; raise SubmissionEnded if invalid."""
    if (
        isinstance(position, list)
        and len(position) == 2
        and all(type(n) is int and 0 <= n < 1 << 30 for n in position)
    ):
        return position
    raise SubmissionEnded("crashed", "broke the connection")
