"""Measurements of the sizes and times that README states for each way to install, in new environments.

python book/sizes.py          the small installations: only the library, and `make learn`
python book/sizes.py --all    also the chapters and everything else, which downloads gigabytes

It ends with an error if README states another size.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WAYS = {  # the names in README, and the arguments of pip
    "pip install ./lib": ["./lib"],
    "make learn": ["-e", "./lib[learn]", "-c", "constraints.txt"],
    'pip install "./lib[chapters]" -c constraints.txt': ["./lib[chapters]", "-c", "constraints.txt"],
    "pip install -r requirements.txt -c constraints.txt": ["-r", "requirements.txt", "-c", "constraints.txt"],
}
LIGHT = 2
LINE = re.compile(r"^\* `(?P<way>[^`]+)`.*?(?P<size>[\d.]+) (?P<unit>MB|GB)", re.M)
NEAR = 0.05  # files differ a little between systems, and README rounds


def promised(text):
    """Return a dict from each way to install to the megabytes that a text such as README states for it."""
    return {
        line["way"]: float(line["size"]) * {"MB": 1, "GB": 1024}[line["unit"]] for line in LINE.finditer(text)
    }


def megabytes(folder):
    """Return the disk space of the files in a folder, in megabytes of 1024 x 1024 bytes."""
    used = (path.lstat() for path in Path(folder).rglob("*"))
    return sum(getattr(found, "st_blocks", -(-found.st_size // 512)) for found in used) * 512 / 2**20


def install(arguments, folder):
    """Install packages in a new environment, and return its size in megabytes and the time in seconds."""
    start = time.monotonic()
    python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quiet, *arguments], cwd=ROOT, check=True)
    return megabytes(folder), time.monotonic() - start


def differs(size, stated):
    """Return a sentence if a measured size is not close to the stated one, or "" if it is."""
    return "" if abs(size - stated) <= NEAR * stated else f"README says {stated:.0f} MB: fix it"


def main():
    """Print a line for each way to install, and return False if README states another size."""
    stated, right = promised((ROOT / "README.md").read_text(encoding="utf-8")), True
    for name, arguments in list(WAYS.items())[: None if "--all" in sys.argv else LIGHT]:
        with tempfile.TemporaryDirectory() as folder:
            size, seconds = install(arguments, folder)
        wrong = differs(size, stated[name])
        right = right and not wrong
        print(f"{name:<51} {size:5.0f} MB {seconds:4.0f} s  {wrong}".rstrip(), flush=True)
    return right


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
