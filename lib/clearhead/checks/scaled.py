"""Find the factor of one argument for which all that came back is right: sought by Newton's steps."""

from time import process_time

import numpy as np

from .factors import in_words, named
from .introspection import parameter_names
from .running import run
from .sizes import sizes_of

SECONDS = 0.08


def scaled(exercise, tried):
    """Return the words for one factor of one argument for which what came back is right; "" for none.

    In a case that passed it is 1, or the factor changes nothing there.
    """
    shown = all(t.status in ("wrong", "passed") and not t.outcome.returned for t in tried)
    tried = sorted(tried, key=lambda each: each.passed)  # a wrong case is the first to say no
    if not shown or sum(not t.passed for t in tried) < 2 or exercise.recorded is not None:
        return ""
    names, end = parameter_names(exercise), process_time() + SECONDS
    for place, name in enumerate(names[: len(tried[0].case.arguments)]):
        factors, counted = _factors(exercise, tried, place, end)
        if not factors:
            continue
        sizes = [sizes_of(names, each.case.arguments) for each in counted]
        alone = np.ptp(factors) < 1e-5 * abs(factors[0])
        said = in_words(round(factors[0], 9)) if alone else named(np.array(factors), sizes)
        if said and said != "1":
            return f"what came back is right for {name} times {said} in the place of {name}"
    return ""


def _factors(exercise, tried, place, end):
    """Return the factor of each case that it changes, and these cases; nothing where one has none."""
    found, counted = [], []
    for each in tried:
        if each.passed and not _moves(exercise, each, place):
            continue
        factor = None if process_time() > end else 1.0 if each.passed else _factor(exercise, each, place)
        if factor is None:
            return [], []
        found.append(factor)
        counted.append(each)
    return found, counted


def _factor(exercise, tried, place, steps=12):
    """Return the factor of an argument for which the reference gives what came back, None for none."""
    want, log = _flat(tried.outcome.output), 0.0
    here = _with_factor(exercise, tried, place, log)
    for _ in range(steps):
        near = _with_factor(exercise, tried, place, log + 1e-5)
        if here is None or near is None or want is None or not len(here) == len(near) == len(want):
            return None
        if np.allclose(here, want, rtol=1e-7, atol=1e-9):
            return float(np.exp(log))
        slope = (near - here) / 1e-5
        if not (slope @ slope > 1e-18 and np.isfinite(slope).all()):
            return None
        log += float(np.clip(slope @ (want - here) / (slope @ slope), -1, 1))
        if abs(log) > 4:
            return None
        here = _with_factor(exercise, tried, place, log)
    return None


def _moves(exercise, tried, place):
    """Return True where a factor of an argument changes what the reference gives in a case."""
    here, there = (_with_factor(exercise, tried, place, log) for log in (0.0, 0.3))
    return here is None or there is None or len(here) != len(there) or not np.allclose(here, there)


def _with_factor(exercise, tried, place, log):
    """Return as one line what the reference gives when an argument is e^log times as large, or None."""
    given = tried.case.arguments
    if not (isinstance(given[place], float) or getattr(given[place], "dtype", np.dtype(int)).kind == "f"):
        return None
    arguments = (*given[:place], given[place] * np.exp(log), *given[place + 1 :])
    return _flat(run(exercise, exercise.reference, arguments).output)


def _flat(output):
    """Return all numbers of an output in one line, None where there are others than numbers."""
    parts = output.values() if isinstance(output, dict) else output if isinstance(output, list) else [output]
    try:
        flat = np.concatenate([np.ravel(np.asarray(part, dtype=float)) for part in parts])
    except (TypeError, ValueError):
        return None
    return flat if flat.size and np.isfinite(flat).all() else None
