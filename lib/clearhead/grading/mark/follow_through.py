"""Follow-through marks: an answer that builds on a wrong or missing helper is also marked with a right one.

An answer earns what it would have earned with the right helper, up to a cap, and never less than with its
own. A helper that is missing costs no more than one that is wrong, so that leaving out or deleting an
answer never changes what the others earn. Nothing is earned if the right helper has done all of the work.
"""

import time

from clearhead.checks.comparing import same
from clearhead.checks.plain_data import plain

from .marking import BUDGET, Marking
from .marks import OWN, exercise_marks, with_follow_through
from .right_helpers import RightHelpers, declared

TRIED_AGAIN = ("failed", "error", "crashed", "timeout", "memory")
DID_ALL = "it hands its arguments to that helper and gives back what comes, so no work was left to do."


class FollowThrough:
    """The second marking of one notebook, in which right helpers replace wrong ones.

    The student's code runs in `sandbox`, and `open_sandbox()` returns the sandbox of the right helpers. Both
    markings share one budget of time, which began with the first one, at `begun` (`time.monotonic`).
    """

    def __init__(self, first, student, sandbox, open_sandbox, begun):
        self.first, self.student, self.sandbox = first, student, sandbox
        self.number = first.settings["sheets"][0]
        self.right = RightHelpers(open_sandbox, self.number)
        self.exercises = {e.answer_name: e for e in first.exercises}
        self.until = begun + first.settings.get("budget", BUDGET)

    def rows(self, rows):
        """Return the marks of all exercises, including what each earns with right helpers."""
        rows = {found["id"].partition(".")[2]: found for found in rows}
        try:
            for name in self.exercises:
                if time.monotonic() > self.until:
                    break
                if self._may_earn_more(name, rows):
                    rows[name] = self._followed(name, rows)
        finally:
            self.right.close()
        return list(rows.values())

    def _failed(self, name, rows):
        """Return the wrong helpers on which an answer builds, without those whose own helpers are the cause.

        A helper that is right as soon as its own helpers are is not replaced, because it is not the cause.
        """
        helpers = declared(self.number).get(name, ())
        return [h for h in helpers if rows[h]["status"] != "passed" and rows[h]["rule"] == OWN]

    def _may_earn_more(self, name, rows):
        """Return True if a wrong answer builds on another wrong answer.

        An answer that calls a stub has the status of a stub, so its text shows whether it was attempted.
        """
        failed, found = self._failed(name, rows), rows[name]
        if not failed or found["own_points"] == found["max_points"]:
            return False
        if found["status"] == "not_attempted":
            wrong = [h for h in declared(self.number)[name] if rows[h]["status"] != "passed"]
            return bool(self.first.notebook_notes.locator.called(name, wrong))
        return found["status"] in TRIED_AGAIN

    def _followed(self, name, rows):
        """Return the marks of one exercise, tried again with right helpers instead of the wrong ones."""
        given = self._failed(name, rows)
        self.right.forget()
        tried = self._tried(name, {h: self.right.function(h) for h in given})
        if not self.right.gave:
            return rows[name]
        used = [h for h in given if h in self.right.gave]
        cap, partial = self.first.settings["cap"], self.first.settings["partial"]
        exercise = self.exercises[name]
        again = exercise_marks(exercise, self.first.seeds[exercise.id], tried, partial)
        if self._did_all(name, tried):
            return with_follow_through(rows[name], used, again["points"], "refused", cap, DID_ALL)
        status = "passed" if again["status"] == "passed" else "failed"
        return with_follow_through(rows[name], used, again["points"], status, cap)

    def _tried(self, name, given):
        """Return the judged cases of one exercise, run in a sandbox in which `given` replaces its helpers."""
        id = self.exercises[name].id
        settings = self.first.settings | {"budget": self.until - time.monotonic()}
        only = {id: self.first.drawn[id]}
        return Marking(self.sandbox, settings, self.student, self.first.raw, only, given).run().tried[id]

    def _did_all(self, name, tried):
        """Return True if each right output was returned by a right helper for the same arguments."""
        tolerance = self.exercises[name].tolerance
        gave = [pair for pairs in self.right.gave.values() for pair in pairs]
        right = [t for t in tried if t.passed]
        return bool(right) and all(any(_is_that(t, *pair, tolerance) for pair in gave) for t in right)


def _is_that(tried, called_with, value, tolerance):
    """Return True if an output is a helper's result, and the helper got only arguments of the case."""
    if not same(tried.outcome.output, value, tolerance):
        return False
    arguments = [plain(argument) for argument in tried.case.arguments if not callable(argument)]
    return all(any(same(one, argument, 0) for argument in arguments) for one in called_with)
