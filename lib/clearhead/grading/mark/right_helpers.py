"""Right helpers for answers that build on wrong ones: computed in a room of their own, by the wire alone.

What a student's code asks for is computed neither in its room, where it could be read, nor in the process
that knows what is right, which computes nothing large that a stranger asks for.
"""

import inspect
import json

from clearhead.checks import registry
from clearhead.checks.plain_data import plain
from clearhead.checks.sheet_text import imported
from clearhead.sandbox import checks_in_a_room, shown
from clearhead.sandbox.sandbox import Ended

from .outcomes import bytes_of

FORKER = "clearhead.sandbox.forker"
SECONDS = 2  # of computing, for one call
KEPT = 16 << 20  # bytes of arguments and results that are remembered for one answer; more is refused


def declared(number):
    """Return what the answers of a sheet may build on: from the name of each to names of earlier answers."""
    return registry.description(number).builds_on


def config(settings, number):
    """Return what the room of a sheet's right helpers needs to know: their modules, and no student's code."""
    helpers = _helpers(number)
    modules = shown.modules(sorted({FORKER, *_imported(helpers)}))
    needs = {"numpy", *(package for e in helpers for package in e.needs)}
    return {
        "isolated": settings["isolated"],
        "packages": sorted(needs),
        "modules": modules | {"clearhead.checks.__init__": checks_in_a_room.__file__},
        "exercises": {e.id: {"entry": e.entry, "names": _names(e), "driver": None} for e in helpers},
        "limits": {"megabytes": min(settings["megabytes"], 512), "seconds": SECONDS},
    }


class RightHelpers:
    """The right helpers of one sheet, in a room that `room()` returns; what they gave is kept for a while."""

    def __init__(self, room, number):
        self.room, self.helpers = room, {e.entry: e for e in _helpers(number)}
        self.sandbox, self.calls, self.gave, self.bytes = None, 0, {}, 0

    def forget(self):
        """Forget what was given."""
        self.gave, self.bytes = {}, 0

    def function(self, name):
        """Return the right helper of that name, as a function of data; it may raise ValueError.

        What is asked and what is given is kept, since an answer earns nothing where a helper did all of its
        work. An answer that asks for more than can be kept gets no more.
        """

        def helper(arguments, named):
            asked = [*arguments, *named.values()]
            self.bytes += bytes_of(asked)
            if self.bytes > KEPT:
                raise ValueError(f"a right {name} was asked for more than {KEPT >> 20} megabytes in all")
            found = self._computed(self.helpers[name], arguments, named)
            self.bytes += bytes_of(found)
            self.gave.setdefault(name, []).append((plain(asked), plain(found)))
            return found

        return helper

    def _computed(self, exercise, arguments, named):
        """Return what the reference gives; raise ValueError where it raises, or takes too long."""
        arguments = [
            *arguments,
            *(named[name] for name in _names(exercise)[len(arguments) :] if name in named),
        ]
        arguments = tuple(arguments[: len(_names(exercise))])
        try:
            self._open()
            self.calls += 1
            self.sandbox.allow(SECONDS)
            self.sandbox.send({"exercise": exercise.id, "call": self.calls}, arguments)
            head, value = self.sandbox.receive()
        except Ended as error:
            self.close()
            raise ValueError(f"a right {exercise.entry} {error} for these arguments") from None
        if head.get("error") or head.get("returned"):
            raise ValueError(head.get("error") or head["returned"])
        return value

    def _open(self):
        """Open the room, where it is not open, and import the helpers in it."""
        if self.sandbox is not None:
            return
        self.sandbox = self.room()
        self.sandbox.open()
        self.sandbox.allow(30)
        head = {"skip": [], "given": {}, "definitions": False, "slim": False}
        self.sandbox.send(head, _notebook(self.helpers.values()))
        while True:
            head, _ = self.sandbox.receive()
            if head.get("is") == "ready":
                if head["troubles"]:
                    raise RuntimeError(f"the right helpers cannot be imported: {head['troubles']}")
                return

    def close(self):
        """End the room's guest."""
        if self.sandbox is not None:
            self.sandbox.close()
        self.sandbox = None


def _helpers(number):
    """Return the exercises of a sheet that others may build on."""
    wanted = {name for names in declared(number).values() for name in names}
    return [e for e in registry.sheet(number).exercises if e.entry in wanted]


def _names(exercise):
    return list(inspect.signature(exercise.reference).parameters)


def _sources(helpers):
    """Return the source of each right answer, with what its text imports before it."""
    return [f"import numpy as np\n{each.text.names}\n{each.text.answer}" for each in helpers]


def _imported(helpers):
    """Return the modules of the library that the right answers import."""
    found = {name for source in _sources(helpers) for name in imported(source)}
    return {name for name in found if name.startswith("clearhead.")}


def _notebook(helpers):
    """Return a notebook, as bytes, whose cells define the right answers."""
    cells = [{"cell_type": "code", "source": source} for source in _sources(helpers)]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()
