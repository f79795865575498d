"""Follow-through marks: an answer that builds on a wrong one is marked again, with a right one in its place.

An answer earns by it what it would have earned with the right helper, up to a cap, and never less than with
its own. It earns nothing by a helper that was no attempt, nor where the helper has done all of its work.
"""

import contextlib
import time
from dataclasses import replace

import numpy as np

from clearhead.checks.comparing import difference, same
from clearhead.checks.plain_data import as_array, plain
from clearhead.checks.running import run

from .marking import BUDGET, Marking
from .marks import OWN, row, with_follow_through
from .right_helpers import RightHelpers, declared

TRIED_AGAIN = ("failed", "error")
PROBES = 3  # cases of a helper that are tried once more, as they are and with other numbers
DID_ALL = "it hands its arguments to that helper and gives back what comes, so no work was left to do."


class FollowThrough:
    """The second marking of one notebook, in the student's `sandbox`; `room()` is that of right helpers."""

    def __init__(self, first, student, sandbox, room):
        self.first, self.student, self.sandbox = first, student, sandbox
        self.number = first.settings["sheets"][0]
        self.right = RightHelpers(room, self.number)
        self.exercises = {e.entry: e for e in first.exercises}

    def rows(self, rows):
        """Return the marks of all exercises, each with what it earns by right helpers."""
        rows = {found["id"].partition(".")[2]: found for found in rows}
        self.until = time.monotonic() + self.first.settings.get("budget", BUDGET)
        try:
            for name in self.exercises:
                if time.monotonic() > self.until:
                    break
                if rows[name]["status"] in TRIED_AGAIN and rows[name]["own"] < rows[name]["out_of"]:
                    rows[name] = self._followed(name, rows)
        finally:
            self.right.close()
        return list(rows.values())

    def _followed(self, name, rows):
        """Return the marks of one exercise, tried again with right helpers in place of those that failed.

        A helper that is right itself, given right ones, stays the student's own: it is no root of the fault.
        """
        helpers = declared(self.number).get(name, ())
        wrong = [h for h in helpers if rows[h]["status"] != "passed" and rows[h]["rule"] == OWN]
        no_attempt = {}
        for helper in wrong:
            if why := self._no_attempt(helper, rows[helper], list(no_attempt)):
                no_attempt[helper] = why
        given = [h for h in wrong if h not in no_attempt]
        if not given:
            called = self.first.telling.places.called(name, list(no_attempt))
            return self._refused(rows[name], called[0], no_attempt[called[0]]) if called else rows[name]
        self.right.forget()
        tried = self._tried(name, {h: self.right.function(h) for h in given})
        if not self.right.gave:
            return rows[name]
        used = [h for h in given if h in self.right.gave]
        cap, partial = self.first.settings["cap"], self.first.settings["partial"]
        again = row(self.exercises[name], self.first.seeds[self.exercises[name].id], tried, partial)
        if self._did_all(name, tried):
            return with_follow_through(rows[name], used, again["points"], "refused", cap, DID_ALL)
        status = "passed" if again["status"] == "passed" else "failed"
        return with_follow_through(rows[name], used, again["points"], status, cap)

    def _refused(self, found, helper, why):
        return with_follow_through(found, [helper], 0, "refused", self.first.settings["cap"], why)

    def _tried(self, name, given, cases=None):
        """Return the cases of one exercise, tried in a room where these helpers are right ones."""
        id = self.exercises[name].id
        only = {id: self.first.drawn[id] if cases is None else cases}
        settings = self.first.settings | {"budget": self.until - time.monotonic()}
        return Marking(self.sandbox, settings, self.student, self.first.raw, only, given).run().tried[id]

    def _did_all(self, name, tried):
        """Return whether every right output is what a right helper made of the same arguments."""
        tolerance = self.exercises[name].tolerance
        gave = [
            (plain(asked), plain(value)) for values in self.right.gave.values() for asked, value in values
        ]
        right = [t for t in tried if t.passed]
        return bool(right) and all(any(_is_that(t, *pair, tolerance) for pair in gave) for t in right)

    def _no_attempt(self, name, found, others):
        """Return why an answer is no attempt, in a sentence, or "": then a right one may stand for it.

        `others` are those that are no attempt; what calls one of them is not put right, either.
        """
        if found["status"] in ("not begun", "missing", "unreadable"):
            return f"`{name}` was not tried."
        if called := self.first.telling.places.called(name, others):
            return f"`{name}` calls `{called[0]}`, which is no attempt."
        exercise, tried = self.exercises[name], self.first.tried[found["id"]]
        if why := silly(exercise, tried):
            return f"`{name}` {why}"
        cases = [(t.case, other) for t in tried if _ran(t) and (other := _other(exercise, t.case))][:PROBES]
        asked = [case for pair in cases for case in (pair[0], *pair)]
        again = self._tried(name, {}, [replace(c, name=f"{i}") for i, c in enumerate(asked)]) if asked else []
        outputs = [t.outcome.output if _ran(t) else None for t in again]
        steady = all(same(a, b, 1e-9) for a, b in zip(outputs[::3], outputs[1::3], strict=True))
        if not steady:
            return f"`{name}` returns something else each time it is asked the same."
        pairs = zip(outputs[::3], outputs[2::3], strict=True)
        if asked and all(other is None or _alike(one, other) for one, other in pairs):
            return f"`{name}` returns the same whatever numbers it is given."
        return ""


def _ran(tried):
    """Return whether a case came to an end with an output."""
    return tried.status in ("wrong", "passed") and not tried.outcome.returned


def silly(exercise, tried):
    """Return why these outputs are no attempt at an exercise, in words, or ""."""
    ran = [t for t in tried if _ran(t)]
    if 2 * len(ran) < len(tried) or not ran:
        return "does not run."
    kinds = [difference(t.outcome.output, t.expected, exercise.tolerance) for t in ran]
    if 2 * sum(kind is not None and kind.kind == "structure" for kind in kinds) > len(ran):
        return "returns something of another shape or kind."
    wrong = [t for t, kind in zip(ran, kinds, strict=True) if kind is not None]
    if wrong and all(map(_hands_back, wrong)):
        return "hands back what it is given."
    if _flat([t.expected for t in ran]):
        return ""
    return "returns one and the same number everywhere." if _flat([t.outcome.output for t in ran]) else ""


def _is_that(tried, asked, value, tolerance):
    """Return whether an output is what a helper made of arguments of the case, and of nothing else."""
    if not same(tried.outcome.output, value, tolerance):
        return False
    arguments = [plain(argument) for argument in tried.case.arguments if not callable(argument)]
    return all(any(same(one, argument, 0) for argument in arguments) for one in asked)


def _hands_back(tried):
    """Return whether an output is one of the arguments."""
    for argument in tried.case.arguments:
        with contextlib.suppress(TypeError):  # a function is no output
            if _alike(tried.outcome.output, plain(argument)):
                return True
    return False


def _flat(outputs):
    """Return whether each output is one number again and again, and single numbers are the same in all."""
    parts = [_numbers(output) for output in outputs]
    each = all(len(set(part)) <= 1 for part in parts)
    single = {part[0] for part in parts if len(part) == 1}
    return each and len(single) <= 1


def _numbers(value):
    """Return the numbers and texts in plain data, in a list; arrays are rounded."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    if isinstance(value, np.ndarray):
        return value.ravel().tolist() if value.dtype.kind != "f" else np.round(value, 9).ravel().tolist()
    return [round(value, 9) if isinstance(value, float) and np.isfinite(value) else str(value)]


def _alike(one, other):
    """Return whether two outputs are the same in shape and numbers."""
    first, second = as_array(one), as_array(other)
    if first is None or second is None:
        return same(one, other, 1e-9)
    return first.shape == second.shape and same(first, second, 1e-9)


def _other(exercise, case):
    """Return a case with other numbers of the same shape, whose right output is another; None for none."""
    moved = replace(case, arguments=tuple(map(_moved, case.arguments)), expected=None, properties=())
    before = run(exercise, exercise.reference, case.arguments)
    after = run(exercise, exercise.reference, moved.arguments)
    changed = not (after.error or after.returned or _alike(before.output, after.output))
    return moved if changed else None


def _moved(value):
    """Return an argument with other numbers where it holds arrays, in the same shape and the same range."""
    if isinstance(value, dict):
        return {key: _moved(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_moved, value))
    if isinstance(value, np.ndarray) and value.ndim:
        turned = value[::-1].copy()
        return 0.7 * turned if turned.dtype.kind == "f" else turned
    return value
