"""The search for slips that explain all results of an answer that no known mistake explains by itself.

An answer is compared with the right one in which an ordinary slip was made, and with wrong answers that make
two mistakes at once. Known mistakes are edits of the right answer as text: two edits that do not overlap can
be made together, in either order. All of them run on the cases that were tried, the small ones first, so that
nearly every candidate is dismissed by its first result.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from time import process_time

import numpy as np

from .comparing import same_outcome
from .exercise import Mistake
from .from_text import namespace
from .ordinary_slips import slips
from .running import run

SECONDS = 1.0  # CPU time for all searches; a search that is not finished by then finds nothing
ONE_CASE = 0.5  # CPU time for one candidate in one case
ORDINARY = "an ordinary slip"


@dataclass(frozen=True)
class _Candidate:
    """A wrong answer to compare with the student's: the mistakes in it, and the code of its function."""

    mistakes: tuple
    code: object  # source, or compiled


def slips_at_once(exercise, tried, may_be_two):
    """Return the mistakes that explain all results of an answer: one ordinary slip, or two mistakes.

    Parameters
    ----------
    exercise : Exercise
    tried : list of CaseResult
        Every case that ran, including those that passed.
    may_be_two : bool
        Whether the results are so varied that two mistakes cannot agree with them by chance.

    Returns
    -------
    tuple of Mistake
        The mistakes. It is empty if nothing explains the results, if the explanations have nothing in common,
        and if the time was up before all candidates had been tried. The name of an ordinary slip is ORDINARY.
    bool
        True if there is a second mistake that cannot be named, because several fit equally well.
    """
    if exercise.text is None or exercise.recorded is not None:
        return (), False
    search = _Search(exercise, tried)
    if one := search.common(_with_a_slip(exercise.text.steps)):
        return one, False
    for candidates in (_of_two(exercise), _of_one_and_a_slip(exercise)) if may_be_two else ():
        if found := search.common(candidates):
            return found, len(found) < 2
    return (), False


def _with_a_slip(source, changes=(), mistakes=()):
    """Yield a candidate for each ordinary slip in a source that may already contain mistakes."""
    for slip in slips(source, changes):
        yield _Candidate((*mistakes, Mistake(ORDINARY, None, slip.message)), slip.code)


def _of_one_and_a_slip(exercise):
    """Yield the candidates that combine a known mistake with an ordinary slip."""
    for edit, mistake in _known(exercise):
        if edit.changes:
            yield from _with_a_slip(edit.source, edit.changes, (mistake,))


def _known(exercise):
    """Return each edit with its known mistake; nothing for a copy of an exercise without its mistakes."""
    edits = exercise.text.wrong if exercise.mistakes else ()
    return list(zip(edits, exercise.mistakes, strict=True))


def _of_two(exercise):
    """Yield the candidates that combine two known mistakes whose edits do not overlap."""
    for (one, first), (other, second) in combinations(_known(exercise), 2):
        source = _edited(one.source, other.changes)
        both = source and source == _edited(other.source, one.changes)
        if both and one.changes and other.changes and source not in (one.source, other.source):
            yield _Candidate((first, second), source)


def _edited(source, changes):
    """Return a source after all changes, or "" if the old text of one of them does not occur."""
    for old, new in changes:
        if old not in source:
            return ""
        source = source.replace(old, new)
    return source


class _Search:
    """A search for candidates that do the same as an answer in all cases that were tried."""

    def __init__(self, exercise, tried):
        self.exercise, self.names, self.end = exercise, namespace(exercise), process_time() + SECONDS
        self.tried = sorted(tried, key=lambda t: (t.passed, bool(t.outcome.error), _size(t.case.arguments)))

    def common(self, candidates):
        """Return the mistakes shared by all candidates that explain every result, or () if there are none."""
        shared = None
        for each in candidates:
            if process_time() > self.end:
                return ()
            if self._explains(each):
                shared = each.mistakes if shared is None else tuple(m for m in shared if m in each.mistakes)
                if not shared:
                    return ()
        return shared or ()

    def _explains(self, candidate):
        """Return True if a candidate does in every case what the student's answer did."""
        try:
            answer = self.names.run(candidate.code)[self.exercise.answer_name]
        except Exception:
            return False
        return all(self._does_the_same(answer, each) for each in self.tried)

    def _does_the_same(self, answer, tried):
        """Return True if an answer has the same outcome in a case as the student's answer.

        The student's answer may change more arguments, because this is a slip of its own.
        """
        outcome, theirs = run(self.exercise, answer, tried.case.arguments, ONE_CASE), tried.outcome
        common = set(outcome.changed) <= set(theirs.changed)
        theirs = replace(theirs, changed=outcome.changed) if common else theirs
        return same_outcome(outcome, theirs, self.exercise.tolerance)


def _size(arguments):
    """Return the total number of entries in the arguments, by which slow cases are sorted last."""
    return sum(np.size(each) if isinstance(each, np.ndarray | list) else 1 for each in arguments)
