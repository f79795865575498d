"""The house itself: seconds to import, to build the book, to test it, to grade a submission."""

import json
import subprocess
import sys
from pathlib import Path

from compare import Row

ROOT = Path(__file__).parents[1]
IMPORT = "import time, {}; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def import_seconds(base, name, rounds):
    """Return the least seconds to import a module in a fresh Python that has imported its base."""
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
        yield Row("the house", f"import {name}, beyond {base}", more, 60.0, "ms", "the promise", 1.0)


def last_build():
    record = ROOT / "_build" / "last_build.json"
    if record.exists():
        seconds = json.loads(record.read_text())["seconds"]
        for name, value in seconds.items():
            yield Row("the house", f"last build of the book: {name}", value, 720.0, "s", "the promise", 1.0)


def rows(full, _options):
    """Yield the rows of this subject."""
    yield from imports(7 if full else 3)
    yield from last_build()
