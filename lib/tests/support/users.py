"""Run the grader as another user."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from clearhead.sandbox import bwrap_config
from support.places import LIBRARY

GRADE = "from clearhead.grading.cli import main; main()"
WHO = ("as we are", "nobody")
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all")


def words(who, code, *arguments):
    """Return the command that runs Python as that user.

    A home that only root may enter, such as /root, is covered first by an open folder with the same Python in
    it, for this process alone.
    """
    python = [sys.executable, "-c", code, *map(str, arguments)]
    if who != "nobody":
        return python
    base = Path(os.path.realpath(sys.base_prefix))
    above = [folder for folder in reversed(base.parents) if folder != Path("/")]
    closed = next((folder for folder in above if not folder.stat().st_mode & 1), None)
    inside = [folder for folder in above if closed and folder.is_relative_to(closed) and folder != closed]
    covered = ["--perms", "0755", "--tmpfs", closed] if closed else []
    covered += [word for folder in inside for word in ("--perms", "0755", "--dir", folder)]
    covered += ["--ro-bind", base, base] if closed else []
    return [
        bwrap_config.bwrap_path(),
        "--die-with-parent",
        "--dev-bind",
        "/",
        "/",
        *map(str, covered),
        "--",
        *NOBODY,
        *python,
    ]


def environment():
    """Return the environment in which this library is found."""
    return os.environ | {"PYTHONPATH": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1"}


def run(code, *arguments, who):
    """Return what Python did with a piece of code, as the user of the tests or as nobody."""
    return subprocess.run(
        words(who, code, *arguments), capture_output=True, text=True, check=False, cwd="/", env=environment()
    )


@cache
def problem(who):
    """Return why we cannot grade as that user, or "": we cannot be it, or the kernel gives it no sandbox."""
    if who == "nobody" and os.geteuid():
        return "only root can become another user; the other tests run as an ordinary one already"
    code = "from clearhead.sandbox.isolation import problem; print(problem(), end='')"
    done = run(code, who=who)
    assert done.returncode == 0, done.stderr
    return done.stdout


def may_grade(who):
    """Skip where we cannot grade as that user."""
    if why := problem(who):
        pytest.skip(why)
