"""The diagnosis of a wrong answer: the known mistake in it, or what changed arguments reveal about it.

An answer makes a known mistake if one of the exercise's wrong answers does the same in every case tried.
"""

import re
from dataclasses import replace

import numpy as np

from .comparing import difference, same, same_outcome
from .exercise import OneOf
from .explaining import arguments, explain
from .introspection import returned_names
from .plain_data import as_array
from .running import Outcome, run_each
from .slips_at_once import slips_at_once
from .verdicts import CaseResult, cached_outcome, expected, short_cases, try_cases

#: The statuses of a case that ran to completion.
RAN = ("wrong", "error", "passed")
#: The beginnings of clauses that relate all entries of the results to the expected ones.
OF_ALL_ENTRIES = re.compile(
    r"Your (?:entries are right, but|result (?:is|would be right))|Every entry is|"
    r"The .* values that you return .* are swapped"
)


def diagnose(exercise, answer, seed):
    """Return the Verdict on an answer for the cases drawn with `seed`, with the known mistake in it, if any.

    A known mistake must also explain the cases of two more seeds; see `find_known_mistake`. If none is sure,
    further calls find out for which other arguments the answer would be right, which arguments it
    does not use, and whether an ordinary slip, or two mistakes at once, explain all its results.
    """
    verdict = with_known_mistake(try_cases(exercise, answer, seed))
    verdict = verdict if verdict.passed else replace(verdict, names=returned_names(answer))
    endless = len(_ran(verdict)) < len(verdict.tried)  # a second run would take as long again
    empty = verdict.mistake is None and not any(t.status in ("wrong", "passed") for t in verdict.tried)
    if verdict.passed or endless or empty:
        return replace(verdict, certain=False)
    if verdict.certain:  # the quick way: no other mistake need be tried
        drawn = [case for n in (1, 2) for case in short_cases(exercise, seed + n)]
        more = zip(drawn, run_each(exercise, answer, drawn), strict=False)
        if all(same_as_mistake(exercise, verdict.mistake, CaseResult(*pair, "skipped")) for pair in more):
            return verdict
    more = [try_cases(exercise, answer, seed + n, short_cases(exercise, seed + n)) for n in (1, 2)]
    more = tuple(t for each in more for t in _ran(each))
    return _explained(replace(verdict, more=more), answer)


def with_mistake_of_all_seeds(verdict):
    """Return a Verdict with the known mistake that explains the cases of all its seeds, if any.

    It serves for an answer that ran in a sandbox and cannot be called again with changed arguments. The cases
    of further seeds are in `verdict.more`.
    """
    tried = [each for each in (*verdict.tried, *verdict.more) if each.status in RAN]
    if all(each.passed for each in tried) or all(each.status == "error" for each in tried):
        return verdict
    return replace(verdict, **find_known_mistake(verdict.exercise, tried))


def _explained(verdict, answer):
    """Return a Verdict with its known mistake, the findings from changed arguments, or its slips."""
    exercise, tried = verdict.exercise, [*verdict.tried, *verdict.more]
    verdict = replace(verdict, **find_known_mistake(exercise, tried))
    if verdict.certain:
        return verdict
    differ = any(_values_differ(exercise, t) for t in tried)
    may_tell = differ and is_distinctive(tried) and not exercise.given
    verdict = replace(verdict, **arguments.explain(exercise, answer, tried, may_tell))
    if verdict.right_for_arguments:
        return replace(verdict, mistake=None, partly=False)
    wrong = [t for t in tried if not t.passed and not same(t.outcome.output, t.expected, exercise.tolerance)]
    distinct = len(_distinctive_cases(exercise, wrong))  # a right result beside a changed argument is no slip
    if distinct < 2 or not is_distinctive(wrong):
        return verdict
    simpler = any(OF_ALL_ENTRIES.match(each) for each in explain(verdict))  # one reason is likelier than two
    found, one_unknown = slips_at_once(exercise, tried, distinct > 2 and not simpler)
    if (
        one_unknown and verdict.mistake and not verdict.partly
    ):  # a mistake that explains most cases says more than half a pair
        return verdict
    if not found:
        return verdict
    return replace(verdict, slips=found, one_unknown=one_unknown, mistake=None, partly=False)


def _values_differ(exercise, tried):
    """Return True if a case failed with an output without NaN that differs from the expected one."""
    output = tried.outcome.output
    numbers = difference(output, output, 0) is None  # NaN differs from itself
    return tried.status == "wrong" and numbers and not same(output, tried.expected, exercise.tolerance)


def with_known_mistake(verdict):
    """Return a Verdict with the known mistake that its failed cases show, if there is one."""
    ran = _ran(verdict)
    shows = any(not t.passed for t in ran)
    return replace(verdict, **find_known_mistake(verdict.exercise, ran)) if shows else verdict


def _ran(verdict):
    """Return the cases of a Verdict that ran to completion."""
    return [t for t in verdict.tried if t.status in RAN]


def find_known_mistake(exercise, tried):
    """Return the fields `mistake`, `certain` and `partly` of a Verdict on the cases that were tried.

    The mistake is one that does the same as the answer in every case, or else the likeliest one, or else one
    that explains the case that is shown. It is certain only if the results are distinctive, because many
    mistakes end in the same error, or in zeros. A mistake is likely if it does the same in every case that
    passed and in most of those that failed, even if cases with the same result, such as infinity, count as
    one, and if there are at least two such cases. In the remaining cases it must be wrong, too, because a
    mistake that passes a case cannot be the reason for its failure. The remaining cases must be the same for
    every seed, because an agreement with only one seed is accidental.
    """
    none = {"mistake": None, "certain": False, "partly": False}
    if tried and all(_raised_by_accident(t) for t in tried if not t.passed):
        return none
    order = {t.case.name: n for n, t in reversed(list(enumerate(tried)))}  # cases that take long come last
    failed = sorted((t for t in tried if not t.passed), key=lambda t: order[t.case.name])
    same_results = None
    for mistake in exercise.mistakes:  # the first case that differs ends the comparison
        if all(same_as_mistake(exercise, mistake, t) for t in sorted(tried, key=lambda t: not t.passed)):
            same_results = same_results or mistake
            if all(_writes_the_same(exercise, mistake, t) for t in tried):
                same_results = mistake
                break  # another may have the same results, but write into fewer arguments than the answer
    if same_results:
        return none | {"mistake": same_results, "certain": is_distinctive(tried)}
    first = next(t for t in tried if not t.passed)  # the case that is shown must not contradict the name
    unlike = _distinctive_cases(exercise, failed)
    passed = [t for t in tried if t.passed]
    found, most = none, 0
    for mistake in exercise.mistakes:
        if not all(same_as_mistake(exercise, mistake, t) for t in passed):
            continue
        agree = _agreeing(exercise, mistake, failed)
        distinct = sum(any(t is other for other in agree) for t in unlike)
        if distinct <= max(most, 1, len(unlike) / 2):
            continue
        left = [t for t in failed if not any(t is other for other in agree)]
        by_chance = {t.case.name for t in left} & {t.case.name for t in agree}
        if not by_chance and not any(_is_right_for(exercise, mistake, t) for t in left):
            shown = any(
                t is first for t in agree
            )  # if not, it still keeps a less likely one from being named
            found, most = none | ({"mistake": mistake} if shown else {}), distinct
    return found if found["mistake"] else _in_the_first_case(exercise, tried, failed, none)


def _in_the_first_case(exercise, tried, failed, none):
    """Return the fields of a mistake that explains the case that is shown, but not all failed cases.

    The mistake must do the same as the answer in that case with every seed and in every case that passed. The
    outputs must hold enough values to rule out that they agree by chance.
    """
    first = next(t for t in tried if not t.passed)
    shown = [t for t in tried if t.case.name == first.case.name]
    found, most = none, 0
    for mistake in exercise.mistakes:
        if not all(same_as_mistake(exercise, mistake, t) for t in [*shown, *(t for t in tried if t.passed)]):
            continue
        agree = [t for t in failed if same_as_mistake(exercise, mistake, t)]
        if len(agree) > most and _beyond_chance(exercise, agree, first):
            found, most = none | {"mistake": mistake, "partly": True}, len(agree)
    return found


def _beyond_chance(exercise, agree, first):
    """Return True if the outputs that a mistake shares with the answer rule out an agreement by chance.

    Only wrong entries count, except those that are 0, 1 or infinite, because many slips end in these values.
    Answers that select entries, such as a truncation of logits, agree by chance more often than answers that
    compute new values. An answer of one number has to agree in four cases, with different numbers that are no
    integers.
    """
    got, want = as_array(first.outcome.output), as_array(first.expected)
    if _is_uninformative(first) or got is None or got.dtype.kind not in "iuf":
        return False
    if got.ndim == 0:
        single = [as_array(t.outcome.output) for t in _distinctive_cases(exercise, agree)]
        floats = [x for x in single if x is not None and x.dtype.kind == "f" and np.isfinite(x).all()]
        return sum(bool((x != np.round(x)).any()) for x in floats) > 3
    compared = want is not None and got.shape == want.shape
    wrong = got[~np.isclose(got, want, equal_nan=True)] if compared else got.ravel()
    values = np.unique(wrong[np.isfinite(wrong) & (wrong != 0) & (wrong != 1)])
    return len(values) > 3 or (len(values) > 1 and len(_distinctive_cases(exercise, agree)) > 2)


def _raised_by_accident(tried):
    """Return True if a driver caught an error that did not come from a `raise` in the answer."""
    line = tried.outcome.line
    return bool(tried.outcome.caught_error) and bool(line) and "raise" not in line


def _agreeing(exercise, mistake, failed):
    """Return the failed cases in which a mistake agrees with the answer, or [] if these are no majority."""
    agree = []
    for number, each in enumerate(failed):
        if same_as_mistake(exercise, mistake, each):
            agree.append(each)
        elif 2 * (number + 1 - len(agree)) >= len(failed):
            return []
    return agree


def is_distinctive(tried):
    """Return True if the results are informative enough to distinguish one mistake from others."""
    if all(t.passed or _is_uninformative(t) for t in tried):
        return False
    outcomes = [t.outcome for t in tried if not _is_uninformative(t)]
    several = any(isinstance(each.output, np.ndarray | list | dict) for each in outcomes)
    return several or any(not same_outcome(each, outcomes[0], 0) for each in outcomes)


def _distinctive_cases(exercise, failed):
    """Return the informative failed cases, one for each group of cases with the same outcome."""
    kept = []
    for one in failed:
        known = any(same_outcome(one.outcome, other.outcome, exercise.tolerance) for other in kept)
        if not known and not _is_uninformative(one):
            kept.append(one)
    return kept


def _is_uninformative(tried):
    """Return True for an error, and for an array of one repeated value where several are expected."""
    if tried.outcome.error or tried.outcome.returned:
        return True
    got, expected = as_array(tried.outcome.output), as_array(tried.expected)
    several_expected = expected is None or expected.ndim > 0
    return got is not None and got.ndim > 0 and several_expected and _has_one_value(got)


def _has_one_value(array):
    """Return True if all entries of an array are equal, or if all of them are NaN."""
    return array.size < 2 or bool((array == array.flat[0]).all() or (array != array).all())


def _is_right_for(exercise, mistake, tried):
    """Return True if a mistake gives the expected result in this case."""
    right = Outcome(expected(exercise, tried.case, tried.outcome.output))
    return same_as_mistake(exercise, mistake, replace(tried, outcome=right))


def _writes_the_same(exercise, mistake, tried):
    """Return True if a mistake changes the same arguments in this case as the answer did."""
    recorded = tried.case.recorded
    if recorded is not None:
        changed = recorded.mistakes[mistake.name].get("changed", ())
    else:
        changed = cached_outcome(exercise, mistake.answer, tried.case).changed
    return set(changed) == set(tried.outcome.changed)


def same_as_mistake(exercise, mistake, tried):
    """Return True if the mistake does the same in this case as the answer.

    The answer may also change its arguments, because this is a slip of its own, reported with the case.
    """
    if tried.case.recorded is not None:
        return tried.case.recorded.same_as_mistake(mistake, tried.outcome, exercise.tolerance)
    outcome = cached_outcome(exercise, mistake.answer, tried.case)
    if isinstance(tried.case.expected, OneOf) and tried.passed and not outcome.error:
        return same(outcome.output, expected(exercise, tried.case, outcome.output), exercise.tolerance)
    changed = outcome.changed if set(outcome.changed) <= set(tried.outcome.changed) else tried.outcome.changed
    return same_outcome(outcome, replace(tried.outcome, changed=changed), exercise.tolerance)
