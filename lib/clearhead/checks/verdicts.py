"""The verdict on an answer, with the result of every case: passed, wrong, or an error."""

import re
from dataclasses import dataclass, replace

import numpy as np

from .comparing import difference, float_instead_of_integer, same
from .exercise import Case, Exercise, Mistake, OneOf
from .plain_data import as_array, describe, fits_float32, is_error_text, plain
from .running import Outcome, run, run_each

RETURNED_NONE = "your function returned None: is a `return` missing?"
RAISES_FOR_EVERY_INPUT = (
    "your answer raises this error for every input, so it does not distinguish invalid inputs from valid ones"
)
RETURNED_NONE_HERE = (
    "your function returned None here, but a value in other cases: does every branch `return` something?"
)


@dataclass(frozen=True)
class CaseResult:
    """The result of one case: its outcome, its status, and its problem in words."""

    case: Case
    outcome: Outcome
    status: str  # "passed", "wrong", "error", "not_attempted", "timeout" or "skipped"
    problem: str = ""  # what is wrong, in words
    expected: object = None  # plain data

    @property
    def passed(self):
        """Return True if the case passed."""
        return self.status == "passed"


@dataclass(frozen=True)
class Verdict:
    """The results of all cases of an exercise with one seed, and the mistakes that explain them."""

    exercise: Exercise
    seed: int
    tried: tuple
    mistake: Mistake | None = None
    certain: bool = False  # True if the mistake explains every case, and the results are distinctive
    partly: bool = (
        False  # the mistake explains the case that is shown, and other cases fail for another reason
    )
    slips: tuple = ()  # the mistakes that explain every result: an ordinary slip, or two mistakes at once
    one_unknown: bool = False  # True if there is also a second mistake, which cannot be named
    right_for_arguments: str = ""  # the change of the arguments for which every result would be right
    names: tuple = ()  # the names in the `return` of an answer that returns several values
    unused: str = ""  # which arguments may change without any change of the result
    more: tuple = ()  # the cases of two more seeds, tried where no mistake was certain at once

    @property
    def passed(self):
        """Return True if there is at least one case and every case passed."""
        return bool(self.tried) and all(t.passed for t in self.tried)

    @property
    def attempted(self):
        """Return True unless every case ended at `raise NotImplementedError`, as in an untouched sheet."""
        return any(t.status != "not_attempted" for t in self.tried)

    @property
    def marks(self):
        """Return the marks of a check as a dict, which is empty if the exercise was not attempted."""
        if not self.attempted:
            return {}
        points = {"points": self.points, "out_of": self.out_of}
        return points | {"passed": self.passed, "seed": self.seed}

    @property
    def points(self):
        """Return the total points of the cases that passed."""
        return sum(t.case.points for t in self.tried if t.passed)

    @property
    def out_of(self):
        """Return the total points of all cases."""
        return sum(t.case.points for t in self.tried)


def drawn_cases(exercise, seed):
    """Return the cases drawn with a seed, which a class edition maps to one of its recorded seeds."""
    if exercise.recorded is None:
        return exercise.cases(np.random.default_rng(seed))
    seed %= exercise.recorded.draws
    cases = exercise.cases(np.random.default_rng(seed))
    known = exercise.recorded.cases(cases, seed)
    return [replace(case, recorded=each) for case, each in zip(cases, known, strict=True)]


def short_cases(exercise, seed):
    """Return the cases drawn with a seed, without the slow ones that are tried only once."""
    return [case for case in drawn_cases(exercise, seed) if not case.once]


def try_cases(exercise, answer, seed, cases=None):
    """Return the Verdict on an answer for the cases drawn with `seed`, without known mistakes."""
    cases = cases or drawn_cases(exercise, seed)
    outcomes = run_each(exercise, answer, cases)
    tried = [judge(exercise, *pair) for pair in zip(cases, outcomes, strict=False)]
    left = "skipped, because the case before it took too long"
    tried += [CaseResult(case, Outcome(), "skipped", left) for case in cases[len(outcomes) :]]
    tried = fail_accidental_errors(tried)
    if any(t.expected is None and t.status in ("passed", "wrong") for t in tried):  # None may be right
        none = _sentences([RETURNED_NONE])
        tried = [replace(t, problem=_got_none(t)) if t.problem == none else t for t in tried]
    elif any(t.outcome.output is not None for t in tried):
        here = _sentences([RETURNED_NONE_HERE])
        tried = [replace(t, problem=here) if t.problem == _sentences([RETURNED_NONE]) else t for t in tried]
    return Verdict(exercise, seed, tuple(tried))


def fail_accidental_errors(tried):
    """Return the results of cases, where an expected error is wrong if every input raises it.

    An answer that raises a ValueError for every input does not distinguish valid from invalid inputs, and so
    an expected error counts only if the answer accepts at least one ordinary input.
    """
    ran = [t for t in tried if t.status not in ("skipped", "not_attempted")]
    ordinary = [t for t in ran if not is_error_text(t.expected)]
    refused = [t for t in tried if t.passed and is_error_text(t.expected)]
    if not ordinary or not refused or not all(_stopped(t) for t in ordinary):
        return tried
    problem = _sentences([RAISES_FOR_EVERY_INPUT])
    accidental = [t for t in refused if all(_stopped(o) in t.expected for o in ordinary)]
    return [replace(t, status="wrong", problem=problem) if t in accidental else t for t in tried]


def _stopped(tried):
    """Return the name of the error in which an ordinary case ended, or "" if a value was returned."""
    if tried.status == "error":
        return tried.outcome.error_name
    return tried.outcome.caught_error.partition(":")[0] if is_error_text(tried.outcome.output) else ""


def _got_none(tried):
    """Return the message about None in place of another expected result."""
    return _sentences([f"expected {describe(tried.expected)}, got None"])


def judge(exercise, case, outcome):
    """Return the CaseResult of an outcome: its status, and what is wrong with it, if anything."""
    if outcome.error:
        statuses = {"NotImplementedError": "not_attempted", "TimeLimitExceeded": "timeout"}
        status = statuses.get(outcome.error_name, "error")
        if status == "not_attempted" and outcome.line and "NotImplementedError" not in outcome.line:
            status = "error"  # raised by a library, such as PyTorch for integers, and not by the stub
        error = f"{outcome.error_name}: {outcome.meaning}" if outcome.meaning else outcome.error
        said = outcome.error.partition(": ")[2] if status == "timeout" else error
        return CaseResult(case, outcome, status, _sentences([said]))
    expected_output = expected(exercise, case, outcome.output)
    problem = [_wrong(exercise, case, outcome, expected_output)]
    if (
        problem[0]
        and is_error_text(outcome.output)
        and not is_error_text(expected_output)
        and outcome.caught_error
    ):
        problem.append(f"the error was: {outcome.caught_error}")
    if outcome.changed:
        names = " and ".join(f"`{name}`" for name in outcome.changed)
        begin = "" if problem[0] else "your result is right, but "
        several = "s" if len(outcome.changed) > 1 else ""
        end = "work on a copy, because the caller still needs the original"
        problem.append(f"{begin}your function changed its argument{several} {names}: {end}")
    said = _sentences(problem)
    return CaseResult(case, outcome, "wrong" if said else "passed", said, expected_output)


def _wrong(exercise, case, outcome, expected):
    """Return what is wrong with an output, first with its structure, then its properties, then its values."""
    if outcome.returned:
        return f"expected {describe(expected)}, got {outcome.returned}"
    if outcome.output is None and expected is not None:
        return RETURNED_NONE
    differs = difference(outcome.output, expected, exercise.tolerance)
    short = fits_float32(outcome.output) and not fits_float32(expected)
    broken, to_seven_digits = "", differs is None and short
    if not to_seven_digits and (differs is None or differs.kind != "structure"):
        output = as_array(outcome.output) if isinstance(expected, np.ndarray) else outcome.output
        broken = next((words for words, holds in case.properties if not _holds(holds, output, case)), "")
    floats = exercise.ids and differs is None and float_instead_of_integer(outcome.output, expected)
    difference_text = differs.words if differs else floats or ""
    if not broken:
        return _sentences([difference_text])
    said = re.sub("^expected (?=[(\\d+-])", "expected the result ", difference_text)  # not what should hold
    return _sentences([f"this should hold, but does not: {broken}", said])


def _holds(property, output, case):
    """Return True if a property holds for an output, and False also if it cannot be computed."""
    try:
        with np.errstate(all="ignore"):
            return bool(property(output, *case.arguments))
    except Exception:
        return False


def _sentences(parts):
    """Return the non-empty parts joined into sentences."""
    parts = [part.rstrip(" .") for part in parts if part]
    return " ".join(part[:1].upper() + part[1:] + ("" if part.endswith("?") else ".") for part in parts)


def cached_outcome(exercise, answer, case):
    """Return the Outcome of one of the exercise's own answers in a case, in which it runs only once."""
    if answer not in case.cached_outcomes:
        case.cached_outcomes[answer] = replace(run(exercise, answer, case.arguments), given=())
    return case.cached_outcomes[answer]


def expected(exercise, case, output):
    """Return the expected output of a case: a given one, a recorded one, or that of the reference."""
    if isinstance(case.expected, OneOf):
        right = [plain(each) for each in case.expected.outputs]
        return next((each for each in right if same(output, each, exercise.tolerance)), right[0])
    if case.expected is not None:
        return plain(case.expected)
    if case.recorded is not None:
        return case.recorded.expected
    right = cached_outcome(exercise, exercise.reference, case)
    if right.error or right.returned:
        raise RuntimeError(
            f"the reference of {exercise.id} fails on {case.name!r}: {right.error or right.returned}"
        )
    return right.output
