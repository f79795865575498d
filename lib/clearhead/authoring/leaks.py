"""The search of a folder, and of the archives in it, for all answers of the solutions and the checks."""

import ast
import base64
import gzip
import html
import io
import json
import re
import zipfile
from pathlib import Path

from clearhead.checks import registry

from .build_exercises import MARK, source_of

FOLD = re.compile(r"<summary>\s*(<p>)?\s*Solution", re.I)
TEXT = {".html", ".ipynb", ".js", ".json", ".md", ".txt", ".xml", ".py"}
#: A script of a page that contains a piece of a packed file, see book/_ext/browser_runtime.py.
PIECE = re.compile(r'\)\["(.+)\.(\d+)"\] = "([A-Za-z0-9+/=]*)";\s*$')
LIBRARY = re.compile(r"clearhead/(maths|text|nets)/\w+(/\w+)?\.py$")
SHORT = 25  # characters; shorter bodies, such as `return X @ W`, occur everywhere


def leaks(root, folder):
    """Return a line for each answer that can be read in a folder or inside its archives.

    Answers that a chapter or a hint shows do not count, nor does the library, which chapters import.
    """
    shown = without_space("".join(_shown(Path(root))))
    held = references()
    for source_folder in (root, *registry.own_folders()):
        held |= solutions(source_folder)
    hidden = {name: body for name, body in held.items() if body not in shown}
    found = []
    for name, text in (each for each in texts(Path(folder)) if not LIBRARY.search(each[0])):
        if FOLD.search(text):
            found.append(f"{name} has a folded solution")
        squeezed = _squeezed(name, text)
        for answer, body in hidden.items():
            if any(body in each or body.replace('"', "") in each for each in squeezed):
                found.append(f"{name} has the solution of {answer}")
    return found


def _squeezed(name, text):
    """Return several forms of a text without spaces, such as without HTML tags or as unparsed Python."""
    plain = without_space(text)
    found = [plain, plain.replace('",', "").replace('"', "").replace("\\n", "")]
    if name.endswith(".html"):
        found.append(without_space(html.unescape(re.sub(r"<[^>]*>", "", text))))
    if name.endswith(".py") and "clearhead" in name:
        found.append(without_space(ast.unparse(ast.parse(text))))
    return found


def texts(folder):
    """Yield the name and the text of each file in a folder, and of those inside its archives.

    An archive that is split into scripts, as in the pages of the book, is joined first.
    """
    pieces = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        piece = path.suffix == ".js" and PIECE.search(path.read_text("utf-8", errors="replace"))
        if piece:
            pieces.setdefault(name.removesuffix(f".{piece[2]}.js"), {})[int(piece[2])] = piece[3]
        else:
            yield from _opened(name, path.read_bytes())
    for name, parts in pieces.items():
        packed = b"".join(base64.b64decode(parts[number]) for number in sorted(parts))
        yield from _opened(name, gzip.decompress(packed))


def _opened(name, content):
    """Yield the name and the text of a file, or of each file inside it if it is an archive."""
    if content[:4] == b"PK\3\4":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield from _opened(f"{name}/{member}", archive.read(member))
    elif content[:2] == b"\x1f\x8b":
        yield from _opened(name.removesuffix(".gz"), gzip.decompress(content))
    elif Path(name).suffix in TEXT:
        yield name, content.decode("utf-8", errors="replace")


def solutions(root):
    """Return a dict from the sheet and name of each answer to its body, without spaces."""
    bodies = {}
    for path in sorted((Path(root) / "solutions").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            lines = source_of(cell).splitlines()
            for number, line in enumerate(lines):
                if cell["cell_type"] == "code" and (mark := MARK.match(line)):
                    after = lines[number + 1 :]
                    end = next(
                        (i for i, t in enumerate(after) if t.strip() and not t.startswith(mark[1])), None
                    )
                    name = re.findall(r"(?:def|class) (\w+)", "\n".join(lines[:number]))[-1]
                    bodies[f"{path.stem}: {name}, line {number}"] = without_space("\n".join(after[:end]))
    return bodies


def references():
    """Return a dict from each right answer of a check to its body, without spaces."""
    found = {}
    for exercise in (each for sheet in registry.sheets() for each in sheet.exercises):
        for number, body in enumerate(_bodies(exercise)):
            if len(body) > SHORT:
                found[f"{exercise.id}, right answer {number + 1}"] = body
    return found


def _bodies(exercise):
    """Return the bodies of the right answers of an exercise: the solution, its steps, and alternatives."""
    text = exercise.text
    return [_body(source) for source in (text.answer, text.steps, *(other for _, other in text.others))]


def _body(source):
    """Return the unparsed body of the last function or class in a source, without docstring and spaces."""
    try:
        parts = [p for p in ast.parse(source).body if isinstance(p, ast.FunctionDef | ast.ClassDef)]
    except SyntaxError:  # a lambda in the middle of a call
        return ""
    if not parts:
        return ""
    body = parts[-1].body[1:] if ast.get_docstring(parts[-1]) else parts[-1].body
    return without_space("\n".join(ast.unparse(line) for line in body))


def without_space(text):
    """Return a string without spaces and line breaks."""
    return "".join(text.split())


def _shown(root):
    """Yield the texts that every reader may see: the cells of the chapters, and the hints."""
    for path in sorted((root / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            yield source_of(cell)
    for number in registry.numbers():
        for exercise in registry.sheet(number).exercises:
            yield from exercise.hints
