"""The release of a class edition: sheets, library and book, which are searched for solutions."""

import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from clearhead.checks import registry
from clearhead.errors import UserError
from clearhead.files import write_whole

from .build_exercises import stale
from .leaks import leaks
from .wheel import class_wheel

README = """# For students

Open the sheets in the folder `exercises` with Jupyter{book}.

1. Install Python 3.11 or later. Then run `pip install "./{wheel}[learn]"` in this folder, and open Jupyter \
with `jupyter lab`. This installs JupyterLab, and the library with its checks, which can judge your answers \
but do not contain any: about 420 MB. Two exercises need PyTorch too: `pip install "./{wheel}[torch]"`.\
{no_install}
2. Write each answer in place of the line that raises `NotImplementedError`, and run the check below it.
3. `hint("05.qkv", 1)` gives a first hint, and `score()` shows your points.
4. Hand in the notebook itself, under its own name.
"""
BOOK = (
    ", and the book at `book/index.html`, which needs no server. You can solve most sheets in the book, too"
)
NO_INSTALL = " In the pages of the book you need no installation, because Python runs there."
BUILDERS = ("jupyter_book", "nbclient")  # packages that execute the chapters and build the pages
EVERY = 10  # seconds between two messages about the pages


def release(root, out, with_book=True, say=print):
    """Write the class edition to a new folder, which appears only if it is complete and contains no answers.

    The edition is searched for answers twice: the sheets and the library as soon as they exist, because
    building the pages takes minutes, and every file at the end.
    """
    root, out = Path(root), Path(out)
    if out.exists() and any(out.iterdir()):
        raise UserError(f"{out} is not empty: name a new folder, so that nothing old is handed out with it.")
    _require_packages(with_book)
    for source in _sources(root):
        if old := stale(source):
            raise UserError(f"{source}: {old[0]} Then release again.")
    building = out.resolve().with_name(f".{out.name}.{secrets.token_hex(4)}")
    try:
        _write(root, building, with_book, say)
        if out.exists():
            out.rmdir()
        building.rename(out)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    say(f"The class edition is in {out}: {', '.join(sorted(p.name for p in out.iterdir()))}.")


def _require_packages(with_book):
    """Raise UserError if a package is missing without which a later step of the release would fail."""
    exercises = (exercise for number in registry.numbers() for exercise in registry.sheet(number).exercises)
    needed = {package.partition(".")[0] for exercise in exercises for package in exercise.needs}
    needed |= {*BUILDERS} if with_book else set()
    if missing := sorted(name for name in needed if not find_spec(name)):
        raise UserError(
            f"This environment lacks {', '.join(missing)}, without which the class edition cannot be made: "
            "run pip install -r requirements.txt -c constraints.txt in the repository."
        )


def _sources(root):
    """Return the folders that contain notebooks: the repository, and those of an instructor's own sheets."""
    return [root, *registry.own_folders()]


def _write(root, out, with_book, say):
    """Write the whole class edition to a folder."""
    (out / "exercises").mkdir(parents=True)
    for source in _sources(root):
        for sheet in sorted((source / "exercises").glob("[0-9][0-9]_*.ipynb")):
            if not sheet.stem.endswith(".new"):
                shutil.copyfile(sheet, out / "exercises" / sheet.name)
    for folder in (out, out / "exercises"):  # an assistant reads the one where a student works
        shutil.copyfile(root / "exercises" / "AGENTS.md", folder / "AGENTS.md")
    wheel = _make_wheel(root, out, say)
    addresses = {"book": BOOK, "no_install": NO_INSTALL} if with_book else {"book": "", "no_install": ""}
    write_whole(out / "README.md", README.format(wheel=wheel, **addresses))
    say("Searching the sheets and the library for answers.")
    _search(root, out)
    if with_book:
        _build_book(root, out, say)
        say("Searching every page, script and archive for answers.")
        _search(root, out)


def _search(root, out):
    """Raise UserError if an answer can be read in the class edition."""
    if found := leaks(root, out):
        more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
        raise UserError(f"No edition was made, because it would show answers: {'; '.join(found[:5])}{more}.")


def _make_wheel(root, out, say):
    """Write a wheel of the library for students to `out`, and return its name."""
    say("Recording what right and wrong answers do, for checks without answers: half a minute of computing.")
    count = len(registry.numbers())
    begun = []

    def tick(number):
        begun.append(number)
        say(f"  sheet {number}, {len(begun)} of {count}")

    return class_wheel(root, out, tick).name


def _build_book(root, out, say):
    """Build the pages of the class edition in a separate folder, and move them to `out`."""
    environment = os.environ | {"CLEARHEAD_EDITION": "class"}
    say("Bringing the outputs of the chapters up to date; those that were executed before are reused.")
    _done(
        subprocess.Popen([sys.executable, "book/execute.py"], cwd=root, env=environment).wait(), "execute.py"
    )
    folder = out / "building"
    book = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", "."]
    command = [*book, "--all", "-n", "-W", "--keep-going", "-q", "--path-output", str(folder.resolve())]
    total = len(re.findall(r"^\s*(?:- )?(?:file|root):", (root / "_toc.yml").read_text("utf-8"), re.M))
    say(f"Building {total} pages without solutions: a minute or two.")
    begun, build = (
        time.monotonic(),
        subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.DEVNULL),
    )
    try:
        while build.poll() is None:
            try:
                build.wait(EVERY)
            except subprocess.TimeoutExpired:
                read, written = (len([*folder.rglob(f"*.{kind}")]) for kind in ("doctree", "html"))
                seconds = time.monotonic() - begun
                say(f"  {min(read, total)} of {total} read, {min(written, total)} written, {seconds:.0f} s")
    finally:
        build.kill()
    _done(build.returncode, "jupyter-book build")
    (folder / "_build" / "html").rename(out / "book")
    shutil.rmtree(folder)


def _done(status, command):
    """Raise UserError if the exit status of a command is not 0."""
    if status:
        raise UserError(f"`{command}` failed with status {status}; its own messages are above.")
