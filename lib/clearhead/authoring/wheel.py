"""Make the wheel of a class edition: the library that students install, its checks without answers."""

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from .class_sheets import class_files


class NoWheel(RuntimeError):
    """Raised where the wheel cannot be made; its message says why."""


def class_wheel(root, out):
    """Return the path of a wheel, written into a folder: `clearhead` with the sheets of a class edition."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "lib"
        keep_out = shutil.ignore_patterns("tests", "build", "*.egg-info", "__pycache__")
        shutil.copytree(Path(root) / "lib", copy, ignore=keep_out)
        shutil.rmtree(copy / "clearhead" / "sheets")
        for name, content in class_files(Path(root) / "_build" / "class_sheets").items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(content)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command += ["--no-build-isolation"] if find_spec("setuptools") else []
        made = subprocess.run([*command, "-w", str(out), str(copy)], capture_output=True, text=True)
    if made.returncode:
        raise NoWheel(f"the wheel for students could not be made: {made.stderr.strip()[-500:]}")
    return next(Path(out).glob("clearhead-*.whl"))
