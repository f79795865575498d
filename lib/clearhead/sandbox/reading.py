"""Read a notebook for grading: cells of Python, whatever its format, metadata, order and state."""

import ast
import json
import re

CELLS, LONG = 2000, 1 << 16
OURS = "## Plug it in"  # what follows this heading is the sheet's own, and uses the whole library
_MAGIC = re.compile(r"^(\s*)([%!?].*|.*\w\?{1,2}\s*)$")
_TIMED = ("%%time", "%%timeit", "%%capture", "%%prun")


class Unreadable(ValueError):
    """Raised for a file that is not a notebook; its message is one sentence."""


def cells(raw):
    """Return the kind and the text of each cell of a notebook given as bytes; what is no cell has no text."""
    try:
        notebook = json.loads(raw.decode("utf-8-sig"))
        found = notebook.get("cells")
        if found is None:  # nbformat 3
            found = [cell for sheet in notebook.get("worksheets", []) for cell in sheet.get("cells", [])]
        return [_cell(cell) for cell in found]
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise Unreadable(f"The file is not a notebook that can be read ({type(error).__name__}).") from None


def _cell(cell):
    """Return the kind of a cell, and its text, from a string or from lines, under its new or its old name."""
    if not isinstance(cell, dict):
        return "", ""
    text = cell.get("source", cell.get("input", ""))
    return str(cell.get("cell_type")), text if isinstance(text, str) else "".join(map(str, text))


def sources(raw):
    """Return the Python of each cell, "" for other cells, and where the last part of the sheet begins."""
    found = cells(raw)
    last = next((i for i, (_, text) in enumerate(found) if OURS in text[:2000]), len(found))
    return [text if kind == "code" else "" for kind, text in found[:CELLS]], last


def statements(source):
    """Return the statements of a cell, its magics left out; raise SyntaxError where it is no Python."""
    first = source.lstrip().partition("\n")[0]
    if first.startswith("%%"):
        if not first.startswith(_TIMED):
            return []
        source = source.lstrip().partition("\n")[2]
    try:
        return ast.parse(source).body
    except SyntaxError:
        lines = (_MAGIC.sub(r"\1pass", line) for line in source.splitlines())
        return ast.parse("\n".join(lines)).body
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(f"this cell cannot be read ({type(error).__name__})") from None


def slim(cells):
    """Return a notebook with these cells and no more, as bytes; one that holds data, not code, is empty."""
    kept = [source if len(source) < LONG else "" for source in cells]
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in kept]}).encode()


def is_definition(statement):
    """Return True for what imports, defines, or gives a name to something that no call computes."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return isinstance(statement.value, ast.Lambda) or not any(
            isinstance(node, ast.Call) for node in ast.walk(statement)
        )
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)


def defines(statement):
    """Return the name that a statement defines as a function or class, unless it is a stub; else ""."""
    if not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return ""
    return "" if is_stub(statement) else statement.name


def is_stub(definition):
    """Return True where a function, or every method of a class, only raises NotImplementedError."""
    if isinstance(definition, ast.ClassDef):
        methods = [part for part in definition.body if isinstance(part, ast.FunctionDef)]
        return bool(methods) and any(is_stub(method) for method in methods)
    body = [s for s in definition.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    return "NotImplementedError" in ast.dump(body[0])
