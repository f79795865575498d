"""The quotations of the library in chapter cells, which are kept equal to its functions.

In addition, code that its tags fold on the page is folded in JupyterLab.

python book/quote.py             bring every quotation up to date
python book/quote.py --check     change nothing; exit with status 1 and name the stale cells
"""

import ast
import importlib
import inspect
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("book/*.ipynb")])
FOLDED = {"hide-input", "remove-input"}


def quotation(built):
    """Return the source of a function or class as a chapter shows it, without docstring and wrappers.

    The wrappers are the decorator that compares arguments with the table in the docstring, and the one that
    computes half precision in single precision.
    """
    source = inspect.getsource(built).rstrip()
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        for decorator in getattr(node, "decorator_list", []):
            if ast.unparse(decorator) in ("checked", "in_float32"):
                lines[decorator.lineno - 1] = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            docstring = node.body[0]
            lines[docstring.lineno - 1 : docstring.end_lineno] = [None] * (
                docstring.end_lineno - docstring.lineno + 1
            )
    kept = [line for line in lines if line is not None]
    return "\n".join(
        line for before, line in zip(["", *kept], kept, strict=False) if line or not opens(before)
    )


def opens(line):
    """Return True for a line after which a docstring, and with it a blank line, was removed."""
    return line.startswith(("class ", "def ", "    def ")) or line.endswith(":")


def builds(cell):
    """Return True for a cell of a chapter that quotes the library."""
    return cell.cell_type == "code" and "builds" in cell.metadata.get("tags", [])


def quoted(cell):
    """Return the text that a quoting cell should contain, for the names that it defines now."""
    if "from" not in cell.metadata:
        raise KeyError(f'the quoting cell {cell.id} has no metadata "from": name its module')
    module = importlib.import_module(cell.metadata["from"])
    names = [
        node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    return "\n\n\n".join(quotation(getattr(module, name)) for name in names)


def unfolded(cell):
    """Return True for a cell whose code is folded either in JupyterLab or on the page, but not in both."""
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    return cell.cell_type == "code" and hidden != bool(FOLDED & set(cell.metadata.get("tags", [])))


def stale(path, fix=False):
    """Return a line for each cell that differs from the library or from its tags, and fix it if `fix`."""
    notebook, found = nbformat.read(path, as_version=4), []
    for cell in filter(builds, notebook.cells):
        if cell.source != (source := quoted(cell)):
            found.append(f"{path.name}, cell {cell.id}: differs from {cell.metadata['from']}")
            cell.source = source
    for cell in filter(unfolded, notebook.cells):
        found.append(f"{path.name}, cell {cell.id}: JupyterLab does not fold what the page folds")
        if not cell.metadata.pop("jupyter", None):
            cell.metadata["jupyter"] = {"source_hidden": True}
    if found and fix:
        nbformat.write(notebook, path)
    return found


def main():
    """Fix the quotations, or only report them with --check."""
    checking = "--check" in sys.argv
    found = [line for path in NOTEBOOKS for line in stale(path, fix=not checking)]
    print("\n".join(found) or "every quotation equals the library, and every fold its tags")
    if found and checking:
        sys.exit("run `make quote`")


if __name__ == "__main__":
    main()
