"""Try an answer on every case of an exercise, and find the known mistake that it makes."""

import reprlib
import textwrap
from dataclasses import dataclass, replace

import numpy as np

from .as_if import as_if
from .comparing import difference, same, whole_numbers_lost
from .exercise import Case, Exercise, Mistake, OneOf
from .plain_data import as_array, describe, in_float32, plain
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
    right_for: str = ""  # the change of the arguments for which all that came back is right

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

    A mistake is named by what it does with two more seeds as well; see `_known_mistake`. Where none is
    certain, changed arguments for which the answer would be right are looked for.
    """
    verdict = named(try_cases(exercise, answer, seed))
    endless = len(_ran(verdict)) < len(verdict.tried)  # it would cost as much again
    if verdict.passed or endless:
        return replace(verdict, certain=False)
    if verdict.certain:  # the quick way: no other mistake need be tried
        drawn = [case for n in (1, 2) for case in drawn_cases(exercise, seed + n)]
        more = (Tried(case, run(exercise, answer, case.arguments), "untried") for case in drawn)
        if all(_alike(exercise, verdict.mistake, t) for t in more):
            return verdict
    if verdict.mistake is None and not as_if(exercise, verdict.tried):
        return verdict
    tried = [*verdict.tried, *(t for n in (1, 2) for t in _ran(try_cases(exercise, answer, seed + n)))]
    verdict = replace(verdict, **_known_mistake(exercise, tried))
    right_for = "" if verdict.certain or not can_tell(tried) else as_if(exercise, tried)
    return replace(verdict, mistake=None, right_for=right_for) if right_for else verdict


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


def try_cases(exercise, answer, seed, cases=None):
    """Return the Verdict on an answer for the cases that `seed` draws, known mistakes left aside."""
    tried = []
    for case in cases or drawn_cases(exercise, seed):
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
    right = known(exercise, exercise.reference, case)
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
    broken, to_seven_digits = "", differs is None and in_float32(outcome.output)
    if not to_seven_digits and (differs is None or differs.kind != "structure"):
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


def _known_mistake(exercise, tried):
    """Return the mistake that does the same on every case, else the likeliest one.

    It is certain only where what came back can tell: many mistakes end in the same error, or in zeros.
    A mistake is likely where it does the same on every case that passed and on most of those that failed,
    also where cases in which one and the same came back, such as infinity, count as one, and in two such
    cases or more. On those that are left it must be wrong, too: what passes a case is no reason for its
    failure. And these are the same with every seed: what agrees with one seed alone agrees by chance.
    """
    failed = [t for t in tried if not t.passed]
    for mistake in exercise.mistakes:  # the first case that differs ends the look
        if all(_alike(exercise, mistake, t) for t in sorted(tried, key=lambda t: not t.passed)):
            return {"mistake": mistake, "certain": can_tell(tried)}
    unlike = _telling(exercise, failed)
    found, most = {"mistake": None, "certain": False}, 0
    for mistake in exercise.mistakes:
        if not all(_alike(exercise, mistake, t) for t in tried if t.passed):
            continue
        alike = [t for t in failed if _alike(exercise, mistake, t)]
        distinct = sum(any(t is other for other in alike) for t in unlike)
        if distinct <= max(most, 1, len(unlike) / 2) or 2 * len(alike) <= len(failed):
            continue
        left = [t for t in failed if not any(t is other for other in alike)]
        by_chance = {t.case.name for t in left} & {t.case.name for t in alike}
        if not by_chance and not any(_gives_what_is_right(exercise, mistake, t) for t in left):
            found, most = {"mistake": mistake, "certain": False}, distinct
    return found


def can_tell(tried):
    """Return True where in one case at least came back what only few answers can give."""
    outcomes = [t.outcome for t in tried if not _says_little(t)]
    several = any(isinstance(each.output, np.ndarray | list | dict) for each in outcomes)
    return several or any(not same_outcome(each, outcomes[0], 0) for each in outcomes)


def _telling(exercise, failed):
    """Return the failed cases that tell mistakes apart; of cases with the same outcome one is kept."""
    kept = []
    for one in failed:
        known = any(same_outcome(one.outcome, other.outcome, exercise.tolerance) for other in kept)
        if not known and not _says_little(one):
            kept.append(one)
    return kept


def _says_little(tried):
    """Return True where an error came back, or for several numbers one alone or one many times."""
    if tried.outcome.error or tried.outcome.returned:
        return True
    got, expected = as_array(tried.outcome.output), as_array(tried.expected)
    return got is not None and got.ndim > 0 and (expected is None or expected.ndim > 0) and _of_one_value(got)


def _of_one_value(array):
    """Return True for an array that holds one value, once or many times."""
    return array.size < 2 or bool((array == array.flat[0]).all() or (array != array).all())


def _gives_what_is_right(exercise, mistake, tried):
    """Return True where a mistake does on this case what was expected."""
    right = Outcome(_expected(exercise, tried.case, tried.outcome.output))
    return _alike(exercise, mistake, replace(tried, outcome=right))


def _alike(exercise, mistake, tried):
    """Return True where the mistake does on this case what the answer did."""
    if tried.case.seen is not None:
        return tried.case.seen.alike(mistake, tried.outcome, exercise.tolerance)
    outcome = known(exercise, mistake.answer, tried.case)
    return same_outcome(outcome, tried.outcome, exercise.tolerance)


def known(exercise, answer, case):
    """Return the Outcome of an answer of ours, right or wrong, on a case: it runs once."""
    if answer not in case.known:
        case.known[answer] = replace(run(exercise, answer, case.arguments), given=())
    return case.known[answer]


def arguments_in_words(exercise, case):
    """Return the arguments of a case, named: "scores of shape (2, 3), axis = 0"."""
    names = parameter_names(exercise)
    said = []
    for place, argument in enumerate(case.arguments):
        name = names[place] if place < len(names) else f"argument {place + 1}"
        shape = getattr(argument, "shape", None)
        known_by = f"of shape {tuple(shape)}" if shape is not None else f"= {_in_short(argument)}"
        said.append(f"{name} {known_by}")
    return ", ".join(said)


def _in_short(argument):
    """Return what an argument looks like in at most 80 characters, cut between words."""
    whole = _SHORT.repr(argument)
    return textwrap.shorten(whole, 80, placeholder=" ...") if " " in whole[:76] else f"{whole:.80}"


class _Short(reprlib.Repr):
    """What a value looks like, an array by its shape alone."""

    def __init__(self):
        super().__init__()
        self.maxlist = self.maxtuple = self.maxstring = self.maxother = 80

    def repr_ndarray(self, array, _level):
        """Return the shape in place of the numbers."""
        return f"array of shape {array.shape}"


_SHORT = _Short()
