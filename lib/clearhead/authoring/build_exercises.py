"""The notebooks of solutions and exercises, made from the Markdown files of the sheets.

In an exercise, what follows the line `# answer` becomes a line that raises NotImplementedError.
"""

import ast
import hashlib
import json
import re
from pathlib import Path

from clearhead import sheets
from clearhead.errors import UserError
from clearhead.files import write_whole

from .solutions import solution_cells, written_sheets

MARK = re.compile(r"^(\s*)# answer\s*$")
CHECK = re.compile(r"""^\s*check\(\s*["']\d+\.(\w+)["']""", re.M)
STUB = "raise NotImplementedError  # your turn"
KEPT_METADATA = ("tags", "from", "mystnb")
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def generate(text, name):
    """Return the text of an exercise notebook, made from the text of its solution notebook.

    Parameters
    ----------
    text : str
        The solution, a notebook in JSON.
    name : str
        The name of the solution in error messages.

    Raises
    ------
    UserError
        If an answer cannot be removed, because the line `# answer` is missing, is not inside a function, or
        is followed by nothing.
    """
    try:
        found = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{name} is not a notebook in JSON.") from None
    cells = [_cell(cell, f"{name}, cell {number}") for number, cell in enumerate(found, 1)]
    _every_check_has_an_answer(found, name)
    return _notebook_text(cells)


def _notebook_text(cells):
    """Return a notebook as JSON that is the same for equal cells, with their hash in its metadata."""
    metadata = {**NOTEBOOK_METADATA, "clearhead": {"generated": fingerprint(cells)}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def fingerprint(cells):
    """Return the SHA-256 of everything in cells that a person can change: type, source and outputs."""
    written = [[cell.get("cell_type"), source_of(cell), cell.get("outputs") or []] for cell in cells]
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()


def source_of(cell):
    """Return a cell's source as one string, whether it is stored as a string or as lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _cell(cell, place):
    """Return a cell of the exercise notebook, without answers, outputs and superfluous metadata."""
    kind, source = cell["cell_type"], source_of(cell)
    kept = {key: value for key, value in cell.get("metadata", {}).items() if key in KEPT_METADATA}
    if "id" not in cell:
        raise UserError(f"{place} has no id: open and save the notebook once with a current Jupyter.")
    made = {"cell_type": kind, "id": cell["id"], "metadata": kept, "source": source}
    if kind == "code":
        made |= {"execution_count": None, "outputs": [], "source": without_answers(source, place)}
    return made | {"source": made["source"].splitlines(keepends=True)}


def without_answers(source, place):
    """Return a cell's source with each answer replaced by a line that raises NotImplementedError."""
    kept, inside, blank = [], None, []
    for line in source.splitlines():
        mark = MARK.match(line)
        if inside is not None and not line.strip():
            blank.append(line)
        elif inside is not None and line.startswith(inside) and not mark:
            blank = []
        else:
            kept += [*blank, mark[1] + STUB if mark else line]
            inside, blank = (mark[1] if mark else None), []
    if not any(MARK.match(line) for line in source.splitlines()):
        return source
    _sound(source, kept, place)
    return "\n".join(kept)


def _sound(source, kept, place):
    """Raise UserError if an answer is empty or not in a function, or if the stub is not valid Python."""
    lines = source.splitlines()
    for number, line in enumerate(lines):
        mark = MARK.match(line)
        after = next((text for text in lines[number + 1 :] if text.strip()), "") if mark else ""
        if mark and not mark[1]:
            raise UserError(f"{place}: the line `# answer` must be inside a function, indented.")
        if mark and not after.startswith(mark[1]):
            raise UserError(f"{place}: nothing follows the line `# answer`.")
    try:
        ast.parse("\n".join(kept))
    except SyntaxError as error:
        raise UserError(
            f"{place}: without its answer the cell is no Python any more ({error.msg})."
        ) from None


def _every_check_has_an_answer(cells, name):
    """Raise UserError if a name is checked that no cell defines with a line `# answer`."""
    code = [source_of(cell) for cell in cells if cell["cell_type"] == "code"]
    for answer_name in [answer_name for source in code for answer_name in CHECK.findall(source)]:
        defined = [s for s in code if re.search(rf"^(def|class) {answer_name}\b", s, re.M)]
        if not any(MARK.match(line) for source in defined for line in source.splitlines()):
            what = f"{answer_name} is checked, but no cell defines it with a line `# answer`"
            raise UserError(f"{name}: {what}.")


def worked_on(path):
    """Return True if a file exists that is not exactly as it was generated."""
    if not path.exists():
        return False
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return notebook["metadata"]["clearhead"]["generated"] != fingerprint(notebook["cells"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return True


def cut_off(path, text):
    """Return True if a file is only the beginning of this text, because a write of it was interrupted.

    Zero bytes at the end are ignored, because some file systems fill a file with them after a power failure.
    """
    held = path.read_bytes().rstrip(b"\0") if path.exists() else text.encode()
    return held != text.encode() and text.encode().startswith(held)


def damaged(path):
    """Return True if a file is not valid JSON, so that Jupyter cannot open it.

    Somebody may nevertheless have worked on it.
    """
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return True
    return False


def build(root):
    """Write all notebooks of solutions and exercises under `root`, and return a line for each one written."""
    written = (_write(Path(root) / name, name, text) for name, text in _notebooks(root))
    return [line for line in written if line]


def write_exercises(folder):
    """Write the exercise notebooks of the installed library into a folder.

    Parameters
    ----------
    folder : path
        A notebook in which somebody has worked is never overwritten.

    Returns
    -------
    said : list of str
        A line for each notebook that was written.
    """
    said = []
    for name, sheet in sorted(written_sheets(Path(sheets.__file__).parent).items()):
        text = generate(_notebook_text(solution_cells(sheet)), name)
        said.append(_write(Path(folder) / name, name, text))
    return [line for line in said if line]


def _write(target, name, text):
    """Write a notebook unless it is up to date, and return a line that says what was done, or ""."""
    if target.exists() and target.read_bytes() == text.encode():
        return ""
    place = target
    if cut_off(target, text):
        said = f"{name} had been cut off while it was written, and is whole again."
    elif worked_on(target):
        place = _beside(target, text)
        why = "was worked on and stays as it is"
        if damaged(target):
            why = "is damaged: Jupyter cannot open it, but it may hold somebody's work, so it was kept"
        said = f"{name} {why}; the new one is {place.name}."
    else:
        said = f"{name} written."
    write_whole(place, text)
    return said


def _beside(target, text):
    """Return a path beside a file that is free, or that holds a generated notebook nobody has changed."""
    names = [target.with_name(f"{target.stem}.new{number or ''}.ipynb") for number in range(100)]
    return next(name for name in names if not worked_on(name) or cut_off(name, text))


def _notebooks(root):
    """Yield the path below `root` and the text of each notebook of solutions and of exercises."""
    made = {name: _notebook_text(solution_cells(sheet)) for name, sheet in written_sheets(root).items()}
    found = {path.name: path for path in (Path(root) / "solutions").glob("*.ipynb")}
    if not made and not found:
        raise UserError(
            f"There are no sheets and no solutions in {Path(root)}: give the repository's root with --root."
        )
    for name in sorted({*made, *found}):
        if name in made:
            yield f"solutions/{name}", made[name]
        text = made.get(name) or found[name].read_text(encoding="utf-8")
        yield f"exercises/{name}", generate(text, f"solutions/{name}")


def _state(target, text):
    """Return a word or two on what is wrong with a notebook that is not up to date."""
    if not target.exists():
        return "missing"
    if cut_off(target, text):
        return "cut off in the middle"
    return "damaged" if damaged(target) else "stale"


def stale(root):
    """Return a line for each notebook that is not up to date with its sheet, or that has no solution."""
    messages, names = [], set()
    for name, text in _notebooks(root):
        names.add(name)
        target = Path(root) / name
        if not target.exists() or target.read_bytes() != text.encode():
            messages.append(f"{name} is {_state(target, text)}: run `make exercises`.")
    exercises = sorted(f"exercises/{p.name}" for p in (Path(root) / "exercises").glob("*.ipynb"))
    return messages + [
        f"{name} has no solution that makes it: delete it, or write its solution."
        for name in exercises
        if name not in names
    ]
