"""Find the known mistake that an answer makes: one that does the same in every case that was tried."""

from dataclasses import replace

import numpy as np

from .comparing import same
from .exercise import OneOf
from .plain_data import as_array, plain
from .running import Outcome, run, same_outcome


def known_mistake(exercise, tried):
    """Return the mistake that does the same on every case, else the likeliest one, else one of two slips.

    It is certain only where what came back can tell: many mistakes end in the same error, or in zeros.
    A mistake is likely where it does the same on every case that passed and on most of those that failed,
    also where cases in which one and the same came back, such as infinity, count as one, and in two such
    cases or more. On those that are left it must be wrong, too: what passes a case is no reason for its
    failure. And these are the same with every seed: what agrees with one seed alone agrees by chance.
    """
    none = {"mistake": None, "certain": False, "partly": False}
    if tried and all(_raised_by_accident(t) for t in tried if not t.passed):
        return none
    places = {t.case.name: n for n, t in reversed(list(enumerate(tried)))}  # what takes long comes last
    failed = sorted((t for t in tried if not t.passed), key=lambda t: places[t.case.name])
    for mistake in exercise.mistakes:  # the first case that differs ends the look
        if all(alike(exercise, mistake, t) for t in sorted(tried, key=lambda t: not t.passed)):
            return none | {"mistake": mistake, "certain": can_tell(tried)}
    first = next(t for t in tried if not t.passed)  # the case that is shown must not contradict the name
    unlike = _telling(exercise, failed)
    found, most = none, 0
    for mistake in exercise.mistakes:
        if not all(alike(exercise, mistake, t) for t in [first, *(t for t in tried if t.passed)]):
            continue
        agree = _agreeing(exercise, mistake, failed)
        distinct = sum(any(t is other for other in agree) for t in unlike)
        if distinct <= max(most, 1, len(unlike) / 2):
            continue
        left = [t for t in failed if not any(t is other for other in agree)]
        by_chance = {t.case.name for t in left} & {t.case.name for t in agree}
        if not by_chance and not any(_gives_what_is_right(exercise, mistake, t) for t in left):
            found, most = none | {"mistake": mistake}, distinct
    return found if found["mistake"] else _in_the_first_case(exercise, tried, failed, none)


def _in_the_first_case(exercise, tried, failed, none):
    """Return the mistake that the case that is shown is an instance of, where another slip fails other cases.

    It must do the same in that case with every seed, and in every case that passed, and what came back must
    be so much that it does not agree by chance.
    """
    first = next(t for t in tried if not t.passed)
    shown = [t for t in tried if t.case.name == first.case.name]
    found, most = none, 0
    for mistake in exercise.mistakes:
        if not all(alike(exercise, mistake, t) for t in [*shown, *(t for t in tried if t.passed)]):
            continue
        agree = [t for t in failed if alike(exercise, mistake, t)]
        if len(agree) > most and _beyond_chance(exercise, agree, first):
            found, most = none | {"mistake": mistake, "partly": True}, len(agree)
    return found


def _beyond_chance(exercise, agree, first):
    """Return True where the outputs on which a mistake agrees hold enough to tell it from others.

    Only wrong entries count, and among them no 0, 1 or infinity: many slips end in these. Answers that choose
    entries, such as a cut of logits, agree by chance more often than answers that compute new ones.
    """
    got, want = as_array(first.outcome.output), as_array(first.expected)
    if _says_little(first) or got is None or got.dtype.kind not in "iuf":
        return False
    compared = want is not None and got.shape == want.shape
    wrong = got[~np.isclose(got, want, equal_nan=True)] if compared else got.ravel()
    values = np.unique(wrong[np.isfinite(wrong) & (wrong != 0) & (wrong != 1)])
    return len(values) > 3 or (len(values) > 1 and len(_telling(exercise, agree)) > 2)


def _raised_by_accident(tried):
    """Return True where the answer raised an error that a driver caught, and not by a `raise` of its own."""
    line = tried.outcome.line
    return bool(tried.outcome.swallowed) and bool(line) and "raise" not in line


def _agreeing(exercise, mistake, failed):
    """Return the failed cases on which a mistake does the same, none where it does so on half or fewer."""
    agree = []
    for number, each in enumerate(failed):
        if alike(exercise, mistake, each):
            agree.append(each)
        elif 2 * (number + 1 - len(agree)) >= len(failed):
            return []
    return agree


def can_tell(tried):
    """Return True where what came back only few answers can give, in one failed case at least."""
    if all(t.passed or _says_little(t) for t in tried):
        return False
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
    right = Outcome(expected(exercise, tried.case, tried.outcome.output))
    return alike(exercise, mistake, replace(tried, outcome=right))


def alike(exercise, mistake, tried):
    """Return True where the mistake does on this case what the answer did."""
    if tried.case.seen is not None:
        return tried.case.seen.alike(mistake, tried.outcome, exercise.tolerance)
    outcome = known(exercise, mistake.answer, tried.case)
    if isinstance(tried.case.expected, OneOf) and tried.passed and not outcome.error:
        return same(outcome.output, expected(exercise, tried.case, outcome.output), exercise.tolerance)
    return same_outcome(outcome, tried.outcome, exercise.tolerance)


def known(exercise, answer, case):
    """Return the Outcome of an answer of ours, right or wrong, on a case: it runs once."""
    if answer not in case.known:
        case.known[answer] = replace(run(exercise, answer, case.arguments), given=())
    return case.known[answer]


def expected(exercise, case, output):
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
