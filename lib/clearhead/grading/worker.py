"""Grade one submission: one call that depends on its arguments alone, so any machine can make it."""

import atexit
import contextlib
import hashlib
import json
import threading
import time

from clearhead.checks import registry
from clearhead.checks.running import import_needs, parameter_names

from . import slices
from .marking import Marking
from .marks import clean, row
from .room import own_packages, python_folders
from .sandbox import Broken, Sandbox
from .sheet_imports import imports_of

FORMAT = 1
ATTEMPTS = 3
_open = threading.local()
_all = []


def config(settings):
    """Return what a sandbox server needs to know: no reference, no seed, no answer is in it."""
    exercises = [e for number in settings["sheets"] for e in registry.sheet(number).exercises]
    known = {
        e.id: {"entry": e.entry, "names": parameter_names(e), "driver": e.driver and slices.home(e.driver)}
        for e in exercises
    }
    sources = slices.cut(_wanted(settings["sheets"], exercises))
    packages = {"numpy", *(p for e in exercises for p in e.needs), *slices.needed_packages(sources)}
    packages |= {module for number in settings["sheets"] for module in imports_of(number)["modules"]}
    return {
        "isolated": settings["isolated"],
        "packages": sorted(packages),
        "slices": sources,
        "exercises": known,
        "limits": {
            "megabytes": settings["megabytes"],
            "seconds": settings["seconds"],
            "folders": python_folders(),
            "hidden": own_packages(),
        },
    }


def _wanted(sheets, exercises):
    """Return the names that may stand in the sandbox: drivers, and what a sheet itself imports."""
    wanted = {}
    for number in sheets:
        for module, names in imports_of(number)["library"].items():
            wanted.setdefault(module, []).extend(names)
    for exercise in exercises:
        if exercise.driver:
            module, name = slices.home(exercise.driver)
            wanted.setdefault(module, []).append(name)
    return wanted


def sandbox_for(settings):
    """Return this thread's sandbox for these settings; the one for other settings is stopped."""
    key = json.dumps({k: v for k, v in settings.items() if k != "secret"}, sort_keys=True)
    if getattr(_open, "key", None) != key:
        drop_sandbox()
        _open.sandbox, _open.key = Sandbox(config(settings)), key
        _all.append(_open.sandbox)
        for number in settings["sheets"]:
            for exercise in registry.sheet(number).exercises:
                import_needs(exercise)  # while the sandbox imports the same
    return _open.sandbox


def drop_sandbox():
    """Stop this thread's sandbox, where there is one."""
    if getattr(_open, "key", None) is not None:
        _open.key = None
        _all.remove(_open.sandbox)
        with contextlib.suppress(Exception):
            _open.sandbox.stop()


@atexit.register
def _stop_all():
    for sandbox in _all:
        sandbox.stop()


def grade(student, notebooks, faults, settings):
    """Return a pair: the marks of one submission, and how long it took.

    Parameters
    ----------
    student : str
        Its name.
    notebooks : dict
        From the number of a sheet to the bytes of its notebook; None where there is none.
    faults : list of str
        What could not be read.
    settings : dict
        `sheets`, `secret`, `seconds`, `megabytes`, `partial`, `isolated`.
    """
    begun, cpu = time.perf_counter(), time.process_time()
    marks, attempts = {"status": "grader_error"}, 0
    while marks["status"] == "grader_error" and attempts < ATTEMPTS:
        attempts += 1
        try:
            marks = {"status": "graded"} | _marked(student, notebooks, faults, settings)
        except Exception as error:  # a fault of ours: it must never become a zero
            drop_sandbox()
            why = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
            marks = {"status": "grader_error", "notes": [clean(why, 1000)], "exercises": []}
    seconds, own = time.perf_counter() - begun, time.process_time() - cpu
    timing = {
        "student": student,
        "seconds": round(seconds, 3),
        "own cpu": round(own, 3),
        "attempts": attempts,
    }
    return {"format": FORMAT, "student": student} | marks, timing


def digest(notebooks, faults):
    """Return a hash of all that a submission's marks depend on."""
    found = hashlib.sha256(json.dumps(faults).encode())
    for number, raw in sorted(notebooks.items()):
        found.update(f"|{number}:{None if raw is None else len(raw)}|".encode() + (raw or b""))
    return found.hexdigest()


def _marked(student, notebooks, faults, settings):
    """Return the marks of every sheet together."""
    rows, notes = [], [clean(fault, 300) for fault in faults]
    for number, raw in notebooks.items():
        part = settings | {"sheets": [number]}
        marking = Marking(sandbox_for(settings), part, student, raw)
        if raw is None:
            marking._fail_all("unreadable", "There is no notebook for this sheet that can be read.")
        marking.run()
        found = [
            row(e, marking.seeds[e.id], marking.tried[e.id], settings["partial"]) for e in marking.exercises
        ]
        rows += found
        notes += marking.notes if any(r["status"] != "passed" for r in found) else []
    return {
        "points": sum(r["points"] for r in rows),
        "out_of": sum(r["out_of"] for r in rows),
        "exercises": rows,
        "notes": notes,
        "sha256": digest(notebooks, faults),
    }
