"""Measure the CPU seconds of the slowest check of each sheet, for right and for wrong answers."""

import contextlib
import io
import os
import tempfile
import time

from compare import Row

from clearhead.checks import check, registry

SEED = 123456


def limit(exercise):
    """Return the CPU seconds that a check may take, which are more where a table of 50 MB is tried."""
    return 0.6 if exercise.megabytes else 0.25


def cpu_seconds(exercise, answer):
    """Return the CPU seconds of one check."""
    begun = time.process_time()
    check(exercise.id, answer, seed=SEED)
    return time.process_time() - begun


def stub(*_arguments):
    raise NotImplementedError


def slowest(exercise, times):
    """Return (seconds, answer) for the answer whose check takes longest, each at its best of several runs."""
    answers = {"the stub": stub, "the reference": exercise.reference}
    answers |= {mistake.name: mistake.answer for mistake in exercise.mistakes}
    seconds = {
        name: min(cpu_seconds(exercise, answer) for _ in range(times)) for name, answer in answers.items()
    }
    return max((took, name) for name, took in seconds.items())


def rows(full, _options):
    """Yield one row per sheet, for the check that comes closest to its limit."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLEARHEAD_STATE"] = folder  # what a reader did before is not touched
        for sheet in registry.sheets():
            with contextlib.redirect_stdout(io.StringIO()):
                found = [(each, *slowest(each, 5 if full else 2)) for each in sheet.exercises]
            exercise, seconds, answer = max(found, key=lambda each: each[1] / limit(each[0]))
            note = f"{answer}; {len(found)} exercises"
            yield Row("checks", exercise.id, seconds, limit(exercise), "s", "a fixed goal", 1.0, note)
