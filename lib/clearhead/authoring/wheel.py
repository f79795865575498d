"""Make the wheel of a class edition: the library for students, whose checks contain no answers."""

import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from clearhead.errors import UserError

from .class_sheets import class_files

#: What a student's library consists of. The grader, its sandbox and the tools of authors are not among it:
#: they contain right answers. The sheets come from `class_files`, without theirs.
MODULES = ("__init__.py", "chat_command.py", "errors.py", "files.py", "in_lab.py", "targets.py")
PACKAGES = (
    "checks",
    "contracts",
    "figures",
    "maths",
    "nets",
    "pretrained",
    "text",
    "training",
    "widgets",
)
COMMAND = re.compile(r'^clearhead = "clearhead\.grading\.cli:main"$', re.M)


def class_wheel(root, out, tick=lambda number: None):
    """Return the path of a wheel, written into a folder: the library of a class edition.

    Parameters
    ----------
    root : str or Path
        The repository.
    out : str or Path
        The folder that the wheel is written to.
    tick : callable
        Called with the number of each sheet before its answers are recorded.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "lib"
        _copy_library(Path(root) / "lib", copy)
        for name, content in class_files(Path(root) / "_build" / "class_sheets", tick).items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(content)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command += ["--no-build-isolation"] if find_spec("setuptools") else []
        made = subprocess.run([*command, "-w", str(out), str(copy)], capture_output=True, text=True)
    if made.returncode:
        raise UserError(f"The wheel for students could not be made: {made.stderr.strip()[-500:]}")
    return next(Path(out).glob("clearhead-*.whl"))


def _copy_library(lib, copy):
    """Copy the parts that students need; their command `clearhead` does not include grading."""
    package = copy / "clearhead"
    package.mkdir(parents=True)
    for name in MODULES:
        shutil.copyfile(lib / "clearhead" / name, package / name)
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(lib / "clearhead" / name, package / name, ignore=ignored)
    text = (lib / "pyproject.toml").read_text(encoding="utf-8")
    text, count = COMMAND.subn('clearhead = "clearhead.chat_command:students"', text)
    if count != 1:
        raise UserError(
            "lib/pyproject.toml does not define the command `clearhead` in the line expected there."
        )
    (copy / "pyproject.toml").write_text(text, encoding="utf-8")
