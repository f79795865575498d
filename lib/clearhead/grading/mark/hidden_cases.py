"""The hidden cases on which an answer is tried, drawn from a secret so that not all of them are public.

A class edition holds the right outputs of a few draws, and every edition shows the cases worked by hand. A
table of these outputs must earn nothing.
"""

import hashlib
import hmac
from functools import cache

import numpy as np

from clearhead.checks import recorded, registry

from .outcomes import size_in_bytes

REDRAWN, SMALL = 20, 4000  # the most draws for a case that is not public; bytes of arguments compared


def seed_of(secret, student, exercise, raw):
    """Return the seed of the hidden cases, which is reproducible, but unpredictable without the secret.

    A different notebook gets different cases, so the feedback on one notebook does not help with the next.
    """
    text = f"{student}|{exercise}|{hashlib.sha256(raw or b'').hexdigest()}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hmac.new(secret.encode(), text, hashlib.sha256).digest()[:8], "big")


def hidden_cases(exercise, seed):
    """Return the cases that a secret seed draws, which are drawn again if all of them are public.

    A class edition holds the right outputs of a few public draws. Where arguments are only a few integers, a
    table of these outputs could answer all cases of another draw as well; then the cases are drawn again, up
    to a limit of REDRAWN draws.
    """
    cases = exercise.cases(np.random.default_rng(seed))
    for attempt in range(1, REDRAWN):
        if not all(_is_public(exercise.id, case) for case in cases):
            break
        cases = exercise.cases(np.random.default_rng([seed, attempt]))
    return cases


def _is_public(id, case):
    """Return True if the arguments of a case are among those in a class edition."""
    key = _key(case.arguments)
    return bool(key) and key in _public(id)


@cache
def _public(id):
    """Return the keys by `_key` of the cases of all public draws of an exercise."""
    exercise = registry.exercise(id)
    draws = (exercise.cases(np.random.default_rng(draw)) for draw in range(recorded.DRAWS))
    return {_key(case.arguments) for cases in draws for case in cases}


def _key(arguments):
    """Return a string that identifies small arguments, or "" for large ones and for functions."""
    small = sum(size_in_bytes(argument) for argument in arguments) < SMALL
    return repr(arguments) if small and not any(map(callable, arguments)) else ""


def earned_points(exercise, tried):
    """Return the points for the cases that passed, if each case counts by itself (`--partial`).

    Cases whose outputs are public count only in proportion to the hidden cases that passed, so that a table
    of recorded outputs earns nothing.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    tried : sequence of CaseResult
        Its cases, judged.
    """
    known, hidden = [], []
    for each in tried:
        (known if has_public_output(exercise.id, each.case) else hidden).append(each)
    found, most, shown = _sum(t for t in hidden if t.passed), _sum(hidden), _sum(t for t in known if t.passed)
    return found + shown * found // most if most else shown * (shown == _sum(known))


def _sum(tried):
    return sum(each.case.points for each in tried)


def has_public_output(id, case):
    """Return True if a class edition contains the output of a case, such as one worked by hand."""
    return _exact(case.arguments) in _recorded(id)


@cache
def _recorded(id):
    """Return the keys, as computed by `_exact`, of all cases in the public draws of an exercise."""
    exercise = registry.exercise(id)
    draws = (exercise.cases(np.random.default_rng(draw)) for draw in range(recorded.DRAWS))
    return {_exact(case.arguments) for cases in draws for case in cases}


def _exact(value):
    """Return a key that is equal for equal arguments, among which functions are not distinguished."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).digest()
    if isinstance(value, dict):
        return tuple((repr(key), _exact(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_exact, value))
    return "a function" if callable(value) else repr(value)
