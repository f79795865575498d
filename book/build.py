"""The build of the book: the chapters are executed, and Jupyter Book writes the pages to `_build/html`.

A warning counts as an error.

python book/build.py             build what changed
python book/build.py --all       build every page again
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"
RECORD = ROOT / "_build" / "last_build.json"
JUPYTER_BOOK = [sys.executable, str(ROOT / "book" / "sphinx_step.py")]
SOURCES = [
    "_config.yml",
    "_toc.yml",
    "requirements.txt",
    "constraints.txt",
    "book",
    "benchmarks/results",
    "chapters",
    "exercises",
    "solutions",
]


def machine():
    """Return what determines the last digits of results: the version of Python, and the CPU features used."""
    return sys.version + str(np.show_config(mode="dicts")["SIMD Extensions"])


def fingerprint():
    """Return a hash of all files and settings from which the pages are made."""
    digest = hashlib.sha256(os.environ.get("CLEARHEAD_EDITION", "").encode() + machine().encode())
    for name in [*SOURCES, "lib/clearhead"]:
        source = ROOT / name
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def record():
    """Return the record of the last build, with its fingerprint and exit status, or {} if there is none."""
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def up_to_date():
    """Return True if the last build succeeded and nothing from which it was made has changed."""
    last = record()
    return (
        last.get("status") == 0
        and last.get("fingerprint") == fingerprint()
        and (HTML / "index.html").exists()
    )


def build(everything=False):
    """Execute the chapters, build the pages, record the result, and return the exit status."""
    made_from = fingerprint()
    everything |= record().get("status", 0) != 0  # a page that was read with a warning would not warn again
    command = [*JUPYTER_BOOK, "build", ".", "-n", "-W", "--keep-going", "-q"]
    status = subprocess.run([sys.executable, "book/execute.py"], cwd=ROOT).returncode
    if status == 0:
        begun = time.perf_counter()
        command += ["--all"] * everything
        status = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode  # warnings are shown
        print(f"pages: {time.perf_counter() - begun:.1f} s", flush=True)
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps({"fingerprint": made_from, "status": status}, indent=1))
    return status


def main():
    """Build the book unless it is up to date, and print which page to open, or why the build stopped."""
    if "--all" not in sys.argv and up_to_date():
        print("nothing has changed since the last build")
    elif status := build("--all" in sys.argv):
        sys.exit(
            f"\nThe book was not built (status {status}): the first message above says which file and why."
        )
    print(f"\nOpen this page in a browser:\n  {(HTML / 'index.html').as_uri()}")


if __name__ == "__main__":
    main()
