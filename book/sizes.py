"""Measure what README promises: megabytes and seconds of each way to install, in environments made for it.

python book/sizes.py          the light ways: the library alone, and `make learn`
python book/sizes.py --all    chapters and everything as well: gigabytes are downloaded
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WAYS = {
    "pip install ./lib": ["./lib"],
    "make learn": ["-e", "./lib[learn]", "-c", "constraints.txt"],
    "the chapters": ["./lib[chapters]", "-c", "constraints.txt"],
    "requirements.txt": ["-r", "requirements.txt", "-c", "constraints.txt"],
}
LIGHT = 2


def megabytes(folder):
    """Return what the files of a folder hold, in megabytes of 1024 x 1024 bytes on the disk."""
    used = (path.lstat() for path in Path(folder).rglob("*"))
    return sum(getattr(found, "st_blocks", -(-found.st_size // 512)) for found in used) * 512 / 2**20


def install(arguments, folder):
    """Return the megabytes and the seconds of a new environment with what pip is asked for."""
    start, python = (
        time.monotonic(),
        Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python",
    )
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quiet, *arguments], cwd=ROOT, check=True)
    return megabytes(folder), time.monotonic() - start


def main():
    """Print a line for each way."""
    for name, arguments in list(WAYS.items())[: None if "--all" in sys.argv else LIGHT]:
        with tempfile.TemporaryDirectory() as folder:
            size, seconds = install(arguments, folder)
        print(f"{name:<20} {size:6.0f} MB {seconds:5.0f} s", flush=True)


if __name__ == "__main__":
    main()
