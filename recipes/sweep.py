"""Run a sweep, and record its result for the chapter that reports it.

    python recipes/sweep.py NAME          run it and write lib/clearhead/pretrained/sweeps/NAME.json
    python recipes/sweep.py NAME --check  run it again and compare the result with the recorded one

A chapter may rest a sentence on more seeds and settings than a reader wants to wait for. Such a sweep is a
module in `recipes/sweeps` with two functions: `sweep()` returns everything that was measured, as numbers,
strings, lists and dicts; `agrees(recorded, fresh)` asserts that a second run, perhaps on another processor,
supports the same conclusions. The code under test is the chapter's own: `chapter_code` executes the cells
that carry the tag `sweep-NAME`, so that the page and the sweep cannot drift apart.
"""

import ast
import hashlib
import importlib.util
import json
import sys
from functools import cache
from pathlib import Path

import nbformat

from clearhead.files import write_whole
from clearhead.pretrained import sweeps

ROOT = Path(__file__).resolve().parents[1]
RECIPES = ROOT / "recipes" / "sweeps"


def names():
    """Return the names of all sweeps, in alphabetical order."""
    return sorted(path.stem for path in RECIPES.glob("*.py"))


@cache
def chapter_cells():
    """Return the source and the tags of every code cell, in the order of the chapters, read only once."""
    return [
        (cell.source, cell.metadata.get("tags", []))
        for path in sorted((ROOT / "chapters").glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
    ]


def tagged_cells(name):
    """Return the source of every cell that carries the tag `sweep-NAME`, in the order of the chapters."""
    return [source for source, tags in chapter_cells() if f"sweep-{name}" in tags]


def chapter_code(name):
    """Return the namespace that the chapter's cells with the tag `sweep-NAME` define.

    Raises
    ------
    ValueError
        Where no cell of any chapter carries the tag.
    """
    cells = tagged_cells(name)
    if not cells:
        raise ValueError(f"no cell of any chapter carries the tag 'sweep-{name}'")
    namespace = {"__name__": f"sweep_{name}"}
    for cell in cells:
        exec(compile(cell, f"<cells tagged sweep-{name}>", "exec"), namespace)
    return namespace


def without_words(source):
    """Return the lines of a program without docstrings, whole-line comments and empty lines."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            for row in range(docstring.lineno - 1, docstring.end_lineno):
                lines[row] = ""
    return [line.rstrip() for line in lines if line.strip() and not line.strip().startswith("#")]


def digest(name):
    """Return a hash of the code that makes a sweep: its recipe, and the tagged cells of the chapter."""
    sources = [(RECIPES / f"{name}.py").read_text("utf-8"), *tagged_cells(name)]
    code = "\n".join("\n".join(without_words(source)) for source in sources)
    return hashlib.sha256(code.encode()).hexdigest()


def recipe(name):
    """Return the module of a sweep."""
    spec = importlib.util.spec_from_file_location(f"recipes.sweeps.{name}", RECIPES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name):
    """Return a fresh result of a sweep, after a round trip through JSON."""
    return json.loads(json.dumps(recipe(name).sweep()))


def main(arguments):
    """Run the named sweeps, and record or compare their results."""
    if not (chosen := [argument for argument in arguments if not argument.startswith("-")]):
        sys.exit(f"Say which sweep: {', '.join(names()) or 'there is none yet'}.")
    for name in chosen:
        if name not in names():
            sys.exit(f"There is no sweep {name!r} in {RECIPES.relative_to(ROOT)}: {', '.join(names())}.")
        fresh = run(name)
        if "--check" in arguments:
            recipe(name).agrees(sweeps.recorded_sweep(name), fresh)
            print(f"{name}: a second run supports the same conclusions")
        else:
            written = {"digest": digest(name), "result": fresh}
            write_whole(sweeps.place(name), json.dumps(written, indent=1) + "\n")
            print(f"{name}: recorded in {sweeps.place(name).relative_to(ROOT)}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main(sys.argv[1:])
