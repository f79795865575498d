"""The code of a chapter that solves an exercise of its sheet, and is folded behind "Try it first".

Code of a page solves an exercise if it defines the same name, if the code is the same apart from its names,
or if the cell's metadata lists the exercise under `solves`. This module needs only the standard library,
because `make learn` does not install Sphinx.
"""

import ast
import functools
import json
import re

from conventions import CHECK, ROOT, text_of


@functools.cache
def exercises_of(sheet):
    """Return a dict from the id of each exercise of a sheet to its heading, solution and cell id."""
    answers, heading, answer, cell_id = {}, "", "", ""
    path = ROOT / "solutions" / f"{sheet}.ipynb"
    for cell in json.loads(path.read_text("utf-8"))["cells"] if path.exists() else ():
        text = text_of(cell)
        if cell["cell_type"] == "markdown":
            heading = [heading, *re.findall(r"^## (.+)$", text, re.M)][-1]
        elif "# answer" in text:
            answer, cell_id = text, cell["id"]
        elif found := CHECK.search(text):
            answers.setdefault(found[1], (heading, answer, cell_id))
    return answers


def solved_in(text, sheet, metadata):
    """Return a dict from the exercises that a piece of code solves to their headings and cell ids."""
    defined = definitions(text)
    solved = {}
    for exercise, (heading, answer, cell_id) in exercises_of(sheet).items():
        answer_name = exercise.partition(".")[2]
        definition = definitions(answer).get(answer_name) if defined else None
        same = answer_name in defined or (definition and definition in defined.values())
        if same or exercise in metadata.get("solves", ()):
            solved[exercise] = heading, cell_id
    return solved


@functools.cache
def definitions(text):
    """Return a dict from the names of functions and classes in code to their code with uniform names."""
    try:
        body = ast.parse(text).body
    except SyntaxError:  # a magic of IPython's
        return {}
    parts = [part for part in body if isinstance(part, ast.FunctionDef | ast.ClassDef)]
    return {part.name: without_name_of_function(part) for part in parts}


def without_name_of_function(definition):
    """Return the code of a function or class without its docstring, and with numbered names."""
    tree = ast.parse(ast.unparse(definition)).body[0]
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    tree.name, own = "_", {}
    parts = list(ast.walk(tree))
    for part in parts:
        if isinstance(part, ast.arg):
            part.arg = own.setdefault(part.arg, f"_{len(own)}")
            part.annotation = None
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            own.setdefault(part.id, f"_{len(own)}")
    for part in parts:
        if isinstance(part, ast.Name):
            part.id = own.get(part.id, part.id)
    return ast.unparse(tree)


def with_collapsed_solutions(notebook, sheet):
    """Return a chapter's notebook for JupyterLab, in which code that solves an exercise is folded.

    A link to the exercise is inserted above the code, which opens with a click on three dots.
    """
    cells = []
    for cell in notebook["cells"]:
        text = text_of(cell)
        solved = solved_in(text, sheet, cell["metadata"]) if cell["cell_type"] == "code" else {}
        if solved:
            words = f"**Try it first:** [exercise {' and '.join(solved)}](../exercises/{sheet}.ipynb). "
            words += "Then open the code: click the three dots."
            cells.append(
                {"cell_type": "markdown", "id": f"{cell['id']}-try"[-64:], "metadata": {}, "source": words}
            )
            cell = {**cell, "metadata": {**cell["metadata"], "jupyter": {"source_hidden": True}}}
        cells.append(cell)
    return {**notebook, "cells": cells}
