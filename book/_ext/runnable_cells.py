"""The code cells that can run in the page, which are found from the names they use, without running them."""

import ast
import functools
import json
import re
import symtable
import sys

from browser_runtime import LIBRARY
from conventions import ROOT, text_of

DRAWN = ("figures", "widgets")  # left out by in_page_absent.py, so that the recorded picture stays
#: Modules of the library that call PyTorch, or read a file that the page lacks.
LEFT_OUT = ("pretrained.convert", "pretrained.minilm", "pretrained.live", "pretrained.induction")
#: Data of other packages that is included in the page, see `data_files`.
DATA_SETS = ("sklearn.datasets.load_digits", "sklearn.datasets.load_wine")
#: A call of a figure's class for numbers, which fails because the page lacks these classes.
ASKED = re.compile(r"\b[A-Z]\w+\.compute\(")
#: Cells that lib/tests/support/in_page_chapters.py found to fail in the page, and what they need instead.
ELSEWHERE = {
    "73ff510f": "more time",  # chapter 10: thousands of texts
    "83589976": "more time",
    "0f9b7f58": "the machine's own memory",  # chapter 12: bytes and seconds are measured
    "f1ac8e53": "more time",  # a million keys
    "f1d5b2b6": "64 bits",  # chapter 16: a million squared
}
#: The names by which the page calls packages that it lacks. All others are PyTorch, or need it.
NAMED = {"sklearn": "scikit-learn", "transformers": "transformers"}


class Part:
    """One statement of a cell, whose names are found only when they are needed.

    Attributes
    ----------
    is_import, is_expression, is_asked : bool
        True if it is an import, if it is an expression, and if it asks a figure's class for numbers.
    """

    def __init__(self, statement, is_asked):
        self._statement, self.is_asked = statement, is_asked
        self.is_import = isinstance(statement, ast.Import | ast.ImportFrom)
        self.is_expression = isinstance(statement, ast.Expr)

    @functools.cached_property
    def _names(self):
        return names_of(self._statement)

    @property
    def read(self):
        """Return the set of the notebook's names that the statement reads."""
        return self._names[0]

    @property
    def made(self):
        """Return the set of the notebook's names that the statement defines."""
        return self._names[1]


@functools.cache
def parts_of(text):
    """Return the statements of a cell and its imports as pairs (name, module), or None if it is not Python.

    The result is cached, because one build needs it several times, and it depends only on the text.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a magic of IPython's
        return None
    imported = []
    for each in ast.walk(tree):
        if isinstance(each, ast.Import | ast.ImportFrom):
            prefix = f"{each.module}." if isinstance(each, ast.ImportFrom) else ""
            imported += [((n.asname or n.name).split(".")[0], prefix + n.name) for n in each.names]
    lines = text.splitlines()
    parts = (
        Part(each, ASKED.search("\n".join(lines[each.lineno - 1 : each.end_lineno])) is not None)
        for each in tree.body
    )
    return tuple(parts), tuple(imported)


def runs(missing, cell):
    """Return how much of a cell runs in the page, which is "none" for cells that are known to fail."""
    if cell["id"] not in ELSEWHERE:
        return part_that_runs(missing, text_of(cell))
    missing |= set().union(*(part.made for part in parts_of(text_of(cell))[0]))
    return "none"


def needed(origin, text):
    """Return words for the packages that a cell needs and the page lacks, such as "PyTorch"."""
    if (found := parts_of(text)) is None:
        return "PyTorch"
    parts, imported = found
    for name, module in imported:
        if lacks(module):
            origin[name] = {NAMED.get(module.partition(".")[0], "PyTorch")}
    imported_whole = set()
    for part in parts if origin else ():
        came_from = set().union(*(origin.get(name, ()) for name in part.read))
        origin |= {name: origin.get(name, set()) | came_from for name in part.made}
        imported_whole |= came_from
    return " and ".join(sorted(imported_whole)) or "PyTorch"


def part_that_runs(missing, text):
    """Return how much of a cell runs in the page: "all", "imports" if little else does, or "none"."""
    if (found := parts_of(text)) is None:
        return "none"
    parts, imported = found
    missing |= {name for name, module in imported if lacks(module)}
    dropped, imports = _dropped(missing, parts), any(part.is_import for part in parts)
    if all(part.is_expression for part in dropped) and (not dropped or imports):
        return "all"  # at most an expression such as a seed for PyTorch is left out
    if imports:
        return "imports"
    missing |= set().union(*(part.made for part in parts))  # the cell does not run
    return "none"


def _dropped(missing, parts):
    """Return the statements that cannot run because of missing names, and update `missing`.

    Names that these statements define become missing, and names that other statements define do not.
    """
    dropped = []
    for part in parts:
        if part.is_asked or (missing and part.read & missing):
            dropped.append(part)
            missing |= part.made
        elif missing and not part.is_import:
            missing -= part.made
    return dropped


def cells_that_run():
    """Return the number of code cells in the chapters that run in the page, and the number of all."""
    counts = [0, 0]
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells, missing = json.loads(path.read_text("utf-8"))["cells"], set()
        for cell in (each for each in cells if each["cell_type"] == "code"):
            counts[0] += runs(missing, cell) == "all"
            counts[1] += 1
    return tuple(counts)


def names_of(statement):
    """Return two sets of the notebook's names: those that a statement reads, and those that it defines."""
    tables, read, made = [symtable.symtable(ast.unparse(statement), "cell", "exec")], set(), set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        top = table.get_type() == "module"
        for name in table.get_symbols():
            if name.is_referenced() and (top or name.is_global()):
                read.add(name.get_name())
            if top and (name.is_assigned() or name.is_imported() or name.is_namespace()):
                made.add(name.get_name())
    targets = (part.target for part in ast.walk(statement) if isinstance(part, ast.comprehension))
    inner = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    inner |= {part.name for part in ast.walk(statement) if isinstance(part, ast.ExceptHandler)}
    names = (part for part in ast.walk(statement) if isinstance(part, ast.Name))
    read |= {name.id for name in names if isinstance(name.ctx, ast.Del)}
    if isinstance(statement, ast.For):
        read = names_of_loop(statement)
    return read - inner, made - inner  # since Python 3.12 they count as names of the cell


def names_of_loop(loop):
    """Return the names that a loop reads before it defines them itself."""
    read = names_of(ast.Expr(loop.iter))[0]
    own = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    for part in [*loop.body, *loop.orelse]:
        needs, made = names_of(part)
        read |= needs - own
        own |= made
    return read


@functools.cache
def lacks(module):
    """Return True for a module that the page's Python can neither run nor leave out.

    It can leave out, for example, the modules that draw pictures.
    """
    package, _, rest = module.partition(".")
    if package == "clearhead":
        return rest.startswith(LEFT_OUT) or not rest.startswith(
            tuple(name.strip("/").removesuffix(".py") for name in (*LIBRARY, *DRAWN))
        )
    return module not in DATA_SETS and package not in {"numpy", "matplotlib", *sys.stdlib_module_names}
