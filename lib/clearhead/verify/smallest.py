"""The search for the smallest input on which a function still fails in the same way."""

import time
from dataclasses import dataclass, replace

import numpy as np

from clearhead.checks.comparing import same
from clearhead.checks.diagnosis import same_as_mistake
from clearhead.checks.running import run
from clearhead.checks.verdicts import CaseResult, expected

SECONDS = 10
ENTRIES = 16  # arrays with more entries are not simplified entry by entry


@dataclass(frozen=True)
class Smallest:
    """A small input on which a function is wrong: the arguments, the expected result, and the outcome."""

    arguments: tuple
    expected: object
    outcome: object  # Outcome


def smallest(entry, answer, verdict):
    """Return the Smallest input that was found, or None if no case failed.

    Rows and columns are removed as long as the function fails in the same way: with the same known mistake,
    if there is one, with the same type of error, and with finite numbers if they were finite. An index is
    removed from all arguments that have its axis. Characters are removed from strings. Then numbers are
    rounded, and set to 0 or 1. Inputs on which libraries disagree by convention are avoided, unless the
    function already failed on such an input.

    Parameters
    ----------
    entry : EntryPoint
    answer : callable
    verdict : Verdict
    """
    failed = [
        each
        for each in (*verdict.tried, *verdict.more)
        if each.status in ("wrong", "error")
        and (not verdict.mistake or same_as_mistake(verdict.exercise, verdict.mistake, each))
    ]
    if not failed:
        failed = [each for each in verdict.tried if each.status in ("wrong", "error")]
    if not failed:
        return None
    tolerance = _visible(verdict.exercise)

    def order(each):
        hidden = each.status == "wrong" and same(each.outcome.output, each.expected, tolerance)
        return each.status == "error", hidden, _size(each.case.arguments)

    first = min(failed, key=order)
    search = _Search(entry, verdict.exercise, answer, verdict.mistake, first)
    search.remove_rows()
    search.remove_characters()
    search.simplify_numbers()
    return Smallest(search.arguments, search.expected, search.outcome)


class _Search:
    """A search that starts from one failing case and keeps the smallest failing input found so far."""

    def __init__(self, entry, exercise, answer, mistake, first):
        self.entry, self.exercise, self.answer, self.first = entry, exercise, answer, first
        self.mistake = mistake if mistake and same_as_mistake(exercise, mistake, first) else None
        self.arguments, self.outcome = first.case.arguments, first.outcome
        self.expected = None if first.status == "error" else first.expected
        self.finite, self.end = _finite(first.outcome.output), time.monotonic() + SECONDS
        others = [each.exercise for each in entry.readings if each.conventions]
        self.others = [each for each in others if self._agrees(each, first.case, self.expected)]

    def _agrees(self, exercise, case, right):
        """Return True if another reading of the entry point gives the same result in a case."""
        outcome = run(exercise, exercise.reference, case.arguments)
        return not outcome.error and same(outcome.output, right, 1e-6)

    def remove_rows(self):
        """Remove one index after another along each axis, as long as the function fails in the same way."""
        pairs = zip(self.arguments, self.entry.inputs, strict=False)
        axes = sorted({axis for value, each in pairs for axis in each.axes_of(value) or ()})
        again = True
        while again:
            again = False
            for axis in axes:
                size = self._size_of(axis)
                # half of an axis first, then one index at a time, from the end
                for removed in [range(size // 2, size), *([n] for n in reversed(range(size)))]:
                    if size - len(removed) < 1 or len(removed) < 1 or self._size_of(axis) != size:
                        continue
                    again |= self._try(self._without(axis, removed))

    def remove_characters(self):
        """Remove characters from strings, down to one, as long as the function fails in the same way."""
        for place, value in enumerate(self.arguments):
            length = len(value) if isinstance(value, str) else 0
            while length > 1:
                text, before = self.arguments[place], length
                halves = [text[: length // 2], text[length // 2 :]]
                shorter = [*halves, *(text[:n] + text[n + 1 :] for n in reversed(range(length)))]
                next((each for each in shorter if self._try(self._replaced(place, each))), None)
                length = len(self.arguments[place])
                if length == before:
                    break

    def simplify_numbers(self):
        """Round numbers, and set entries to 0 and 1, as long as the function fails in the same way."""
        for place, value in enumerate(self.arguments):
            known = self.entry.inputs[place].axes is not None if place < len(self.entry.inputs) else False
            if not (known and isinstance(value, np.ndarray) and value.size):
                continue
            if value.dtype.kind == "f":
                for digits in (0, 1, 2):
                    if self._try(self._replaced(place, np.round(value, digits))):
                        break
            simple = {"f": (0.0, 1.0), "b": (True,), "i": (0,)}.get(value.dtype.kind, ())
            for index in np.ndindex(value.shape) if value.size <= ENTRIES else ():
                for number in simple:
                    changed = self.arguments[place].copy()
                    if changed[index] in (number, 0.0 if changed.dtype.kind == "f" else number):
                        break
                    changed[index] = number
                    if self._try(self._replaced(place, changed)):
                        break

    def _size_of(self, axis):
        """Return the size of an axis in the arguments, or 0 if no array has this axis."""
        for value, each in zip(self.arguments, self.entry.inputs, strict=False):
            axes = each.axes_of(value) or ()
            if axis in axes:
                return np.shape(value)[axes.index(axis)]
        return 0

    def _without(self, axis, removed):
        """Return the arguments without some of the indices along an axis."""
        arguments = []
        for value, each in zip(self.arguments, self.entry.inputs, strict=False):
            if isinstance(value, np.ndarray):
                for place in [n for n, name in enumerate(each.axes_of(value) or ()) if name == axis]:
                    value = np.delete(value, list(removed), axis=place)
            arguments.append(value)
        return (*arguments, *self.arguments[len(arguments) :])

    def _replaced(self, place, value):
        return (*self.arguments[:place], value, *self.arguments[place + 1 :])

    def _try(self, arguments):
        """Keep the given arguments and return True if the function fails in the same way with them."""
        if time.monotonic() > self.end or not self.entry.is_valid(arguments):
            return False
        case = replace(self.first.case, arguments=arguments, expected=None, properties=(), recorded=None)
        try:
            right = expected(self.exercise, case, None)
        except RuntimeError:  # the reference does not accept these arguments
            return False
        if _has_nan(right) and not _has_nan(self.expected):
            return False
        outcome = run(self.exercise, self.answer, arguments)
        if outcome.error_name != self.first.outcome.error_name:
            return False
        if not outcome.error:
            lost = self.finite and not _finite(outcome.output)
            if lost or same(outcome.output, right, _visible(self.exercise)):
                return False
        tried = CaseResult(case, outcome, "error" if outcome.error else "wrong", "", right)
        if self.mistake and not same_as_mistake(self.exercise, self.mistake, tried):
            return False
        if not all(self._agrees(each, case, right) for each in self.others):
            return False
        self.arguments, self.outcome, self.expected = arguments, outcome, right
        return True


def _visible(exercise):
    """Return the smallest error that is visible in the digits that a report shows."""
    return max(100 * exercise.tolerance, 1e-3)


def _size(arguments):
    """Return the total number of array entries and characters in all arguments."""
    return sum(
        np.size(value) if isinstance(value, np.ndarray) else len(value)
        for value in arguments
        if isinstance(value, np.ndarray | str)
    )


def _has_nan(output):
    """Return True if an output contains NaN."""
    try:
        return bool(np.isnan(np.asarray(output, dtype=float)).any())
    except (TypeError, ValueError):
        return False


def _finite(output):
    """Return True if all numbers in an output are finite, or if it cannot be read as numbers."""
    try:
        return bool(np.isfinite(np.asarray(output, dtype=float)).all())
    except (TypeError, ValueError):
        return True
