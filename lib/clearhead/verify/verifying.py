"""The verification of an adapter's functions, each of which is tried on the cases of its entry point.

A function is right if it agrees with the reference, possibly under one or two of the conventions of its entry
point. Otherwise the diagnosis of the exercises looks for a known mistake under each convention, and a search
finds a small input that shows the mistake.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from clearhead.checks import running
from clearhead.checks.comparing import PRECISIONS, same
from clearhead.checks.diagnosis import diagnose
from clearhead.checks.explaining import explain
from clearhead.checks.plain_data import as_array
from clearhead.checks.running import run
from clearhead.checks.verdicts import Verdict, drawn_cases, expected, judge

from .smallest import smallest

HOLDS, CONVENTION, WRONG, ERROR = "holds", "convention", "wrong", "error"
#: The error that is allowed in a function that computes with 7 digits, relative to the largest entry.
SINGLE = 1e-4
#: The relative change of each entry of an input by which the effect of rounding on a result is measured.
ROUNDING = 2.0**-23


@dataclass
class Finding:
    """The result of the verification of one function.

    Attributes
    ----------
    entry : EntryPoint
    status : str
        "holds", "convention", "wrong" or "error".
    dtype : str
        The dtype with which the function was found wrong, or "" if it holds.
    conventions : tuple of Edit
        The conventions that the function follows.
    verdict : Verdict, optional
        The diagnosis of a wrong function.
    explanations : list of str
        What all wrong results have in common, unless a known mistake is certain.
    smallest : Smallest, optional
    cases : int
        The number of cases that were tried, for all seeds and dtypes.
    notes : list of str
        Remarks that are worth knowing, but are no mistakes.
    not_tried : list of str
        The cases that were not tried, each with the reason.
    seconds : float
        CPU time.
    """

    entry: object
    status: str = HOLDS
    dtype: str = ""
    conventions: tuple = ()
    verdict: Verdict | None = None
    explanations: list = field(default_factory=list)
    smallest: object = None
    cases: int = 0
    notes: list = field(default_factory=list)
    not_tried: list = field(default_factory=list)
    seconds: float = 0.0

    @property
    def passed(self):
        """Return True if the function is right, perhaps under a convention unlike the reference's."""
        return self.status in (HOLDS, CONVENTION)

    @property
    def mistake(self):
        """Return the known mistake of a wrong function, or None."""
        return self.verdict.mistake if self.verdict else None


@contextmanager
def _time_limit(seconds):
    """Limit the time of each case to `seconds` while the block runs."""
    before, running.TIME_LIMIT = running.TIME_LIMIT, seconds
    try:
        yield
    finally:
        running.TIME_LIMIT = before


def verify(entry, adapter, seed=0, seeds=3, seconds=20):
    """Return the Finding on one function.

    Parameters
    ----------
    entry : EntryPoint
    adapter : Adapter
    seed : int
        The first of the seeds that draw the cases.
    seeds : int
        How many seeds are tried.
    seconds : float
        The time limit for one case.
    """
    entry = entry.with_equal_axes(adapter.equal) if adapter.equal else entry
    start, found = time.process_time(), Finding(entry)
    notes = set()
    with _time_limit(seconds):
        for dtype in adapter.dtypes:
            answer = adapter.answer(entry, dtype, notes)
            drawn = [
                _fitting(entry, adapter, drawn_cases(entry.exercise, seed + n), found) for n in range(seeds)
            ]
            if not any(drawn):
                found.status = ERROR
                found.explanations = ["No case can be expressed with this adapter."]
                break
            _try(found, answer, dtype, drawn, seed)
            if not found.passed:
                break
    found.notes += sorted(notes)
    found.not_tried = list(dict.fromkeys(found.not_tried))
    found.seconds = time.process_time() - start
    return found


def _fitting(entry, adapter, cases, found):
    """Return the cases that the adapter's layout can express, and note the others in the finding."""
    if entry.exercise.driver:
        return cases
    kept = []
    for case in cases:
        bound = entry.signature.bind(*case.arguments)
        bound.apply_defaults()
        if adapter.fits(entry, bound.arguments):
            kept.append(case)
        else:
            found.not_tried.append(f"the case '{case.name}', which this adapter cannot express")
    return kept


def _try(found, answer, dtype, drawn, seed):
    """Add to a finding the result of a function with one dtype."""
    entry = found.entry
    ran = [[(case, run(entry.exercise, answer, case.arguments)) for case in cases] for cases in drawn]
    pairs = [pair for each in ran for pair in each]
    found.cases += len(pairs)
    single = dtype == "float32"
    readings = entry.readings
    if found.status == CONVENTION:  # a convention must be the same for both dtypes
        readings = [each for each in readings if each.conventions == found.conventions]
    strict = readings[0].conventions == () and not single
    if strict and all(judge(entry.exercise, case, outcome).passed for case, outcome in pairs):
        return
    for reading in readings:
        digits = _agreement(reading, pairs, single, found)
        if digits is None:
            continue
        found.conventions = reading.conventions
        found.status = CONVENTION if reading.conventions else HOLDS
        if digits and not (single and digits == "float32"):
            found.notes.append(f"In {dtype}, its results have no more digits than {digits} keeps.")
        return
    found.status, found.dtype = WRONG, dtype
    _diagnose(found, readings, answer, dtype, drawn, seed)


def _agreement(reading, pairs, single, found):
    """Return the name of the float format to whose precision a function agrees with a reading, or None.

    The name is "" if it agrees to the tolerance of the exercise, and the result is None if it does not agree.
    """
    least, short = "", None
    for case, outcome in pairs:
        if outcome.error or outcome.returned:
            return None
        try:
            right = expected(reading.exercise, case, outcome.output)
        except RuntimeError:  # a convention that is not defined here
            return None
        if not single and same(outcome.output, right, reading.exercise.tolerance):
            continue
        tolerance = _tolerance(reading, case, right)
        if tolerance is None:
            found.not_tried.append(
                f"the case '{case.name}' in float32, in which rounding the input changes the result"
            )
            continue
        if same(outcome.output, right, tolerance):
            least = least or "float32"
            continue
        short = _short_float(pairs) if short is None else short
        bits, relative = next(((bits, far) for bits, far, name in PRECISIONS if name == short), (0, 0))
        tolerance = _tolerance(reading, case, right, 2.0 ** (1 - bits), relative) if short else None
        if tolerance is None or not same(outcome.output, right, tolerance):
            return None
        least = short
    return least


def _tolerance(reading, case, right, rounding=ROUNDING, relative=SINGLE):
    """Return the largest error that rounding of the input can explain, or None if it can explain any error.

    The input is changed three times by as much as rounding could change it, and the output of the reference
    shows how much the result changes.
    """
    size = _largest(right)
    if size is None:
        return 0
    moved, rng = 0.0, np.random.default_rng(0)
    for _ in range(3):
        arguments = tuple(_nudged(each, rounding, rng) for each in case.arguments)
        outcome = run(reading.exercise, reading.exercise.reference, arguments)
        off = None if outcome.error else _distance(outcome.output, right)
        if off is None:
            return None
        moved = max(moved, off)
    tolerance = relative * max(size, 1e-3) + 8 * moved
    return tolerance if tolerance < max(500 * SINGLE, 5 * relative) * max(size, 1.0) else None


def _nudged(value, rounding, rng):
    """Return an argument whose floats are randomly changed by as much as rounding could change them."""
    if isinstance(value, dict):
        return {key: _nudged(item, rounding, rng) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value * (1 + rounding * rng.uniform(-1, 1, size=value.shape))
    return value


def _leaves(value):
    """Yield the arrays and numbers in plain data."""
    if isinstance(value, dict):
        for key in value:
            yield from _leaves(value[key])
    elif as_array(value) is not None:
        yield as_array(value).astype(float)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)


def _largest(value):
    """Return the largest absolute value of the finite numbers in plain data, or None if there are none."""
    arrays = [np.abs(each[np.isfinite(each)]) for each in _leaves(value)]
    return max((each.max() for each in arrays if each.size), default=None)


def _distance(one, other):
    """Return the largest difference of two pieces of plain data, or None if they differ in form or NaN."""
    ours, theirs = list(_leaves(one)), list(_leaves(other))
    if [each.shape for each in ours] != [each.shape for each in theirs]:
        return None
    most = 0.0
    for x, y in zip(ours, theirs, strict=True):
        finite = np.isfinite(x) & np.isfinite(y)
        if not np.array_equal(np.where(finite, 0, x), np.where(finite, 0, y), equal_nan=True):
            return None
        most = max(most, float(np.abs(x[finite] - y[finite]).max(initial=0)))
    return most


def _significant_bits(value):
    """Return the number of significand bits that represent all numbers of a result exactly."""
    fractions = [x for each in _leaves(value) for x in each.ravel().tolist() if np.isfinite(x) and x % 1]
    return max((abs(x.as_integer_ratio()[0]).bit_length() for x in fractions), default=0)


def _short_float(pairs):
    """Return "bfloat16" or "float16" if the results hold no more digits than this format, or ""."""
    needed = max((_significant_bits(outcome.output) for _, outcome in pairs), default=0)
    return next((name for bits, _, name in PRECISIONS[:2] if bits - 3 <= needed <= bits), "")


def _diagnose(found, readings, answer, dtype, drawn, seed):
    """Add the known mistake of a function, what its wrong results have in common, and the smallest input."""
    best = None
    for reading in readings:
        strict = reading.exercise.tolerance
        for tolerance, properties in ((strict, True), (SINGLE, True), (SINGLE, False)):
            if dtype == "float32" and tolerance < SINGLE:
                continue
            if not properties and best and best[0][1]:  # a known mistake was found with the properties
                continue
            verdict = _verdict(found, reading, answer, tolerance, properties, drawn, seed)
            if verdict is None:
                continue
            rank = (
                bool(verdict.mistake and verdict.certain),
                bool(verdict.mistake and not verdict.partly),
                -len(reading.conventions),
                -sum(not tried.passed for tried in verdict.tried),
                tolerance < SINGLE,
            )
            if best is None or rank > best[0]:
                best = rank, reading, verdict
        if best and best[0][0] and not reading.conventions:
            break
    if best is None:
        return
    _, reading, verdict = best
    found.verdict = verdict
    found.conventions = reading.conventions if verdict.mistake else ()
    if all(tried.status == "error" for tried in verdict.tried):
        found.status = ERROR
    if not verdict.certain:
        found.explanations = _future_seen(found.entry, answer, drawn) + explain(verdict)
    found.smallest = smallest(found.entry, answer, verdict)


def _future_seen(entry, answer, drawn):
    """Return a list that holds a sentence saying that tokens see the future, or [] if they do not.

    The last key and its value are changed, on which no query but the last one may depend.
    """
    if not entry.causal:
        return []
    for case in (case for cases in drawn for case in cases):
        named = dict(zip((each.name for each in entry.inputs), case.arguments, strict=True))
        changed = dict(named)
        for name in entry.causal:
            keys = entry.axes(name).index("S" if "S" in entry.axes(name) else "T")
            last = [slice(None)] * named[name].ndim
            last[keys] = slice(-1, None)
            changed[name] = named[name].copy()
            changed[name][tuple(last)] += 1
        one, other = (run(entry.exercise, answer, tuple(each.values())) for each in (named, changed))
        if one.error or other.error or np.shape(one.output) != np.shape(other.output):
            continue
        queries = entry.result_axes.index("T")
        moved = np.abs(np.asarray(one.output) - np.asarray(other.output)) > SINGLE
        rows = moved.any(axis=tuple(axis for axis in range(moved.ndim) if axis != queries))[:-1]
        if rows.any():
            names = " and ".join(f"`{name}`" for name in entry.causal)
            return [
                f"Tokens see the future: when the check changed only the last row of {names}, row "
                f"{int(rows.argmax())} of {len(rows) + 1} rows of your result changed, too "
                f"(the case '{case.name}')."
            ]
    return []


def _verdict(found, reading, answer, tolerance, properties, drawn, seed):
    """Return the Verdict on a function under one reading, or None if no case fails under it.

    With a loose tolerance, only those cases are used whose result does not depend on the rounding of the
    input. The properties of a case, which have a tolerance of their own, are tested only if `properties` is
    True.
    """
    exercise = replace(reading.exercise, tolerance=tolerance, text=None)  # no search for students' slips
    names = {case.name for cases in drawn for case in cases}

    def cases(rng):
        usable = [
            case
            for case in reading.exercise.cases(rng)
            if case.name in names and _is_usable(reading, case, tolerance)
        ]
        return usable if properties else [replace(case, properties=()) for case in usable]

    exercise = replace(exercise, cases=cases)
    for n in range(len(drawn)):
        if not drawn_cases(exercise, seed + n):
            continue
        verdict = diagnose(exercise, answer, seed + n)
        if not verdict.passed:
            return verdict
    return None


def _is_usable(reading, case, tolerance):
    """Return True if a case has a defined result that rounding of the input does not change."""
    if tolerance < SINGLE and not reading.conventions:
        return True
    try:
        right = expected(reading.exercise, case, None)
    except RuntimeError:
        return False
    if any(np.isnan(each).any() for each in _leaves(right)):
        return False
    if tolerance < SINGLE:
        return True
    allowed = _tolerance(reading, case, right)
    return allowed is not None and allowed <= 2 * SINGLE * max(_largest(right) or 0, 1)
