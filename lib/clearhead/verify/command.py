"""The implementation of the command `clearhead verify`."""

import random
from pathlib import Path

from clearhead.errors import UserError

from . import report
from .adapter import from_names, near_misses, run
from .entry_points import entry_points
from .verifying import verify


def listing():
    """Return a list of all entry points with their signatures, as text."""
    return report.listing(entry_points())


def verify_file(path, only=(), seed=None, seeds=3, seconds=20.0, junit=None):
    """Return the report on an adapter file, and whether all functions in it are right.

    Parameters
    ----------
    path : str or Path
    only : sequence of str
        The entry points to verify. If it is empty, all those that the file names are verified.
    seed : int, optional
        The first seed; by default a new one for each run.
    seeds : int
    seconds : float
        The time limit for one case.
    junit : str or Path, optional
        The file to which JUnit XML is written.

    Raises
    ------
    UserError
        If the file cannot be run, or does not name an entry point that is to be verified.
    """
    known = entry_points()
    names = run(path)
    adapters = from_names(path, names, known)
    if missing := [name for name in only if name not in adapters]:
        raise UserError(f"{Path(path).name} does not name {missing[0]!r}; it names {', '.join(adapters)}.")
    seed = random.SystemRandom().randrange(10_000) if seed is None else seed
    findings = [
        verify(known[name], adapter, seed, seeds, seconds)
        for name, adapter in adapters.items()
        if not only or name in only
    ]
    name = Path(path).name
    if junit:
        Path(junit).write_text(report.junit(findings, name), encoding="utf-8")
    said = "\n".join([report.text(findings, name, known, seed, seeds), *near_misses(names, known)])
    return said, all(finding.passed for finding in findings)
