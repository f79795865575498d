"""Make the class edition: sheets and book without solutions, and a search that proves it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from .build_exercises import stale
from .class_sheets import CannotKeepBack
from .leaks import leaks
from .wheel import NoWheel, class_wheel

README = """# For students

Open the sheets in the folder `exercises` with Jupyter{book}.

1. {install}
2. Write each answer in place of the line that raises, and run the check below it.
3. `hint("05.qkv", 1)` gives a nudge, `score()` the points of the sheet.
4. Hand in the notebook itself, under its own name.
"""
BOOK = ", and the book at `book/index.html`, without a server. A sheet can be solved in the book, too"
WITH_WHEEL = """Install Python 3.11 or later, then `pip install "./{wheel}[all]"` in this folder. It \
checks answers, and holds none. In the book nothing is installed: Python runs in the page."""
WITHOUT = """Install Python 3.11 or later, then the library `clearhead`; ask your teacher for its file."""


class NotReleased(ValueError):
    """Raised where there is no class edition to give; its message says why."""


def release(root, out, with_book=True, say=print):
    """Write the class edition into an empty folder."""
    root, out = Path(root), Path(out)
    if out.exists() and any(out.iterdir()):
        raise NotReleased(f"{out} is not empty: name a new folder, so that nothing old stays in it.")
    if old := stale(root):
        raise NotReleased(f"{old[0]} Then release again.")
    (out / "exercises").mkdir(parents=True)
    for sheet in sorted((root / "exercises").glob("[0-9][0-9]_*.ipynb")):
        if not sheet.stem.endswith(".new"):
            shutil.copyfile(sheet, out / "exercises" / sheet.name)
    install = WITH_WHEEL.format(wheel=_make_wheel(root, out, say)) if with_book else WITHOUT
    readme = README.format(book=BOOK if with_book else "", install=install)
    (out / "README.md").write_text(readme, encoding="utf-8")
    for place in (out, out / "exercises"):  # an assistant looks where the student has begun to work
        shutil.copyfile(root / "exercises" / "AGENTS.md", place / "AGENTS.md")
    if with_book:
        say("Building the book without solutions. The first time takes some minutes.")
        _build_book(root, out)
    found = leaks(root, out)
    if found:
        shutil.rmtree(out)
        raise NotReleased("Solutions were found, and the edition was deleted again: " + "; ".join(found[:5]))
    say(f"The class edition is in {out}: {', '.join(sorted(p.name for p in out.iterdir()))}.")


def _make_wheel(root, out, say):
    """Put the library for students into `out`, and return its name."""
    say("Recording what right and wrong answers do, for checks without answers. This takes a minute or two.")
    try:
        return class_wheel(root, out).name
    except (CannotKeepBack, NoWheel) as error:
        raise NotReleased(f"{error}") from None


def _build_book(root, out):
    """Build the pages of the class edition beside the usual ones, and put them into `out`."""
    environment = os.environ | {"CLEARHEAD_EDITION": "class"}
    place = out / "building"
    book = [sys.executable, str(Path(sys.executable).with_name("jupyter-book")), "build", "."]
    for command in (
        [sys.executable, "book/execute.py"],
        [*book, "--all", "-n", "-W", "--keep-going", "-q", "--path-output", str(place.resolve())],
    ):
        done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.DEVNULL)
        if done.returncode:
            raise NotReleased(f"`{' '.join(command[1:4])}` failed; its messages stand above.")
    (place / "_build" / "html").rename(out / "book")
    shutil.rmtree(place)
