"""The notebooks of the book, for the tests that read them."""

import nbformat

from support.places import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
TAUGHT = sorted((ROOT / "chapters").glob("*.ipynb"))  # and the appendix, without number and sheet
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
LOOKED_UP = sorted((ROOT / "book").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))


def read(path):
    """Return the notebook in a file."""
    return nbformat.read(path, as_version=4)


def code_cells(path):
    """Return the code cells of the notebook in a file."""
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def name(path):
    """Return a short name for a test's id."""
    return f"{path.parent.name}/{path.stem}"
