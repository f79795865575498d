"""Find out whether this machine can hold students' code in a room, and if not, say what to do."""

import os
import re
import sys

from . import linux
from .room import own_packages, python_folders
from .sandbox import Refused, Sandbox

KERNEL = (5, 14)
ANYWAY = """
Grading stops here: without isolation a submission could read your files, change marks or harm the machine.
Learners need none of this; `check` works everywhere. If every line of code here is your own, and only then,
you may say so: --unsafe-no-sandbox."""
NO_LINUX = (
    "Students' code is isolated by namespaces of Linux. On Windows use WSL 2, on a Mac a Linux machine."
)
OLD = "Linux {} or later is needed, with its namespaces; this is {}."
CLOSED = """This machine does not let you make namespaces ({}). One of these opens the way:
  as root                          sudo clearhead grade ...   (the code of students then runs as nobody)
  Ubuntu 23.10 and later           sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0
  Debian, Fedora, Arch             sudo sysctl user.max_user_namespaces=15000
  Docker, Podman                   run the container with --privileged, and nothing else on that machine
  Kubernetes, Gradescope           export the submissions, and grade them on a machine of your own"""


def trouble():
    """Return "" where a room can be opened, else what is missing and what to do about it.

    Raises
    ------
    Broken
        Where the machine allows a room and none opens all the same: that is a fault of the grader.
    """
    if sys.platform != "linux":
        return NO_LINUX + ANYWAY
    release = tuple(map(int, re.match(r"(\d+)\.(\d+)", os.uname().release).groups()))
    if release < KERNEL or not linux.known_processor():
        said = f"{os.uname().release} on {os.uname().machine}"
        return OLD.format(".".join(map(str, KERNEL)), said) + ANYWAY
    try:
        _try_a_room()
    except Refused as error:
        return CLOSED.format(str(error).strip()[-300:]) + ANYWAY
    return ""


def _try_a_room():
    """Open and close an empty room."""
    limits = {"megabytes": 512, "seconds": 5, "folders": python_folders(), "hidden": own_packages()}
    sandbox = Sandbox(
        {"isolated": True, "packages": ["numpy"], "modules": [], "exercises": {}, "limits": limits}
    )
    try:
        sandbox.open()
        sandbox.close()
    finally:
        sandbox.stop()
