"""The text of a sheet, read from the Markdown files of its folder: `sheet.md` and one for each exercise.

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

#: The heading after which a notebook puts the answers to use, and nothing more is marked.
LAST_PART = "## Plug it in"
_LINK = re.compile(r"^\[(\w+)\]\((\w+)\.md\)$", re.M)
_HEAD_OF_EXERCISE = re.compile(r"\A---\n(?:.+\n)*?stars:")


@dataclass(frozen=True)
class SheetText:
    """The contents of the Markdown files of a sheet.

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
        """Return a dict from each answer that builds on earlier answers to the names of those answers."""
        return {answer_name: each.builds_on for answer_name, each in self.exercises.items() if each.builds_on}

    def require_complete(self):
        """Raise UserError if the sheet and the files of its folder do not fit together.

        `sheet.md` links once to every exercise of the folder. Each of them has a module of cases beside its
        text, defines a function of its own, and comes after the exercises that it builds on.
        """
        path, linked = self.folder / "sheet.md", [text for kind, text in self.parts if kind == "exercise"]
        for stem in sorted({each.stem for each in self.folder.glob("*.md")} - {"sheet", *linked}):
            if _is_exercise(self.folder / f"{stem}.md"):
                raise UserError(
                    f"{path} does not mention the exercise {stem}.md, so no student gets it: put the line "
                    f"[{stem}]({stem}.md) where it belongs."
                )
        if twice := [stem for stem in linked if linked.count(stem) > 1]:
            raise UserError(f"{path} links twice to {twice[0]}.md: remove one of the two lines.")
        earlier = {}
        for stem, exercise in self.by_stem.items():
            _require_fitting(exercise, self.folder / f"{stem}.md", earlier)
            earlier[exercise.answer_name] = stem

    @cached_property
    def cells(self):
        """Return the cells of the notebook as pairs (kind, text), without titles and checks."""
        return [
            cell
            for kind, text in self.parts
            for cell in (self.by_stem[text].cells if kind == "exercise" else [(kind, text)])
        ]

    @cached_property
    def uses(self):
        """Return the sorted names of the modules that the notebook imports.

        Modules of `clearhead` count only if they are imported before "Plug it in".
        """
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
    """Return the SheetText of the sheet in a folder.

    Raises
    ------
    UserError
        If there is no `sheet.md`, its head is incomplete, or a file to which it links does not exist.
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


def _require_fitting(exercise, path, earlier):
    """Raise UserError if an exercise lacks its cases, reuses a name, or builds on a missing answer.

    `earlier` is a dict from the names of the functions that come before to the names of their files.
    """
    name, stem = exercise.answer_name, path.stem
    if not path.with_suffix(".py").is_file():
        raise UserError(
            f"{path} has no cases: write them into {stem}.py beside it, which must end with "
            "`EXERCISE = exercise_from_text(__file__, cases)`."
        )
    if name in earlier:
        raise UserError(
            f"{path} defines {name}, as {earlier[name]}.md does: give each exercise a function with "
            "a name of its own."
        )
    if missing := [needed for needed in exercise.builds_on if needed not in earlier]:
        raise UserError(
            f"{path} builds on {missing[0]}, but no exercise before it in sheet.md defines that name."
        )


def _is_exercise(path):
    """Return True if a Markdown file is the text of an exercise, and not some other notes."""
    return path.with_suffix(".py").is_file() or bool(_HEAD_OF_EXERCISE.match(path.read_text("utf-8")))


@cache
def read_exercise(path):
    """Return the ExerciseText of a file.

    Raises
    ------
    UserError
        If there is no such file, or it cannot be parsed.
    """
    try:
        text = Path(path).read_text("utf-8")
    except FileNotFoundError:
        raise UserError(
            f"There is no {path}: the text of an exercise and its module of cases must have the same name, "
            "such as entropy.md and entropy.py."
        ) from None
    return exercise_text.parse(text, path)
