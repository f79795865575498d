"""Wheels of the whole library, and of a class edition, whose checks contain no answers."""

import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from clearhead.errors import UserError

from .class_sheets import class_files

#: The parts of a student's library. The grader, its sandbox and the tools of authors are left out, because
#: they contain right answers. The sheets come from `class_files`, which removes their answers.
MODULES = ("__init__.py", "chat_command.py", "errors.py", "files.py", "in_lab.py", "targets.py", "py.typed")
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
#: Files that pyproject.toml reads in addition to the packages.
BESIDE = ("README.md", "LICENSE")
COMMAND = re.compile(r'^clearhead = "clearhead\.grading\.cli:main"$', re.M)
PLUGIN = re.compile(r'^\[project\.entry-points\.pytest11\]\nclearhead = "clearhead\.verify\..*\n', re.M)


def library_wheel(root, out):
    """Write a wheel of the whole library into a folder, and return its path.

    It is built from a copy, because setuptools would otherwise include files that an earlier build has left
    in `lib/build`.

    Parameters
    ----------
    root : str or Path
        The repository.
    out : str or Path
        The folder that the wheel is written to.

    Raises
    ------
    UserError
        If pip cannot build the wheel.
    """
    lib = Path(root) / "lib"
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "lib"
        shutil.copytree(lib / "clearhead", copy / "clearhead", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", *BESIDE):
            shutil.copyfile(lib / name, copy / name)
        return _built(copy, out)


def class_wheel(root, out, tick=lambda number: None):
    """Write a wheel of the library of a class edition into a folder, and return its path.

    Parameters
    ----------
    root : str or Path
        The repository.
    out : str or Path
        The folder that the wheel is written to.
    tick : callable
        Called with the number of each sheet before its answers are recorded.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "lib"
        _copy_library(Path(root) / "lib", copy)
        for name, content in class_files(Path(root) / "_build" / "class_sheets", tick).items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(content)
        return _built(copy, out)


def _built(project, out):
    """Build the wheel of a project folder into `out`, and return its path.

    An installed setuptools is used instead of a downloaded one.
    """
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation"] if find_spec("setuptools") else []
    made = subprocess.run([*command, "-w", str(out), str(project)], capture_output=True, text=True)
    if made.returncode:
        raise UserError(f"The wheel could not be made: {made.stderr.strip()[-500:]}")
    return next(Path(out).glob("clearhead-*.whl"))


def _copy_library(lib, copy):
    """Copy the parts of the library that students need, without the commands for grading."""
    package = copy / "clearhead"
    package.mkdir(parents=True)
    for name in MODULES:
        shutil.copyfile(lib / "clearhead" / name, package / name)
    for name in BESIDE:
        shutil.copyfile(lib / name, copy / name)
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(lib / "clearhead" / name, package / name, ignore=ignored)
    text = (lib / "pyproject.toml").read_text(encoding="utf-8")
    text, count = COMMAND.subn('clearhead = "clearhead.chat_command:students"', text)
    text, plugins = PLUGIN.subn("", text)
    if count != 1 or plugins != 1:
        raise UserError(
            "lib/pyproject.toml does not define the command `clearhead` and the plugin of pytest in the "
            "lines expected there."
        )
    (copy / "pyproject.toml").write_text(text, encoding="utf-8")
