"""A tutor over a sheet of a test: a notebook with a student's answers, and a log in a temporary folder."""

import json

from clearhead.authoring.build_exercises import without_answers
from clearhead.checks import registry
from clearhead.grading.tutor.log import Log
from clearhead.grading.tutor.sheet import Tutor


def write_notebook(folder, number, answers=None):
    """Return the path of the exercise notebook of a sheet, with answers in place of the stubs.

    Parameters
    ----------
    folder : Path
    number : str
    answers : dict, optional
        From the name of an answer to the source of its cell.
    """
    cells = [_cell("from clearhead.checks import check, hint, ready, score")]
    for kind, text in registry.description(number).cells:
        cells.append(_cell(without_answers(text, number)) if kind == "code" else _cell(text, kind))
    cells += [_cell(f'check("{each.id}", {each.answer_name})') for each in registry.sheet(number).exercises]
    cells += [_cell(source) for source in (answers or {}).values()]
    path = folder / f"{registry.file_stem(number)}.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def _cell(source, kind="code"):
    made = {"cell_type": kind, "metadata": {}, "source": source}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def tutor_for(folder, number, answers=None, policy=None):
    """Return a Tutor over the notebook of a sheet in a folder."""
    return Tutor(write_notebook(folder, number, answers), Log(folder / "log.jsonl"), policy)
