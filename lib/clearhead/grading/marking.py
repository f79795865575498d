"""Mark one submission: its code runs in a room, the comparison is made here; a regrade gives the same."""

import contextlib
import hashlib
import hmac
import time
from dataclasses import replace

import numpy as np

from clearhead.checks import judging, registry
from clearhead.checks.plain_data import plain
from clearhead.checks.running import Outcome, changed, in_words, run
from clearhead.sandbox import wire
from clearhead.sandbox.sandbox import WALL, Ended

from .marks import clean
from .telling import Telling

RESTARTS, TOTAL = 24, 20  # lines left out; times the seconds of one case
CALLBACKS = 20_000
WORDS = {
    "missing": "`{entry}` is not defined: {why}",
    "timeout": "No answer within {seconds} seconds of computing: is there a loop that never ends?",
    "memory": "The process took too much memory, and was ended.",
    "crashed": "The process of the submission {why}.",
    "unreadable": "{why}",
    "absent": "No notebook of this sheet was handed in.",
    "untried": "Not tried: the case before it ended the process.",
}


def seed_of(secret, student, exercise, raw):
    """Return the seed of the hidden cases: the same for a regrade, not to be guessed without the secret.

    Another notebook gets other cases, so what feedback told of the first helps to answer none of them.
    """
    text = f"{student}|{exercise}|{hashlib.sha256(raw or b'').hexdigest()}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hmac.new(secret.encode(), text, hashlib.sha256).digest()[:8], "big")


class Marking:
    """The marking of one notebook: cases still to do, cases done, and what was seen on the way."""

    def __init__(self, sandbox, settings, student, raw):
        self.sandbox, self.settings, self.raw = sandbox, settings, raw
        self.exercises = [e for number in settings["sheets"] for e in registry.sheet(number).exercises]
        self.seeds = {e.id: seed_of(settings["secret"], student, e.id, raw) for e in self.exercises}
        self.tried = {e.id: [] for e in self.exercises}
        self.drawn = {e.id: e.cases(np.random.default_rng(self.seeds[e.id])) for e in self.exercises}
        todo = [(e, case) for e in self.exercises for case in self._shuffled(e)]
        self.todo = sorted(todo, key=lambda pair: pair[0].megabytes)
        self.skip, self.call = [], 0  # places left out; calls made
        self.megabytes, self.slim, self.whole = 0, raw, set()
        self.telling = Telling(settings["sheets"][0], raw)
        self.notes = self.telling.notes

    def _shuffled(self, exercise):
        """Return the cases in an order of their own: an answer that counts its calls must not profit."""
        cases = self.drawn[exercise.id]
        return [cases[i] for i in np.random.default_rng([self.seeds[exercise.id], 1]).permutation(len(cases))]

    def run(self):
        """Try every case; a case that ends the process costs its exercise alone, a cell is left out."""
        spent, most = 0, TOTAL * self.settings["seconds"]
        while self.todo and spent < most and len(self.skip) < RESTARTS:
            begun, self.megabytes = time.monotonic(), self.todo[0][0].megabytes
            try:
                self.sandbox.open(self.megabytes)
                if self._cells():
                    self._cases()
            finally:
                spent += max(self.sandbox.cpu, (time.monotonic() - begun) / WALL)
                self.sandbox.close()
        for exercise, case in self.todo:
            self._note(exercise, case, "timeout", "")
        for id, tried in self.tried.items():
            tried.sort(key=lambda t: [case is t.case for case in self.drawn[id]].index(True))
        self.telling.what_comes_first(self.exercises, self.tried)
        return self

    def _cells(self):
        """Run the cells; return True where the room is ready for cases."""
        place, most = None, time.monotonic() + TOTAL * WALL * self.settings["seconds"]
        try:
            self.sandbox.allow(self.settings["seconds"])
            narrow = bool(self.megabytes)
            definitions = narrow and self.todo[0][0].id not in self.whole
            slim = not narrow and any(e.megabytes for e in self.exercises)
            head = {"skip": self.skip, "definitions": definitions, "slim": slim}
            self.sandbox.send(head, self.slim if definitions else self.raw)
            while time.monotonic() < most:
                head, value = self.sandbox.receive()
                self.sandbox.allow(self.settings["seconds"])
                if head.get("is") == "slim" and place is None and isinstance(value, np.ndarray):
                    self.slim = value.tobytes()
                elif head.get("is") == "cell":
                    place = _place(head.get("place"))
                elif head.get("is") == "unreadable" and place is None:
                    why = clean(head.get("why"), 200)
                    self.telling.note(why)
                    return self.fail_all("unreadable", why)
                elif head.get("is") == "ready":
                    if not narrow:  # else what would not fit is no fault of the student's
                        self.telling.troubles_of(head.get("troubles"))
                    return True
                else:
                    raise Ended("crashed", "broke the connection")
            raise Ended("timeout", "took too long")
        except Ended as error:
            if place is None or place in self.skip:
                return self.fail_all(error.status, str(error))
            self.skip.append(place)
            where = self.telling.places.of(place[0] + 1)
            if not narrow:
                self.telling.note(f"{where}: a line was left out, for it {error}.")
        return False

    def fail_all(self, status, why):
        """Give every case that is left for this kind of guest this status; return False: none is tried."""
        todo, self.todo = self.todo, []
        for exercise, case in todo:
            if self.megabytes in (0, exercise.megabytes):
                self._note(exercise, case, status, why)
            else:
                self.todo.append((exercise, case))
        return False

    def _cases(self):
        """Try the cases that are left, until one of them ends the process or is for another kind of guest."""
        while self.todo and self.todo[0][0].megabytes == self.megabytes:
            exercise, case = self.todo[0]
            try:
                self._try(exercise, case)
                if self._lacks_cells(exercise):
                    self.tried[exercise.id].pop()
                    return self.whole.add(exercise.id)
                ended = False
            except Ended as error:
                self._note(exercise, case, error.status, str(error))
                ended = True
            self.todo.pop(0)
            if ended or self.tried[exercise.id][-1].status == "slow":
                for _, other in [pair for pair in self.todo if pair[0] is exercise]:
                    self._note(exercise, other, "untried", "")
                self.todo = [pair for pair in self.todo if pair[0] is not exercise]
            if ended:
                return None
        return None

    def _lacks_cells(self, exercise):
        """Return True where an answer needs more than definitions, and all cells were not tried yet."""
        last = self.tried[exercise.id][-1]
        lacks = last.status == "missing" or last.outcome.error_name == "NameError"
        return bool(self.megabytes) and lacks and exercise.id not in self.whole

    def _try(self, exercise, case):
        """Try one case in the room, and judge here what comes back."""
        self.call += 1
        callbacks = {}
        self.sandbox.allow(self.settings["seconds"])
        arguments = tuple(_portable(argument, callbacks) for argument in case.arguments)
        self.sandbox.send({"exercise": exercise.id, "call": self.call}, arguments)
        for _ in range(CALLBACKS):
            head, value = self.sandbox.receive()
            if head.get("is") == "callback":
                self._answer(callbacks.get(str(head.get("number"))), value, case)
            elif head.get("call") != self.call:
                raise Ended("crashed", "broke the connection")
            elif head.get("is") == "missing":
                return self._note(exercise, case, "missing", self.telling.why_missing(exercise.entry))
            else:
                outcome = _outcome(head, value, exercise, case)
                self.tried[exercise.id].append(_judged(exercise, case, outcome))
                return None
        raise Ended("timeout", "asked too often")

    def _answer(self, function, arguments, case):
        """Send the value of a function that stays here, or what it raises; nothing large is computed here."""
        try:
            if function is None or not isinstance(arguments, tuple):
                raise ValueError("there is no such function")
            if _size(arguments) > _size(case.arguments):
                raise ValueError("the argument is larger than what the answer was given")
            with np.errstate(all="ignore"):
                self.sandbox.send({}, plain(function(*arguments)))
        except Ended:
            raise
        except Exception as error:
            self.sandbox.send({"error": in_words(error)})

    def _note(self, exercise, case, status, why):
        seconds = self.settings["seconds"]
        words = WORDS[status].format(entry=exercise.entry, seconds=seconds, why=clean(why, 400))
        self.tried[exercise.id].append(judging.Tried(case, Outcome(), status, words))


def _size(value):
    """Return how many numbers, texts and functions stand in a value."""
    if isinstance(value, dict | list | tuple):
        return sum(map(_size, value.values() if isinstance(value, dict) else value))
    return value.size if isinstance(value, np.ndarray) else 1


def _place(said):
    """Return the place of a statement: the number of its cell, and its number there."""
    if isinstance(said, list) and len(said) == 2 and all(type(n) is int and 0 <= n < 1 << 30 for n in said):
        return said
    raise Ended("crashed", "broke the connection")


def _with_facts(exercise, case, outcome):
    """Return an outcome with the facts about its output: computed here, where no answer can forge them."""
    if exercise.facts is None or outcome.error or outcome.returned or outcome.output is None:
        return outcome
    try:
        return replace(outcome, output=plain(exercise.facts(outcome.output, *case.arguments)))
    except Exception as error:
        return Outcome(error=in_words(error), changed=outcome.changed)


def _judged(exercise, case, outcome):
    """Return the case, judged; an output that cannot be compared fails, where the right one can."""
    try:
        return judging.judge(exercise, case, _with_facts(exercise, case, outcome))
    except Exception:
        right = judging.judge(exercise, case, run(exercise, exercise.reference, case.arguments))
        if not right.passed:
            raise
        return judging.Tried(case, Outcome(returned="?"), "wrong", "What came back cannot be compared.")


def _portable(value, callbacks):
    """Return an argument as data, a function in it as a number that stands for it."""
    if isinstance(value, list | tuple):
        return type(value)(_portable(item, callbacks) for item in value)
    if isinstance(value, dict):
        return {key: _portable(item, callbacks) for key, item in value.items()}
    if callable(value):
        callbacks[str(len(callbacks))] = value
        return wire.Callback(len(callbacks) - 1)
    return value


def _outcome(head, value, exercise, case):
    """Return the Outcome that a message tells of, whatever it holds; what was written to is seen here."""
    if head.get("is") != "outcome":
        raise Ended("crashed", "broke the connection")
    told = {key: clean(head.get(key), 500) for key in ("error", "meaning", "line", "returned")}
    try:
        value = plain(value)
    except TypeError as error:
        told["returned"] = told["returned"] or str(error)
    written_to = () if told["error"] else _written_to(exercise, case, head.get("given"))
    return Outcome(value, **told, changed=written_to)


def _as_sent(argument):
    """Return an argument as it comes back where nobody wrote into it."""
    argument = plain(argument)
    is_array = isinstance(argument, np.ndarray) and argument.dtype.kind != "U"
    return argument if is_array else wire.unpack(wire.pack({}, argument)[8:])[1]


def _written_to(exercise, case, given):
    """Return the names of the arguments that came back from the room with another content."""
    if not isinstance(given, list) or len(given) != len(case.arguments):
        raise Ended("crashed", "broke the connection")
    sent, back = list(case.arguments), list(case.arguments)
    for place, argument in enumerate(case.arguments):
        with contextlib.suppress(TypeError):  # a function does not come back
            sent[place], back[place] = _as_sent(argument), given[place]
    return changed(exercise, sent, back)
