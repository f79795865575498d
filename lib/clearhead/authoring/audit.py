"""Audit an exercise: change its answer in many small ways, and see what the check makes of each change.

A changed answer that passes is a hole in the cases, unless it does the same for every input. One that fails,
and is told no more than the values that differ, is a slip that no message names yet.
"""

import time
from dataclasses import dataclass, field

import numpy as np

from clearhead.checks import diagnosis, from_text, running, verdicts
from clearhead.checks.explaining import explain
from clearhead.checks.plain_data import plain

from .mutants import mutants

SEEDS = range(3)
SECONDS = 1  # for one case of one mutant


@dataclass
class Audit:
    """What came of the mutants of one exercise.

    Attributes
    ----------
    id : str
    tried : int
        The mutants that ran, and did so in more than half of the cases.
    passed : list of Mutant
        Those that pass with every seed.
    named, explained : int
        The distinct wrong behaviours that are called by their name, and those that get another sentence.
    unnamed : list of Mutant
        One for each wrong behaviour that is told nothing beyond the values.
    left : int
        The mutants that were not tried, since the time was up.
    """

    id: str
    tried: int = 0
    passed: list = field(default_factory=list)
    named: int = 0
    explained: int = 0
    unnamed: list = field(default_factory=list)
    left: int = 0

    def lines(self):
        """Yield what an author reads."""
        failing = self.named + self.explained + len(self.unnamed)
        yield (
            f"{self.id}: {self.tried} mutants tried, {len(self.passed)} pass; of {failing} distinct wrong "
            f"behaviours {self.named} are named, {self.explained} explained, {len(self.unnamed)} neither."
        )
        if self.left:
            yield f"  The time was up before {self.left} mutants were tried: allow more with --seconds."
        yield from (f"  passes: {each.line}   ({each.rule})" for each in self.passed)
        yield from (f"  told only values: {each.line}   ({each.rule})" for each in self.unnamed)


def audit(exercise, seconds=60):
    """Return the Audit of an exercise that is written as text.

    Parameters
    ----------
    exercise : Exercise
    seconds : float
        When so much time has passed, no further mutant is tried.
    """
    found, end = Audit(exercise.id), time.monotonic() + seconds
    namespace = from_text.namespace(exercise)
    cases = [verdicts.drawn_cases(exercise, seed) for seed in SEEDS]
    behaviours = set()
    running_seconds, running.SECONDS = running.SECONDS, SECONDS
    try:
        for mutant in mutants(exercise.text.answer):
            if time.monotonic() > end:
                found.left += 1
            elif answer := _compiled(namespace, mutant, exercise.entry):
                _try(exercise, answer, mutant, cases, behaviours, found)
    finally:
        running.SECONDS = running_seconds
    return found


def _compiled(namespace, mutant, entry):
    """Return the function of a mutant, None where its source does not even run."""
    try:
        return namespace.run(mutant.source)[entry]
    except Exception:
        return None


def _try(exercise, answer, mutant, cases, behaviours, found):
    """Add to an audit what came of one mutant."""
    verdict = verdicts.try_cases(exercise, answer, SEEDS[0], cases[0])
    errors = sum(bool(tried.outcome.error) for tried in verdict.tried)
    if 2 * errors > len(verdict.tried):
        return  # it stops at once, as any typing error does
    found.tried += 1
    if verdict.passed:
        if all(verdicts.try_cases(exercise, answer, n, drawn).passed for n, drawn in enumerate(cases[1:], 1)):
            found.passed.append(mutant)
        return
    behaviour = "|".join(_key(tried.outcome) for tried in verdict.tried)
    if behaviour in behaviours:
        return
    behaviours.add(behaviour)
    verdict = diagnosis.examine(exercise, answer, SEEDS[0])
    if verdict.mistake:
        found.named += 1
    elif explain(verdict):
        found.explained += 1
    else:
        found.unnamed.append(mutant)


def _key(outcome):
    """Return what an answer did in one case as text, the same for the same behaviour."""
    if outcome.error:
        return outcome.error_name
    try:
        return repr(np.round(np.asarray(plain(outcome.output), dtype=float), 5).tolist())
    except (TypeError, ValueError):
        return repr(outcome.output)[:500]
