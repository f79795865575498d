"""Conversion to a notebook of a script with `# %%` cells, as VS Code, Spyder and jupytext write it."""

import json
import re

from clearhead.errors import UserError
from clearhead.sandbox.syntax import with_newlines

from .archives import NOTEBOOK

CELLS = 20_000
_MARK = re.compile(r"^# ?%%(?P<rest>.*)$", re.M)
_MAGIC = re.compile(r"^# ?(?=[%!](?!%))", re.M)


def as_notebook(raw):
    """Return the bytes of a notebook with the cells of a script; a script without `# %%` is one cell.

    Raises
    ------
    UserError
        For a notebook of marimo, in which each answer is a local name of a function, and for a script that is
        far larger than any that a person writes. The text is never divided into lines, because a list of
        lines takes many times the memory of the text.
    """
    if re.search(rb"^app = marimo\.App\(", raw, re.M):
        raise UserError(
            "A marimo notebook cannot be graded: run `marimo export ipynb`, and hand in its output."
        )
    made = []
    for kind, text in _cells(with_newlines(raw.decode("utf-8-sig", "replace"))):
        if len(made) == CELLS:
            raise UserError(f"The script has more than {CELLS} cells, which is more than can be graded.")
        made.append({"cell_type": kind, "metadata": {}, "source": text})
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    found = json.dumps(notebook).encode()
    if len(found) > NOTEBOOK:
        raise UserError(
            f"The script is larger than {NOTEBOOK >> 20} megabytes when it is read as a notebook."
        )
    return found


def _cells(text):
    """Yield the kind and the text of each cell that is not blank, with text and magics uncommented."""
    kind, start = "code", 0
    while True:
        mark = _MARK.search(text, start)
        cell = text[start : mark.start() if mark else len(text)]
        if cell.strip():
            unmarked = _without_comments(cell) if kind == "markdown" else _MAGIC.sub("", cell)
            yield kind, unmarked.strip("\n")
        if mark is None:
            return
        kind = "markdown" if re.search(r"\[(markdown|md|raw)\]", mark["rest"]) else "code"
        start = mark.end()


def _without_comments(cell):
    """Return the text of a cell without the sign of a comment, "# " or "#", at the start of each line."""
    return ("\n" + cell).replace("\n# ", "\n#").replace("\n#", "\n")
