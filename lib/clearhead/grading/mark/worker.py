"""Grading of one submission by a call that depends only on its arguments, so that any machine can make it."""

import atexit
import contextlib
import hashlib
import json
import re
import threading
import time
from functools import partial
from importlib.util import find_spec

from clearhead.checks import registry
from clearhead.checks.running import import_needs
from clearhead.sandbox import exposed_modules, silent_checks
from clearhead.sandbox.sandbox import Sandbox, SandboxError

from ..collect.answers import sources_of
from ..collect.cell_locator import with_present_functions
from ..collect.untrusted_text import clean
from . import right_helpers
from .follow_through import FollowThrough
from .marking import BUDGET, Marking
from .marks import exercise_marks

FORMAT = 2
FIRST = 3 / 4  # of the budget is for a student's own answers; the rest stays for right helpers
ATTEMPTS = 3
#: Packages of the course's environment that an answer may use although its sheet does not ask for them.
OPTIONAL_PACKAGES = ("torch", "matplotlib", "scipy", "sklearn", "pandas", "tqdm", "IPython")
_MENTIONED = re.compile(rb"\b(?:" + "|".join(OPTIONAL_PACKAGES).encode() + rb")\b")
_open = threading.local()
_all = []


def config(settings, number):
    """Return the configuration of a sheet's sandbox, which contains no reference, seed or answer."""
    exercises, sheet = registry.sheet(number).exercises, registry.description(number)
    drivers = {e.id: (e.driver.__module__, e.driver.__name__) for e in exercises if e.driver}
    ours = {name for name in sheet.uses if name.startswith("clearhead.")}
    modules = exposed_modules.module_files(
        sorted({right_helpers.FORK_SERVER, *ours, *(module for module, _ in drivers.values())})
    )
    packages = {"numpy", *sheet.uses, *(p for e in exercises for p in e.needs)} - ours
    return {
        "isolated": settings["isolated"],
        "packages": sorted(packages),
        "modules": modules | {"clearhead.checks.__init__": silent_checks.__file__},
        "exercises": {e.id: {"answer_name": e.answer_name, "driver": drivers.get(e.id)} for e in exercises},
        "limits": {"megabytes": settings["megabytes"], "seconds": settings["seconds"]},
    }


def optional_packages(number, raw):
    """Return the installed packages that a notebook mentions and that its sheet does not already provide.

    An answer that `check` accepts may import every package of the course's environment. A sandbox imports and
    shows such a package only if the notebook mentions it, so that it costs nothing for other notebooks.
    """
    known = {"numpy", *registry.description(number).uses}
    known |= {package for exercise in registry.sheet(number).exercises for package in exercise.needs}
    named = {name.decode() for name in _MENTIONED.findall(raw or b"")}
    return tuple(name for name in OPTIONAL_PACKAGES if name in named - known and find_spec(name))


def sandbox_for(settings, number, made=config, more=()):
    """Return this thread's sandbox for one sheet, after stopping those for other settings.

    `made` is the function that makes its configuration: `config` for a student's code, `right_helpers.config`
    for right helpers. The packages in `more` are available besides those of the sheet.
    """
    key = json.dumps({k: v for k, v in settings.items() if k != "secret"}, sort_keys=True)
    if getattr(_open, "key", None) != key:
        drop_sandboxes()
        _open.key, _open.of = key, {}
    if (number, made, more) not in _open.of:
        for wanted in [each for each in _open.of if more and each[2]]:  # only one sandbox with more packages
            _open.of[wanted].stop()
            _all.remove(_open.of.pop(wanted))
        setup = made(settings, number)
        setup["packages"] = [*setup["packages"], *more]
        _open.of[number, made, more] = Sandbox(setup)
        _all.append(_open.of[number, made, more])
        for exercise in registry.sheet(number).exercises:
            import_needs(exercise)  # while the sandbox imports the same
    return _open.of[number, made, more]


def drop_sandboxes():
    """Stop this thread's sandboxes, if there are any."""
    _open.key, dropped = None, getattr(_open, "of", {})
    _open.of = {}
    for sandbox in dropped.values():
        _all.remove(sandbox)
        with contextlib.suppress(Exception):
            sandbox.stop()


@atexit.register
def _stop_all():
    for sandbox in _all:
        sandbox.stop()


def grade(student, notebooks, faults, settings, earlier=None):
    """Return the marks of one submission, and a dict with the time that the marking took.

    Parameters
    ----------
    student : str
        The name of the student.
    notebooks : dict
        From the number of a sheet to the bytes of its notebook, or None if it cannot be read. A sheet that
        was not handed in is missing.
    faults : list of str
        Sentences about files that could not be read.
    settings : dict
        `sheets`, `secret`, `seconds`, `megabytes`, `partial`, `isolated`; perhaps `budget`, the seconds by
        the clock for one sheet, and `cap`, the most that follow-through marks give, as a part: 0 for none.
    earlier : dict, optional
        From the number of a sheet to the notebooks handed in before, as bytes, newest first.
    """
    begun, cpu = time.perf_counter(), time.process_time()
    marks, attempts = failed(student, ""), 0
    while marks["status"] == "grader_error" and attempts < ATTEMPTS:
        attempts += 1
        try:
            marks = _marked(student, notebooks, faults, settings, earlier or {})
        except Exception as error:  # a fault of ours: it must never become a zero
            drop_sandboxes()
            why = str(error) if isinstance(error, SandboxError) else f"{type(error).__name__}: {error}"
            marks = failed(student, why)
    seconds, cpu_seconds = time.perf_counter() - begun, time.process_time() - cpu
    timing = {
        "student": student,
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu_seconds, 3),
        "attempts": attempts,
    }
    return {"format": FORMAT, "student": student} | marks, timing


def failed(student, why):
    """Return the record that replaces the marks if the grader itself failed, so that no zero is given."""
    marks = {"format": FORMAT, "student": student, "status": "grader_error"}
    return marks | {"notes": [clean(why, 1000)], "exercises": []}


def digest(notebooks, faults, earlier=None):
    """Return a hash of everything on which the marks of a submission depend."""
    found = hashlib.sha256(json.dumps(faults).encode())
    read = [(number, raw) for number, raw in sorted(notebooks.items())]
    read += [(f"{number} before", raw) for number, raws in sorted((earlier or {}).items()) for raw in raws]
    for number, raw in read:
        found.update(f"|{number}:{None if raw is None else len(raw)}|".encode() + (raw or b""))
    return found.hexdigest()


def _sheet(student, number, raw, settings, handed_in=True):
    """Return the marks of one notebook, with a row for each exercise, and the notes on the notebook."""
    part, begun = settings | {"sheets": [number]}, time.monotonic()
    raw = with_present_functions(raw, number)
    follows = bool(settings.get("cap") and raw is not None and right_helpers.declared(number))
    alone = part | {"budget": FIRST * settings.get("budget", BUDGET)} if follows else part
    marking = Marking(sandbox_for(settings, number, more=optional_packages(number, raw)), alone, student, raw)
    if not handed_in:
        marking.fail_remaining("absent", "")
    elif raw is None:
        marking.fail_remaining("unreadable", "No notebook for this sheet could be read.")
    marking.run()
    found = [
        exercise_marks(e, marking.seeds[e.id], marking.tried[e.id], settings["partial"])
        for e in marking.exercises
    ]
    if follows:
        open_sandbox = partial(sandbox_for, settings, number, right_helpers.config)
        marking.settings = part
        found = FollowThrough(marking, student, marking.sandbox, open_sandbox, begun).rows(found)
    written = sources_of(raw, [e.answer_name for e in marking.exercises]) if raw is not None else {}
    found = [each | {"code": written.get(each["id"].partition(".")[2], "")} for each in found]
    return found, marking.notes if any(r["status"] != "passed" for r in found) else []


def _marked(student, notebooks, faults, settings, earlier):
    """Return the marks of all sheets of a submission together, including those of earlier hand-ins."""
    rows, notes, before = [], [clean(fault, 300) for fault in faults], {}
    for number in settings["sheets"]:
        handed_in = number in notebooks or not notebooks
        found, sheet_notes = _sheet(student, number, notebooks.get(number), settings, handed_in)
        rows, notes = rows + found, notes + sheet_notes
        if number in earlier:
            tried = [_sheet(student, number, raw, settings) for raw in earlier[number]]
            before[number] = [{"exercises": exercises, "notes": remarks} for exercises, remarks in tried]
    graded = "graded" if settings["isolated"] else "unprotected"
    return {
        "status": "unreadable" if any(r["status"] == "unreadable" for r in rows) else graded,
        "points": sum(r["points"] for r in rows),
        "max_points": sum(r["max_points"] for r in rows),
        "exercises": rows,
        "notes": notes,
        "sha256": digest(notebooks, faults, earlier),
    } | ({"earlier": before} if before else {})
