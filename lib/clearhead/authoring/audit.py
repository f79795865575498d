"""The audit of an exercise, which changes its answer in many small ways and runs the check on each change.

A changed answer that passes, although its results differ from the right ones for inputs similar to those of
the cases, shows that a case is missing. A changed answer that fails without any explanation beyond the wrong
values is a slip that no message names yet.
"""

import time
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

from clearhead.checks import diagnosis, from_text, running, verdicts
from clearhead.checks.explaining import explain
from clearhead.checks.plain_data import plain

from .mutants import mutants

SEEDS = range(3)
MORE_SEEDS = range(3, 9)  # a mutant that passed is tried again with these, and with changed inputs
SECONDS = 1  # time limit for one case of one mutant
#: Changes of each array of floats in the inputs of a case, by which differences of a mutant are found.
CHANGES = {
    "with other signs": lambda array, rng: -array,
    "a thousand times as large": lambda array, rng: 1000 * array,
    "a thousandth as large": lambda array, rng: array / 1000,
    "with noise": lambda array, rng: array + rng.normal(size=array.shape).astype(array.dtype),
}


@dataclass
class Audit:
    """The result of an audit: how the check judges the mutants of one exercise's answer.

    Attributes
    ----------
    id : str
    tried : int
        The number of mutants that ran without an error in at least half of the cases.
    equal : int
        The number of mutants that pass, and that agree with the answer for changed inputs, too.
    passed : list of (Mutant, str)
        The mutants that pass with every seed, but differ from the answer for other inputs, with these inputs.
    named, explained : int
        The numbers of distinct wrong behaviours that are named as mistakes, and that get another explanation.
    unnamed : list of Mutant
        One mutant for each distinct wrong behaviour that gets no explanation beyond the wrong values.
    left : int
        The number of mutants that were not tried, because the time was up.
    """

    id: str
    tried: int = 0
    equal: int = 0
    passed: list = field(default_factory=list)
    named: int = 0
    explained: int = 0
    unnamed: list = field(default_factory=list)
    left: int = 0

    def lines(self):
        """Yield the lines of the report for the author."""
        failing = self.named + self.explained + len(self.unnamed)
        yield (
            f"{self.id}: {self.tried} mutants tried; {self.equal} do the same as the answer, and "
            f"{len(self.passed)} pass although they do not. Of {failing} distinct wrong behaviours, "
            f"{self.named} are named, {self.explained} explained, {len(self.unnamed)} neither."
        )
        if self.left:
            yield f"  The time was up before {self.left} mutants were tried: allow more with --seconds."
        yield from (f"  passes: {each.line}   ({each.rule}; differs {where})" for each, where in self.passed)
        yield from (f"  told only values: {each.line}   ({each.rule})" for each in self.unnamed)


def audit(exercise, seconds=60):
    """Return the Audit of an exercise that is read from a Markdown file.

    Parameters
    ----------
    exercise : Exercise
    seconds : float
        The time after which no further mutant is tried.
    """
    found, end = Audit(exercise.id), time.monotonic() + seconds
    namespace = from_text.namespace(exercise)
    cases = [verdicts.drawn_cases(exercise, seed) for seed in SEEDS]
    behaviours = set()
    running_seconds, running.TIME_LIMIT = running.TIME_LIMIT, SECONDS
    try:
        for mutant in mutants(exercise.text.answer):
            if time.monotonic() > end:
                found.left += 1
            elif answer := _compiled(namespace, mutant, exercise.answer_name):
                _try(exercise, answer, mutant, cases, behaviours, found)
    finally:
        running.TIME_LIMIT = running_seconds
    return found


def _compiled(namespace, mutant, answer_name):
    """Return the function that a mutant defines, or None if its source cannot be run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a mutant may well index a number
        try:
            return namespace.run(mutant.source)[answer_name]
        except Exception:
            return None


def _try(exercise, answer, mutant, cases, behaviours, found):
    """Add the result of one mutant to an audit."""
    verdict = verdicts.try_cases(exercise, answer, SEEDS[0], cases[0])
    errors = sum(bool(tried.outcome.error) for tried in verdict.tried)
    if 2 * errors > len(verdict.tried):
        return  # it fails at once, as with a typing error
    found.tried += 1
    if verdict.passed:
        if all(verdicts.try_cases(exercise, answer, n, drawn).passed for n, drawn in enumerate(cases[1:], 1)):
            if where := _difference(exercise, answer, cases[0]):
                found.passed.append((mutant, where))
            else:
                found.equal += 1
        return
    behaviour = "|".join(_key(tried.outcome) for tried in verdict.tried)
    if behaviour in behaviours:
        return
    behaviours.add(behaviour)
    verdict = diagnosis.diagnose(exercise, answer, SEEDS[0])
    if verdict.mistake or verdict.slips:
        found.named += 1
    elif explain(verdict):
        found.explained += 1
    else:
        found.unnamed.append(mutant)


def _difference(exercise, answer, cases):
    """Return the inputs for which a passing answer differs from the right one, or "" if none are found."""
    rng = np.random.default_rng(0)
    for seed in MORE_SEEDS:
        if not verdicts.try_cases(exercise, answer, seed).passed:
            return f"with seed {seed}"
    for words, change in CHANGES.items():
        for case in cases:
            arguments = tuple(_changed(each, change, rng) for each in case.arguments)
            right = running.run(exercise, exercise.reference, arguments)
            if right.error or not _finite(right.output):
                continue
            other = replace(case, arguments=arguments, expected=right.output, properties=())
            got = running.run(exercise, answer, arguments)
            if not verdicts.judge(exercise, other, got).passed:
                return f"in the case {case.name!r} {words}"
    return ""


def _changed(argument, change, rng):
    """Return an argument of a case, changed if it is an array of floats."""
    fractions = isinstance(argument, np.ndarray) and argument.dtype.kind == "f"
    return change(argument, rng) if fractions else argument


def _finite(output):
    """Return True if all numbers in an output are finite, or if it holds no numbers."""
    try:
        return bool(np.isfinite(np.asarray(plain(output), dtype=float)).all())
    except (TypeError, ValueError):
        return True


def _key(outcome):
    """Return a string that is the same for equal outcomes of an answer in one case, up to rounding."""
    if outcome.error:
        return outcome.error_name
    try:
        return repr(np.round(np.asarray(plain(outcome.output), dtype=float), 5).tolist())
    except (TypeError, ValueError):
        return repr(outcome.output)[:500]
