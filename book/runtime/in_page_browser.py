"""Replacements for what Python and NumPy lack in a browser: a clock, signals, paths, 64-bit integers."""

import builtins
import os
import posix
import signal
import sys
import sysconfig

import numpy as np


class Stopped(BaseException):
    """Raised in a cell that runs too long; no `except Exception` catches it."""


class Clock:
    """Signals from the page's clock, and reports of the lines of a cell when they first run."""

    TOOL = sys.monitoring.DEBUGGER_ID

    def __init__(self):
        self.alarm = self.report_line = None
        sys.monitoring.use_tool_id(self.TOOL, "lines")
        sys.monitoring.register_callback(self.TOOL, sys.monitoring.events.LINE, self.line)

    def line(self, code, number):
        """Report a line of the cell to the page, once."""
        self.report_line(number)
        return sys.monitoring.DISABLE

    def watch(self, code):
        """Report the lines of a code object, and of those inside it."""
        sys.monitoring.set_local_events(self.TOOL, code, sys.monitoring.events.LINE)
        for part in code.co_consts:
            if isinstance(part, type(code)):
                self.watch(part)

    def setitimer(self, which, seconds, interval=0.0):
        """Replace signal.setitimer, which the browser lacks."""
        self.alarm(seconds, interval)
        return 0.0, 0.0


clock = Clock()
signal.setitimer = clock.setitimer


def overrun(number, frame):
    """Raise Stopped: the page rings when a cell has run too long."""
    raise Stopped("it is still running: is there a loop that never ends?")


signal.signal(signal.SIGINT, overrun)


def path_of(kind):
    """Replace sysconfig.get_path, which knows neither the zip nor the path of NumPy here."""
    return "/lib/python312.zip" if kind == "stdlib" else "/lib/python3.12/"


sysconfig.get_path = path_of


def no_input(prompt=""):
    """Replace input, which would wait forever."""
    raise RuntimeError("input() cannot ask in the page: write the value into the code")


builtins.input = no_input


def no_exit(status=0):
    """Replace os._exit, which would end Python silently."""
    raise Stopped("it called os._exit(), which would end Python in the page.")


os._exit = posix._exit = no_exit


def as_native_integers(x):
    """Return an array of 64-bit integers as one of this machine's 32 bits where they fit, else as it is."""
    long = isinstance(x, np.ndarray) and x.dtype == np.int64 and x.size
    fits = long and max(-int(x.min()), int(x.max())) < 2**31
    return x.astype(np.intp) if fits else x


class Generator(np.random.Generator):
    """Draws the integers that other machines draw, as arrays of this 32-bit machine's own integers.

    NumPy draws 64 bits everywhere; here it then refuses them as counts, and prints them with their dtype.
    """

    def integers(self, *arguments, **named):
        """Return random integers; a dtype that is asked for stays."""
        drawn = super().integers(*arguments, **named)
        return drawn if "dtype" in named else as_native_integers(drawn)

    def choice(self, *arguments, **named):
        """Return a random choice."""
        return as_native_integers(super().choice(*arguments, **named))

    def __reduce__(self):
        return Generator, (self.bit_generator,)


def default_rng(seed=None, new=np.random.default_rng):
    """Return a Generator, as numpy.random.default_rng does."""
    return Generator(new(seed).bit_generator)


np.random.Generator, np.random.default_rng = Generator, default_rng
