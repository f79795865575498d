"""Measure how long it takes to import the library, to build the book, and to run its tests."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from compare import Row, cost

ROOT = Path(__file__).parents[1]
SUBJECT = "import and build"
IMPORT = "import time, {}; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def import_seconds(base, name, rounds):
    """Return the shortest time to import a module in a fresh Python that has imported its dependencies."""
    command = [sys.executable, "-c", IMPORT.format(base, name)]
    ran = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(rounds)]
    return min(float(done.stdout) for done in ran)


def imports(rounds):
    pairs = {
        "clearhead.maths.models": "numpy",
        "clearhead.text.corpora": "numpy",
        "clearhead.nets.models": "torch",
    }
    for name, base in pairs.items():
        more = 1000 * import_seconds(base, name, rounds)
        yield Row(SUBJECT, f"import {name}, beyond {base}", more, 60.0, "ms", "a fixed goal", 1.0)


def builds():
    """Yield the cost of building the book in a fresh copy, and of building it again after a change."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "book")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("_build", ".*"))
        build = [sys.executable, "book/build.py"]
        (cold, _), (warm, _) = cost(build, copy), cost(build, copy)
    yield Row(SUBJECT, "build of the book, CPU", cold, 720.0, "s", "a fixed goal", 1.0)
    yield Row(SUBJECT, "build when nothing has changed, CPU", warm, cold, "s", "the first build", 0.1)


def tests():
    """Yield the seconds that all tests take once the book is built."""
    subprocess.run(["make", "book"], cwd=ROOT, check=True, capture_output=True)
    _, seconds = cost(["make", "test"], ROOT)
    note = f"{os.cpu_count()} cores"
    yield Row(SUBJECT, "all tests, beside a built book", seconds, 900.0, "s", "a fixed goal", 1.0, note)


def rows(full, _options):
    """Yield the rows of this subject."""
    yield from imports(7 if full else 3)
    if full:
        yield from builds()
        yield from tests()
