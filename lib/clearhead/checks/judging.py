"""Try an answer on every case of an exercise, and find the known mistake that it makes."""

from dataclasses import dataclass, replace

import numpy as np

from .comparing import difference, same, whole_numbers_lost
from .exercise import Case, Exercise, Mistake, OneOf
from .plain_data import as_array, describe, plain
from .running import Outcome, parameter_names, run, same_outcome


@dataclass(frozen=True)
class Tried:
    """One case, tried."""

    case: Case
    outcome: Outcome
    status: str  # "passed", "wrong", "error", "todo", "slow" or "untried"
    trouble: str = ""  # what is wrong, in words
    expected: object = None  # plain data

    @property
    def passed(self):
        """Return True where the case passed."""
        return self.status == "passed"


@dataclass(frozen=True)
class Verdict:
    """All cases of an exercise, tried with one seed."""

    exercise: Exercise
    seed: int
    tried: tuple
    mistake: Mistake | None = None
    certain: bool = False  # the mistake gives the same on every case that was tried, not on most

    @property
    def passed(self):
        """Return True where every case passed; an exercise without cases is never passed."""
        return bool(self.tried) and all(t.passed for t in self.tried)

    @property
    def begun(self):
        """Return True unless every case ended at `raise NotImplementedError`, as an untouched sheet does."""
        return any(t.status != "todo" for t in self.tried)

    @property
    def points(self):
        """Return the points of the cases that passed."""
        return sum(t.case.points for t in self.tried if t.passed)

    @property
    def out_of(self):
        """Return the points of all cases."""
        return sum(t.case.points for t in self.tried)


def examine(exercise, answer, seed):
    """Return the Verdict on an answer for the cases that `seed` draws, and the known mistake in it.

    The mistake is certain where it does what the answer does on every case, of two more seeds as well.
    """
    verdict = named(try_cases(exercise, answer, seed))
    if not verdict.certain:
        return verdict
    if len(_ran(verdict)) < len(verdict.tried):  # a loop that never ends would cost as much again
        return replace(verdict, certain=False)
    drawn = [case for n in (1, 2) for case in drawn_cases(exercise, seed + n)]
    more = [Tried(case, run(exercise, answer, case.arguments), "untried") for case in drawn]
    if all(_alike(exercise, verdict.mistake, t) for t in more):
        return verdict
    return replace(verdict, **_known_mistake(exercise, _ran(verdict), more))


def drawn_cases(exercise, seed):
    """Return the cases that a seed draws; a class edition knows a few seeds, and goes round."""
    if exercise.recorded is None:
        return exercise.cases(np.random.default_rng(seed))
    seed %= exercise.recorded.draws
    cases = exercise.cases(np.random.default_rng(seed))
    known = exercise.recorded.cases(cases, seed)
    return [replace(case, seen=seen) for case, seen in zip(cases, known, strict=True)]


def named(verdict):
    """Return a Verdict with the known mistake that it shows, if any; cases that passed show none."""
    ran = _ran(verdict)
    shows = any(not t.passed for t in ran)
    return replace(verdict, **_known_mistake(verdict.exercise, ran)) if shows else verdict


def _ran(verdict):
    """Return the cases that ran to an end."""
    return [t for t in verdict.tried if t.status in ("wrong", "error", "passed")]


def try_cases(exercise, answer, seed):
    """Return the Verdict on an answer for the cases that `seed` draws, known mistakes left aside."""
    tried = []
    for case in drawn_cases(exercise, seed):
        if tried and tried[-1].status in ("slow", "untried"):
            tried.append(Tried(case, Outcome(), "untried", "not tried: the case before it took too long"))
        else:
            tried.append(judge(exercise, case, run(exercise, answer, case.arguments)))
    return Verdict(exercise, seed, tuple(tried))


def judge(exercise, case, outcome):
    """Return the case with what is wrong in its outcome, if anything."""
    if outcome.error:
        status = {"NotImplementedError": "todo", "TooSlow": "slow"}.get(outcome.error_name, "error")
        in_words = f"{outcome.error_name}: {outcome.meaning}" if outcome.meaning else outcome.error
        said = outcome.error.partition(": ")[2] if status == "slow" else in_words
        return Tried(case, outcome, status, _sentences([said]))
    expected = _expected(exercise, case, outcome.output)
    trouble = [_wrong(exercise, case, outcome, expected)]
    if outcome.changed:
        names = " and ".join(f"`{name}`" for name in outcome.changed)
        trouble.append(
            f"the answer wrote into its argument {names}: make a new array, the caller needs the old one"
        )
    said = _sentences(trouble)
    return Tried(case, outcome, "wrong" if said else "passed", said, expected)


def _expected(exercise, case, output):
    """Return what must come back: worked by hand where the case says so, else what the reference gives."""
    if isinstance(case.expected, OneOf):
        right = [plain(each) for each in case.expected.outputs]
        return next((each for each in right if same(output, each, exercise.tolerance)), right[0])
    if case.expected is not None:
        return plain(case.expected)
    if case.seen is not None:
        return case.seen.expected
    right = run(exercise, exercise.reference, case.arguments)
    if right.error or right.returned:
        raise RuntimeError(
            f"the reference of {exercise.id} fails on {case.name!r}: {right.error or right.returned}"
        )
    return right.output


def _wrong(exercise, case, outcome, expected):
    """Return what is wrong with an output: its structure first, then its properties, then its values."""
    if outcome.returned:
        return f"expected {describe(expected)}, got {outcome.returned}"
    if outcome.output is None and expected is not None:
        return "nothing came back (None): is a `return` missing?"
    differs = difference(outcome.output, expected, exercise.tolerance)
    broken = ""
    if differs is None or differs.kind != "structure":
        output = as_array(outcome.output) if isinstance(expected, np.ndarray) else outcome.output
        broken = next((words for words, holds in case.properties if not _holds(holds, output, case)), "")
    floats = exercise.ids and differs is None and whole_numbers_lost(outcome.output, expected)
    said = differs.words if differs else floats or ""
    return _sentences([f"this does not hold: {broken}" if broken else "", said])


def _holds(property, output, case):
    """Return True where a property holds for an output; one that cannot be computed does not hold."""
    try:
        with np.errstate(all="ignore"):
            return bool(property(output, *case.arguments))
    except Exception:
        return False


def _sentences(parts):
    """Return the parts that say something, as sentences."""
    parts = [part.rstrip(" .") for part in parts if part]
    return " ".join(part[:1].upper() + part[1:] + ("" if part.endswith("?") else ".") for part in parts)


def _known_mistake(exercise, tried, more=()):
    """Return the mistake that does the same on every case, of other seeds too, else the likeliest one.

    A mistake is likely where it does the same on every case that passed and on most of those that failed,
    also where cases in which one and the same came back, such as infinity, count as one.
    """
    for mistake in exercise.mistakes:
        if all(_alike(exercise, mistake, t) for t in (*tried, *more)):
            return {"mistake": mistake, "certain": True}
    passed, failed = [t for t in tried if t.passed], [t for t in tried if not t.passed]
    unlike = _unlike(exercise, failed)
    found, most = {"mistake": None, "certain": False}, 0
    for mistake in exercise.mistakes:
        if not all(_alike(exercise, mistake, t) for t in passed):
            continue
        alike = [t for t in failed if _alike(exercise, mistake, t)]
        told = sum(any(t is other for other in alike) for t in unlike)
        if len(alike) > most and 2 * len(alike) > len(failed) and 2 * told > len(unlike):
            found, most = {"mistake": mistake, "certain": False}, len(alike)
    return found


def _unlike(exercise, tried):
    """Return the cases without those in which the same came back as in an earlier one."""
    kept = []
    for one in tried:
        if not any(same_outcome(one.outcome, other.outcome, exercise.tolerance) for other in kept):
            kept.append(one)
    return kept


def _alike(exercise, mistake, tried):
    """Return True where the mistake does on this case what the answer did."""
    if tried.case.seen is not None:
        return tried.case.seen.alike(mistake, tried.outcome, exercise.tolerance)
    outcome = run(exercise, mistake.answer, tried.case.arguments)
    return same_outcome(outcome, tried.outcome, exercise.tolerance)


def arguments_in_words(exercise, case):
    """Return the arguments of a case, named: "scores of shape (2, 3), axis = 0"."""
    names = parameter_names(exercise)
    said = []
    for place, argument in enumerate(case.arguments):
        name = names[place] if place < len(names) else f"argument {place + 1}"
        shape = getattr(argument, "shape", None)
        said.append(f"{name} of shape {tuple(shape)}" if shape is not None else f"{name} = {argument!r:.80}")
    return ", ".join(said)
