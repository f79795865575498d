"""The folds of code cells: which part of a cell's code is visible on a page, and which part is folded.

A reader sees the functions of the library, short pieces of code, and every result. Everything else is folded:
imports behind "Set-up", asserts behind "✓ 3 checked", longer code of measurements and pictures behind "Code",
and code that solves an exercise of the chapter's sheet behind "Try it first". The notebook is not changed,
and all of it was executed. Folds are `details` elements, which open without JavaScript. A switch opens all
of them.
"""

import ast
import html
import re

from conventions import CHAPTER, LIVE_CELL
from docutils import nodes
from solves import solved_in

LEDGER = "book/claims"
FOLDED = ("chapters/", "book/")
#: Functions whose calls only set something up.
SETTINGS = re.compile(r"(?:np|torch)\.(?:set_printoptions|set_num_threads|manual_seed)$|^(?:live|register)")
#: The mark of a cell that contains only a folded set-up.
SETUP = "clearhead_setup"
#: Tags of cells whose code is quoted for reading, or is hidden in another way.
KEPT = {"hide-input", "remove-input", "builds"}
#: Code of a measurement with more lines than this is folded, because the reader needs only its result.
FEW = 4


class Parts:
    """The parts of a cell's code.

    Parameters
    ----------
    text : str
        The code of a cell.

    Attributes
    ----------
    shown : str
        The code without its asserts.
    proof : str
        The asserts.
    checked : int
        The number of asserts.
    names : list of str
        The functions and classes that the cell defines.
    is_setup : bool
        True if the cell contains only imports and settings.
    """

    def __init__(self, text):
        try:
            body = ast.parse(text).body
        except SyntaxError:  # a magic of IPython's
            body = []
        lines = text.splitlines()
        asserts = [part for part in body if proves(part)]
        alone = [part for part in asserts if _alone(part, body)]
        taken = {n for part in alone for n in range(_with_comments(part, lines), part.end_lineno + 1)}
        self.shown = _tidy(line for n, line in enumerate(lines, 1) if n not in taken)
        self.proof = "\n".join(line for n, line in enumerate(lines, 1) if n in taken)
        self.checked = sum(isinstance(part, ast.Assert) for each in alone for part in ast.walk(each))
        self.names = [part.name for part in body if isinstance(part, ast.FunctionDef | ast.ClassDef)]
        self.is_setup = bool(body) and all(sets_up(part) for part in body)


def proves(statement):
    """Return True for an assert, and for a loop or a `with` block that contains only asserts."""
    if isinstance(statement, ast.For | ast.With):
        return all(proves(part) for part in statement.body)
    return isinstance(statement, ast.Assert)


def sets_up(statement):
    """Return True for an import, and for a call that only sets something up, such as a seed."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return bool(SETTINGS.search(ast.unparse(statement.value.func)))
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _alone(part, body):
    """Return True if no other statement shares a line with this one."""
    return not any(
        other is not part and other.lineno <= part.end_lineno and part.lineno <= other.end_lineno
        for other in body
    )


def _with_comments(part, lines):
    """Return the number of a statement's first line, or of the first comment line directly above it."""
    first = part.lineno
    while first > 1 and lines[first - 2].startswith("#"):
        first -= 1
    return first


def _tidy(lines):
    """Return lines as one string, in which several blank lines are reduced to one."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def collapse_cells(app, doctree, docname):
    """Fold the set-up, the asserts and the long code in the code cells of a chapter."""
    if docname.startswith(FOLDED):
        cells = CollapsibleCells(app.builder.get_relative_uri, docname)
        for cell in list(doctree.findall(nodes.container)):
            if cell.get("nb_element") == "cell_code":
                cells.collapse(cell)
        join_setups(doctree)


class CollapsibleCells:
    """The folding of the code cells of one page.

    `address(page, target)` returns the relative address of one page on another.
    """

    def __init__(self, address, page):
        self.sheet = page.rpartition("/")[2]
        self.exercises = address(page, f"exercises/{self.sheet}")
        self.ledger = address(page, LEDGER) + anchor(page)

    def collapse(self, cell):
        """Fold the input of one cell, or parts of it."""
        inputs = [part for part in cell if part.get("nb_element") == "cell_code_source"]
        block = inputs[0].next_node(nodes.literal_block) if inputs else None
        if block is None or block.parent is not inputs[0]:
            return
        code, parts = block.astext(), Parts(block.astext())
        solved, summary = solved_in(code, self.sheet, cell["cell_metadata"]), summary_of(cell, parts)
        together = bool(summary) and summary[0] == "code" and not solved and "reveal" not in tags_of(cell)
        if parts.shown != code and not together:
            inputs[0][index_of(block)] = _like(block, parts.shown)
            block = inputs[0].next_node(nodes.literal_block)
        if parts.checked and together:  # one fold for the code and its asserts
            summary = (summary[0], f"{summary[1]} <span>✓ {parts.checked} checked</span>")
        elif parts.checked:
            proof = _like(block, parts.proof)
            cell += collapsible("checked", f"✓ {parts.checked} checked", proof, self.link())
        if not parts.shown.strip():
            inputs[0].remove(block)
        elif solved:
            exercises = " ".join(cell for _, cell in solved.values())  # ticks.js opens what was solved
            names = f": {', '.join(parts.names)}" if parts.names else ""
            first = [
                self.try_first(solved),
                *collapsible("try", f"Show the code{names}", block, exercises=exercises),
            ]
            inputs[0][index_of(block) : index_of(block) + 1] = first
        elif summary:
            proof = [self.link()] if parts.checked and together else []
            inputs[0][index_of(block) : index_of(block) + 1] = collapsible(*summary, block, *proof)
            if summary[0] == "setup":
                cell[SETUP] = True
        if LIVE_CELL in cell:
            cell[LIVE_CELL]["source"] = code

    def try_first(self, solved):
        """Return the line with links to the exercises that a cell solves."""
        links = [
            f'<a href="{html.escape(self.exercises)}#{nodes.make_id(heading)}">exercise {exercise}</a>'
            for exercise, (heading, _) in solved.items()
        ]
        text = f'<p class="ch-try-first">Try it first: {" and ".join(links)}.</p>'
        return nodes.raw("", text, format="html")

    def link(self):
        """Return the link to the ledger, which lists each number of the chapter with its evidence."""
        words = "Every number of this chapter, and what proves it"
        return nodes.raw("", f'<p><a href="{html.escape(self.ledger)}">{words}</a></p>', format="html")


def join_setups(doctree):
    """Join the code of neighbouring set-up cells into one fold."""
    for cell in [each for each in doctree.findall(nodes.container) if is_setup_cell(each)]:
        before = cell.parent[cell.parent.index(cell) - 1]
        if is_setup_cell(before):
            if LIVE_CELL in before and LIVE_CELL in cell:
                before[LIVE_CELL]["source"] += "\n" + cell[LIVE_CELL]["source"]
            block = cell.next_node(nodes.literal_block)
            block.parent.remove(block)
            before[0].insert(len(before[0]) - 1, block)
            cell.parent.remove(cell)


def is_setup_cell(node):
    """Return True for a cell that contains only a folded set-up."""
    return isinstance(node, nodes.container) and SETUP in node and len(node) == 1


def index_of(node):
    """Return the index of a node among its siblings."""
    return node.parent.index(node)


def summary_of(cell, parts):
    """Return the kind of a fold and its summary, or None if the cell's code stays visible."""
    if parts.is_setup:
        return "setup", "Set-up"
    if tags_of(cell) & KEPT:
        return None
    if has_picture(cell):
        return "code", "Code"
    if is_reveal_cell(cell, parts):
        return "told", "Code"
    if parts.shown.count("\n") >= FEW:
        return "code", f"Code: {', '.join(parts.names)}" if parts.names else "Code"
    return None


def tags_of(cell):
    """Return the tags of a cell."""
    return set(cell.get("cell_metadata", {}).get("tags", []))


def is_reveal_cell(cell, parts):
    """Return True if a cell asks for a guess, and an assert in its code would reveal the answer."""
    return "reveal" in tags_of(cell) and bool(re.search(r"^\s+assert ", parts.shown, re.M))


def anchor(page):
    """Return the anchor of a chapter's section in the ledger of claims, or ""."""
    found = CHAPTER.match(page)
    return f"#claims-{found[1]}" if found else ""


def collapsible(kind, summary, *children, exercises=""):
    """Return the nodes of a fold, which opens when the exercises with the given cell ids are solved."""
    data = f' data-exercises="{html.escape(exercises)}"' if exercises else ""
    opening = f'<details class="ch-chip ch-chip-{kind}"{data}><summary>{summary}</summary>'
    return [nodes.raw("", opening, format="html"), *children, nodes.raw("", "</details>", format="html")]


def _like(block, text):
    made = block.deepcopy()
    made.children, made.rawsource = [], text
    made += nodes.Text(text)
    return made


def has_picture(cell):
    """Return True if a cell's output is a picture or a live figure."""
    texts = (raw.astext() for raw in cell.findall(nodes.raw) if raw.get("format") == "html")
    return any("ch-picture" in text or "widget-view" in text for text in texts)
