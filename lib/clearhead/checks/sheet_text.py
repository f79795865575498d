"""Read a sheet from the Markdown files of its folder: `sheet.md`, and one file for each exercise.

`sheet.md` has a head with the sheet's number and title. What follows is the notebook: Markdown, blocks of
Python, and, on a line of its own, a link such as `[qkv](qkv.md)` where an exercise belongs. The order of the
links is the order of the exercises.
"""

import ast
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from ..errors import UserError
from . import exercise_text
from .exercise_text import head, markdown_cells

#: From here on a notebook puts the answers to use, and nothing is marked.
LAST_PART = "## Plug it in"
_LINK = re.compile(r"^\[(\w+)\]\((\w+)\.md\)$", re.M)


@dataclass(frozen=True)
class SheetText:
    """What the Markdown files of a sheet say.

    Attributes
    ----------
    folder : Path
    number : str
        Two digits.
    title : str
    parts : tuple of (str, str)
        The notebook in order: pairs of a kind, "markdown", "code" or "exercise", and a text or the name of an
        exercise's file.
    """

    folder: Path
    number: str
    title: str
    parts: tuple

    @cached_property
    def by_stem(self):
        """Return a dict from the name of each exercise's file, without its ending, to its ExerciseText."""
        stems = (text for kind, text in self.parts if kind == "exercise")
        return {stem: read_exercise(self.folder / f"{stem}.md") for stem in stems}

    @property
    def exercises(self):
        """Return a dict from the name of each answer to its ExerciseText, in order."""
        return {each.answer_name: each for each in self.by_stem.values()}

    @property
    def answer_names(self):
        """Return the names of the functions that the student writes, in order."""
        return tuple(self.exercises)

    @property
    def builds_on(self):
        """Return a dict from the name of an answer to those of the answers that it builds on, if any."""
        return {answer_name: each.builds_on for answer_name, each in self.exercises.items() if each.builds_on}

    @cached_property
    def cells(self):
        """Return the cells of the notebook, pairs of a kind and a text, without titles and checks."""
        return [
            cell
            for kind, text in self.parts
            for cell in (self.by_stem[text].cells if kind == "exercise" else [(kind, text)])
        ]

    @cached_property
    def uses(self):
        """Return the modules that the notebook imports, sorted; of `clearhead` those before "Plug it in"."""
        last = next((n for n, (_, text) in enumerate(self.cells) if text.startswith(LAST_PART)), None)
        before = {name for kind, text in self.cells[:last] if kind == "code" for name in imported(text)}
        after = {name for kind, text in self.cells if kind == "code" for name in imported(text)}
        others = {name for name in after if not name.startswith("clearhead")}
        return tuple(sorted((before | others) - {"clearhead.checks"}))


def imported(code):
    """Yield the name of each module that a piece of Python imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@cache
def read_sheet(folder):
    """Return the SheetText of a folder.

    Raises
    ------
    UserError
        Where there is no `sheet.md`, its head is incomplete, or it links to no file.
    """
    path = Path(folder) / "sheet.md"
    try:
        keys, text = head(path.read_text("utf-8"), ("number", "title"), path)
    except OSError:
        raise UserError(f"{folder} has no sheet.md: write one with a number and a title.") from None
    if not re.fullmatch(r"\d\d", keys["number"].strip("\"'")):
        raise UserError(f"{path}: the number must have two digits, such as 21; it is {keys['number']}.")
    parts, end = [], 0
    for link in [*_LINK.finditer(text), None]:
        parts += markdown_cells(text[end : link.start() if link else len(text)])
        if link:
            if not path.with_name(f"{link[2]}.md").is_file():
                raise UserError(f"{path}: it links to {link[2]}.md, and there is no such file beside it.")
            parts.append(("exercise", link[2]))
            end = link.end()
    return SheetText(path.parent, keys["number"].strip("\"'"), keys["title"], tuple(parts))


@cache
def read_exercise(path):
    """Return the ExerciseText of a file."""
    return exercise_text.parse(Path(path).read_text("utf-8"), path)
