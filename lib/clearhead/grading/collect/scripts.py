"""Read a script of cells, as VS Code, Spyder and jupytext write them: `# %%` begins a cell."""

import json
import re

from clearhead.errors import UserError
from clearhead.sandbox.syntax import lines_of

_MARK = re.compile(r"^# ?%%(?P<rest>.*)$")
_MAGIC = re.compile(r"^# ?(?=[%!](?!%))")


def as_notebook(raw):
    """Return a script, given as bytes, as the bytes of a notebook; one without marks is one cell.

    Raises
    ------
    UserError
        For a notebook of marimo, in which each answer is a local name of a function.
    """
    if re.search(rb"^app = marimo\.App\(", raw, re.M):
        raise UserError(
            "A marimo notebook cannot be graded: run `marimo export ipynb`, and hand in its output."
        )
    cells, kind, lines = [], "code", []
    for line in lines_of(raw.decode("utf-8-sig", "replace")):
        line = line.rstrip("\n")
        if mark := _MARK.match(line):
            cells.append((kind, lines))
            kind = "markdown" if re.search(r"\[(markdown|md|raw)\]", mark["rest"]) else "code"
            lines = []
        else:
            lines.append(line)
    cells.append((kind, lines))
    made = [_cell(kind, lines) for kind, lines in cells if any(line.strip() for line in lines)]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def _cell(kind, lines):
    """Return one cell, whose text and magics are comments in the script."""
    if kind == "markdown":
        lines = [re.sub(r"^# ?", "", line) for line in lines]
    else:
        lines = [_MAGIC.sub("", line) for line in lines]
    return {"cell_type": kind, "metadata": {}, "source": "\n".join(lines).strip("\n")}
