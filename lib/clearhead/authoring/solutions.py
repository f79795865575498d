"""Make the notebooks of solutions from the Markdown files of the sheets."""

import json
import re
from pathlib import Path

from clearhead.checks import registry
from clearhead.checks.exercise_text import MARK

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def solutions(folder=None):
    """Return a dict from file name to text, the notebook of each sheet's solutions.

    Parameters
    ----------
    folder : Path, optional
        Only the sheets in this folder; without it, the sheets of the book.
    """
    place = Path(folder).resolve() if folder else Path(registry.packages()["00"].__file__).parents[1]
    numbers = [n for n in registry.numbers() if Path(registry.packages()[n].__file__).parents[1] == place]
    return {f"{registry.file_stem(n)}.ipynb": notebook(registry.description(n)) for n in numbers}


def notebook(sheet):
    """Return the notebook of a sheet's solutions as JSON: each cell has an id that says what it is."""
    cells, ids = [], set()
    for name, kind, source in _named_cells(sheet):
        id = _unused(name, ids)
        ids.add(id)
        cell = {"cell_type": kind, "id": id, "metadata": {}, "source": source.splitlines(keepends=True)}
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    made = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _named_cells(sheet):
    """Yield a name, a kind and the source of each cell of a sheet's notebook."""
    count = 0
    for kind, text in sheet.parts:
        if kind != "exercise":
            yield _words(text), kind, text
            continue
        count += 1
        exercise = sheet.by_stem[text]
        title = f"## {count}. {exercise.title}\n\n{exercise.rating} · {exercise.minutes} minutes\n\n"
        entry = exercise.entry.replace("_", "-").lower()
        for number, (of, source) in enumerate(exercise.cells):
            if number == 0:
                yield f"{entry}-statement", of, title + source
            else:
                yield (entry if MARK.search(source) else _words(source)), of, source
        yield f"{entry}-check", "code", f'check("{sheet.number}.{exercise.entry}", {exercise.entry})'


def _words(text):
    """Return the first words of a text, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:5])[:48] or "cell"


def _unused(name, ids):
    """Return a name, with a number behind it where it is taken."""
    names = [name, *(f"{name}-{number}" for number in range(2, 100))]
    return next(each for each in names if each not in ids)
