"""Make the class edition: sheets and book without solutions, and a search that proves it."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from clearhead.checks import registry

from .build_exercises import MARK, source_of, stale

README = """# For students

Open the sheets in the folder `exercises` with Jupyter, and the book at `book/index.html`, without a server.

1. Install Python 3.11 or later, then `pip install "clearhead[all] @ ADDRESS"`; ask your teacher for ADDRESS.
2. Write each answer in place of the line that raises, and run the check below it.
3. `hint("05.qkv", 1)` gives a nudge, `score()` the points of the sheet.
4. Hand in the notebook itself, under its own name.
"""
FOLD = re.compile(r"<summary>\s*(<p>)?\s*Solution", re.I)
TEXT = {".html", ".ipynb", ".js", ".json", ".md", ".txt", ".xml", ".py"}


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
    (out / "README.md").write_text(README, encoding="utf-8")
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


def leaks(root, folder):
    """Return one line for each solution that can be read in a folder.

    What a chapter or a hint shows anyway does not count.
    """
    shown = _without_space("".join(_shown(Path(root))))
    wanted = {name: body for name, body in solutions(root).items() if body not in shown}
    found = []
    for path in sorted(p for p in Path(folder).rglob("*") if p.suffix in TEXT):
        text = path.read_text(encoding="utf-8", errors="replace")
        if FOLD.search(text):
            found.append(f"{path.relative_to(folder)} has a folded solution")
        squeezed = [_without_space(text), _without_space(html.unescape(re.sub(r"<[^>]*>", "", text)))]
        squeezed.append(
            squeezed[0].replace('",', "").replace('"', "").replace("\\n", "")
        )  # a notebook's lines
        for name, body in wanted.items():
            if any(body in each or body.replace('"', "") in each for each in squeezed):
                found.append(f"{path.relative_to(folder)} has the solution of {name}")
    return found


def solutions(root):
    """Return the body of each answer, from its sheet and name, without any space."""
    bodies = {}
    for path in sorted((Path(root) / "solutions").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            lines = source_of(cell).splitlines()
            for number, line in enumerate(lines):
                if cell["cell_type"] == "code" and (mark := MARK.match(line)):
                    after = lines[number + 1 :]
                    end = next(
                        (i for i, t in enumerate(after) if t.strip() and not t.startswith(mark[1])), None
                    )
                    name = re.findall(r"(?:def|class) (\w+)", "\n".join(lines[:number]))[-1]
                    bodies[f"{path.stem}: {name}, line {number}"] = _without_space("\n".join(after[:end]))
    return bodies


def _without_space(text):
    return "".join(text.split())


def _shown(root):
    """Yield what everybody may read: chapters, and hints."""
    for path in sorted((root / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            yield source_of(cell)
    for number in registry.numbers():
        for exercise in registry.sheet(number).exercises:
            yield from exercise.hints
