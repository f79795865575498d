"""The cells of a sheet's solution notebook, made from the Markdown files of the sheet."""

import re
from pathlib import Path

from clearhead.checks.exercise_text import MARK
from clearhead.checks.sheet_text import read_sheet


def written_sheets(root):
    """Return a dict from the name of each notebook to the SheetText of its sheet.

    Parameters
    ----------
    root : path
        A copy of this repository, or a folder with an instructor's own sheets.

    Raises
    ------
    UserError
        If a sheet does not link to one of its exercises, or an exercise lacks its cases.
    """
    inside = Path(root) / "lib" / "clearhead" / "sheets"
    folders = [path.parent for path in (inside if inside.is_dir() else Path(root)).glob("*/sheet.md")]
    sheets = sorted((read_sheet(folder) for folder in folders), key=lambda sheet: sheet.number)
    for sheet in sheets:
        sheet.require_complete()
    return {f"{sheet.number}_{sheet.folder.name}.ipynb": sheet for sheet in sheets}


def solution_cells(sheet):
    """Return the cells of the solution notebook of a sheet, each with an id that describes it."""
    cells, ids = [], set()
    for name, kind, source in _named_cells(sheet):
        id = _unused(name, ids)
        ids.add(id)
        cell = {"cell_type": kind, "id": id, "metadata": {}, "source": source.splitlines(keepends=True)}
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    return cells


def _named_cells(sheet):
    """Yield the id, the type and the source of each cell of a sheet's notebook."""
    count = 0
    for kind, text in sheet.parts:
        if kind != "exercise":
            yield _words(text), kind, text
            continue
        count += 1
        exercise = sheet.by_stem[text]
        title = f"## {count}. {exercise.title}\n\n{exercise.rating} · {exercise.minutes} minutes\n\n"
        cell_id = exercise.answer_name.replace("_", "-").lower()
        for number, (of, source) in enumerate(exercise.cells):
            if number == 0:
                yield f"{cell_id}-statement", of, title + source
            else:
                yield (cell_id if MARK.search(source) else _words(source)), of, source
        name = exercise.answer_name
        yield f"{cell_id}-check", "code", f'check("{sheet.number}.{name}", {name})'


def _words(text):
    """Return the first five words of a text, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:5])[:48] or "cell"


def _unused(name, ids):
    """Return a name that is not in `ids`, with a number after it if the name itself is taken."""
    names = [name, *(f"{name}-{number}" for number in range(2, 100))]
    return next(each for each in names if each not in ids)
