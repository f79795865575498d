"""Right helpers for answers that build on wrong ones, computed in a sandbox of their own.

The results for a student's code are computed neither in its sandbox, where the code of the helpers could be
read, nor in the process of the grader, which computes nothing large on behalf of a student.
"""

import inspect
import json

from clearhead.checks import registry
from clearhead.checks.plain_data import plain
from clearhead.checks.sheet_text import imported
from clearhead.sandbox import exposed_modules, silent_checks
from clearhead.sandbox.sandbox import SubmissionEnded

from .outcomes import size_in_bytes

FORK_SERVER = "clearhead.sandbox.fork_server"
SECONDS = 2  # of computing, for one call
MAX_KEPT_BYTES = 16 << 20  # of arguments and results that are remembered for one answer; more is refused


def declared(number):
    """Return a dict from the name of each answer of a sheet to the earlier answers on which it may build."""
    return registry.description(number).builds_on


def config(settings, number):
    """Return the configuration of the sandbox of a sheet's right helpers, which holds no student's code."""
    helpers = _helpers(number)
    modules = exposed_modules.module_files(sorted({FORK_SERVER, *_imported(helpers)}))
    needs = {"numpy", *(package for e in helpers for package in e.needs)}
    return {
        "isolated": settings["isolated"],
        "packages": sorted(needs),
        "modules": modules | {"clearhead.checks.__init__": silent_checks.__file__},
        "exercises": {
            e.id: {"answer_name": e.answer_name, "names": _names(e), "driver": None} for e in helpers
        },
        "limits": {"megabytes": min(settings["megabytes"], 512), "seconds": SECONDS},
    }


class RightHelpers:
    """The right helpers of one sheet, in the sandbox of `open_sandbox()`; results are cached for a while."""

    def __init__(self, open_sandbox, number):
        self.open_sandbox, self.helpers = open_sandbox, {e.answer_name: e for e in _helpers(number)}
        self.sandbox, self.calls, self.gave, self.bytes = None, 0, {}, 0

    def forget(self):
        """Clear the cached results."""
        self.gave, self.bytes = {}, 0

    def function(self, name):
        """Return a function that computes the right helper of this name in the sandbox, or raises ValueError.

        Arguments and results are remembered, because an answer earns nothing if a helper did all of its work.
        An answer that needs more of them than can be remembered gets a ValueError.
        """

        def helper(arguments, named):
            arguments_given = [*arguments, *named.values()]
            self.bytes += size_in_bytes(arguments_given)
            if self.bytes > MAX_KEPT_BYTES:
                most = MAX_KEPT_BYTES >> 20
                raise ValueError(f"a right {name} was asked for more than {most} megabytes in all")
            found = self._computed(self.helpers[name], arguments, named)
            self.bytes += size_in_bytes(found)
            self.gave.setdefault(name, []).append((plain(arguments_given), plain(found)))
            return found

        return helper

    def _computed(self, exercise, arguments, named):
        """Return the result of the reference; raise ValueError if it raises an error or takes too long."""
        arguments = [
            *arguments,
            *(named[name] for name in _names(exercise)[len(arguments) :] if name in named),
        ]
        arguments = tuple(arguments[: len(_names(exercise))])
        try:
            self._open()
            self.calls += 1
            self.sandbox.set_time_limit(SECONDS)
            self.sandbox.send({"exercise": exercise.id, "call": self.calls}, arguments)
            head, value = self.sandbox.receive()
        except SubmissionEnded as error:
            self.close()
            raise ValueError(f"a right {exercise.answer_name} {error} for these arguments") from None
        if head.get("error") or head.get("returned"):
            raise ValueError(head.get("error") or head["returned"])
        return value

    def _open(self):
        """Open the sandbox if it is not open, and import the helpers in it."""
        if self.sandbox is not None:
            return
        self.sandbox = self.open_sandbox()
        self.sandbox.open()
        self.sandbox.set_time_limit(30)
        head = {"skip": [], "given": {}, "definitions": False, "renamed": {}, "slim": False}
        self.sandbox.send(head, _notebook(self.helpers.values()))
        while True:
            head, _ = self.sandbox.receive()
            if head.get("type") == "ready":
                if head["problems"]:
                    raise RuntimeError(f"the right helpers cannot be imported: {head['problems']}")
                return

    def close(self):
        """End the process in which the right helpers run, if there is one."""
        if self.sandbox is not None:
            self.sandbox.close()
        self.sandbox = None


def _helpers(number):
    """Return the exercises of a sheet on which other exercises may build."""
    names_wanted = {name for names in declared(number).values() for name in names}
    return [e for e in registry.sheet(number).exercises if e.answer_name in names_wanted]


def _names(exercise):
    return list(inspect.signature(exercise.reference).parameters)


def _sources(helpers):
    """Return the source of each right answer, preceded by the imports in the text of its exercise."""
    return [f"import numpy as np\n{each.text.names}\n{each.text.answer}" for each in helpers]


def _imported(helpers):
    """Return the modules of the library that the right answers import."""
    found = {name for source in _sources(helpers) for name in imported(source)}
    return {name for name in found if name.startswith("clearhead.")}


def _notebook(helpers):
    """Return a notebook, as bytes, whose cells define the right answers."""
    cells = [{"cell_type": "code", "source": source} for source in _sources(helpers)]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()
