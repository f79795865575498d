"""Reading of the Python cells of a notebook of any format, order and state, without running them."""

import ast
import json
import re
import textwrap

from clearhead.errors import UserError

from . import syntax

CELLS, LONG = 2000, 1 << 16
OURS = "## Plug it in"  # the cells after this heading belong to the sheet, and use the whole library
_DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_CONFLICT = re.compile(rb"^(<{7}|>{7}) ", re.M)
_DEFINITION = re.compile(r"^(async def|def|class) \w+", re.M)


def cells(raw):
    """Return the kind and the text of each cell of a notebook that is given as bytes.

    A cell without a text, or with one that cannot be read, is returned as an empty cell, so that the other
    cells can still be read.

    Raises
    ------
    UserError
        If the bytes are not JSON, or contain no list of cells.
    """
    try:
        return [_cell(cell) for cell in _list_of_cells(json.loads(raw.decode(json.detect_encoding(raw))))]
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise UserError(_why(raw, error)) from None


def with_present_names(raw, names):
    """Return a notebook in which functions that the book has since renamed have their present names.

    A function is renamed in every cell of code, except where its name is an attribute of another object. A
    notebook that does not define it, or in which its present name occurs, keeps the earlier name.

    Parameters
    ----------
    raw : bytes
        A notebook, which is returned unchanged if it cannot be read.
    names : dict
        From the earlier name of each function to its present one.
    """
    names = {old: new for old, new in names.items() if old.encode() in raw}
    if not names:
        return raw
    try:
        notebook = json.loads(raw.decode(json.detect_encoding(raw)))
        code = [cell for cell in _list_of_cells(notebook) if _cell(cell)[0] == "code"]
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError, MemoryError):
        return raw
    texts = [_cell(cell)[1] for cell in code]
    for old, new in names.items():
        defined = re.compile(rf"^(?:(?:async +)?def|class) +{old}\b|^{old} *= *(?:lambda\b|[A-Za-z_])", re.M)
        if any(map(defined.search, texts)) and not any(re.search(rf"\b{new}\b", text) for text in texts):
            texts = [re.sub(rf"(?<![\w.]){old}\b", new, text) for text in texts]
    if texts == [_cell(cell)[1] for cell in code]:
        return raw
    for cell, text in zip(code, texts, strict=True):
        cell["source" if "source" in cell else "input"] = text
    return json.dumps(notebook).encode()


def _list_of_cells(notebook):
    """Return the cells of a parsed notebook; in nbformat 3, those of all worksheets that have any."""
    found = notebook.get("cells")
    if isinstance(found, list):
        return found
    sheets = [sheet.get("cells") for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
    return [cell for cells in sheets if isinstance(cells, list) for cell in cells]


def _why(raw, error):
    """Return a sentence that says why a file cannot be read as a notebook."""
    start = raw[:1000].lstrip()
    if not start:
        return "The file is empty."
    if _CONFLICT.search(raw):
        return "The file contains the markers of an unfinished merge (<<<<<<<, >>>>>>>): resolve it in git."
    if isinstance(error, UnicodeDecodeError):
        return "The file cannot be read as a notebook, because its text is not encoded in UTF-8."
    if isinstance(error, ValueError) and start.startswith(b"{"):
        return "The file cannot be read as a notebook, because its JSON is damaged, perhaps cut short."
    return f"The file cannot be read as a notebook ({type(error).__name__})."


def _cell(cell):
    """Return the kind and the text of a cell, stored as a string or as lines, in new or old format."""
    if not isinstance(cell, dict):
        return "", ""
    text = cell.get("source", cell.get("input"))
    if isinstance(text, list):
        text = "".join(line for line in text if isinstance(line, str))
    return str(cell.get("cell_type")), text if isinstance(text, str) else ""


def remarks(raw):
    """Return sentences for the student on how a notebook was read.

    They say whether the file has several lists of cells, of which Jupyter shows only the last, and which
    definitions are not run because their cells are raw.
    """
    sentences = []
    if raw.count(b'"cells"') > 1 and _has_many_lists(raw):
        sentences.append("The file has several lists of cells; as in Jupyter, only the last one counts.")
    for kind, text in cells(raw):
        name = _DEFINITION.search(text) if kind != "code" else None
        if kind == "raw" and name:
            sentences.append(f"A raw cell with `{name[0]}` was not run: in Jupyter, change its type to Code.")
    return sentences


def _has_many_lists(raw):
    """Return True if an object of the JSON has the key "cells" more than once."""
    counts = []
    text = raw.decode(json.detect_encoding(raw))
    json.loads(
        text,
        object_pairs_hook=lambda pairs: counts.append([k for k, _ in pairs].count("cells")) or dict(pairs),
    )
    return max(counts) > 1


def sources(raw):
    """Return the Python of each cell, or "" for other cells, and where the sheet's own last part begins."""
    found = cells(raw)
    last = next((i for i, (_, text) in enumerate(found) if OURS in text[:2000]), len(found))
    return [text if kind == "code" else "" for kind, text in found[:CELLS]], last


def statements(source):
    """Return the statements of a cell, read as in Jupyter; raise SyntaxError if it is not Python."""
    return syntax.module(source)[0].body


def slim(cells):
    """Return the bytes of a notebook with only these cells, in which very long cells are empty."""
    kept = [source if len(source) < LONG else "" for source in cells]
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in kept]}).encode()


def is_definition(statement, answer_names=frozenset()):
    """Return True if a statement imports, defines, or assigns something that no call computes.

    A statement that assigns one of the `answer_names` is a definition, even if a call computes its value.
    """
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return (
            isinstance(statement.value, ast.Lambda)
            or not answer_names.isdisjoint(binds(statement))
            or not any(isinstance(node, ast.Call) for node in ast.walk(statement))
        )
    return isinstance(statement, ast.Import | ast.ImportFrom | _DEFINES)


def binds(statement):
    """Return the names that a statement assigns in the namespace of the cell."""
    found, waiting = set(), [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DEFINES):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        waiting += _timed(node)
        if not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(node)
    return found


def _timed(node):
    """Return the statements that a line such as `%time f = better` runs, or [] for any other node."""
    order = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr
    given = [part.value for part in node.args if isinstance(part, ast.Constant)] if order else []
    if order != "run_line_magic" or given[:1] != ["time"] or len(given) != 2:
        return []
    try:
        return syntax.module(given[1])[0].body
    except SyntaxError:
        return []


def stubs(tree):
    """Return the numbers of the lines at which stubs begin, which are functions that were not attempted."""
    return {
        min([node.lineno, *(part.lineno for part in node.decorator_list)])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_stub(node)
    }


def is_stub(definition):
    """Return True if a function, or a method of a class, does nothing but raise NotImplementedError."""
    if isinstance(definition, ast.ClassDef):
        return any(is_stub(part) for part in definition.body if isinstance(part, _DEFINES))
    body = [s for s in definition.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    return "NotImplementedError" in ast.dump(body[0])


def answers(raw, names, other_cells=()):
    """Return the answers in a notebook, and sentences on anything that could not be read.

    The answer is the last code cell that assigns a function or class, but not a stub, to the exercise's name.
    This is the rule of the grader, as far as it can be applied without running anything. Lines of other cells
    that the answer needs are put above it.

    Parameters
    ----------
    raw : bytes
        The file.
    names : dict
        From an exercise's id to the name of its answer.
    other_cells : list of str, optional
        The texts of cells that the reader has anyway, whose lines need not be put above an answer.

    Returns
    -------
    found : dict
        From an exercise's id to the text of its answer.
    messages : list of str
        A sentence for each exercise without an answer, and on the notebook as a whole.
    """
    texts, messages = [text for text in sources(raw)[0] if text.strip()], remarks(raw)
    trees = [_tree(text) for text in texts]
    made = _made(trees)
    other_statements = {ast.dump(each) for tree in map(_tree, other_cells) if tree for each in tree.body}
    found = {}
    for exercise, name in names.items():
        giving = [i for i, tree in enumerate(trees) if tree and _gives(tree, name, made)]
        broken = [
            i
            for i, tree in enumerate(trees)
            if tree is None and re.search(rf"^\s*(async def|def|class) {re.escape(name)}\b", texts[i], re.M)
        ]
        if giving:
            found[exercise] = _with_helpers(
                name, giving[-1], texts, trees, other_statements, set(names.values()) - {name}
            )
        elif broken:
            found[exercise] = texts[broken[-1]]
        elif any(tree and name in _stub_names(tree) for tree in trees):
            messages.append(f"{exercise}: `{name}` is still the stub.")
        else:
            messages.append(f"{exercise}: no code cell defines `{name}`.")
    if not found:
        messages = [
            "It contains no answer to an exercise of this sheet. Is it the notebook of another sheet?",
            *messages,
        ]
    return found, messages


def _tree(text):
    """Return the module of a cell, or None if the cell is not valid Python."""
    try:
        return syntax.module(text)[0]
    except SyntaxError:
        return None


def _made(trees):
    """Return a dict from the names of functions and classes in the cells to their definitions.

    The definition of a lambda is None.
    """
    made = {}
    for statement in (each for tree in trees if tree for each in tree.body):
        if isinstance(statement, _DEFINES):
            made[statement.name] = statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            made |= dict.fromkeys(binds(statement))
    return made


def _gives(tree, name, made):
    """Return True if a cell seems to assign a function or class that is not a stub to a name."""
    return any(_value_is_function(statement, name, made) for statement in _statements(tree))


def _statements(tree):
    """Return the statements that run when a cell runs, including those inside other statements."""
    waiting = list(tree.body)
    for statement in waiting:
        yield statement
        if not isinstance(statement, _DEFINES):
            waiting += [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.stmt)]
            waiting += _timed(statement.value) if isinstance(statement, ast.Expr) else []


def _value_is_function(statement, name, made):
    if isinstance(statement, _DEFINES):
        return statement.name == name and not is_stub(statement)
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or name not in binds(statement):
        return False
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    if isinstance(value, ast.Call):
        given = [*value.args, *(keyword.value for keyword in value.keywords)]
        return any(_is_function(each, made) for each in given) or _makes_functions(value.func, made)
    return _is_function(value, made)


def _is_function(value, made):
    """Return True if a node is a lambda, or the name of a function that is not a stub."""
    if isinstance(value, ast.Name) and value.id in made:
        return made[value.id] is None or not is_stub(made[value.id])
    return isinstance(value, ast.Lambda)


def _makes_functions(value, made):
    """Return True if a node is the name of a function that contains or returns another function."""
    inside = made.get(value.id) if isinstance(value, ast.Name) else None
    parts = [part for each in inside.body for part in ast.walk(each)] if inside else []
    returned = [part.value for part in parts if isinstance(part, ast.Return)]
    functions = any(isinstance(part, _DEFINES | ast.Lambda) for part in parts)
    return functions or any(_is_function(each, made) for each in returned)


def _stub_names(tree):
    return {s.name for s in _statements(tree) if isinstance(s, _DEFINES) and is_stub(s)}


def _with_helpers(own_name, index, texts, trees, other_statements, others):
    """Return the text of an answer, preceded by the definitions in other cells that it needs."""
    needed, have, taken = set(), set(), {}
    for statement in trees[index].body:
        have |= binds(statement) if isinstance(statement, _DEFINES) else set()
        needed |= _loads(statement) - have
        have |= binds(statement)
    have -= needed
    giving = [
        (binds(statement), (i, statement.lineno), statement)
        for i, tree in enumerate(trees)
        if tree and i != index
        for statement in tree.body
        if is_definition(statement) and ast.dump(statement) not in other_statements
    ]
    while missing := needed - have:
        name = missing.pop()
        have.add(name)
        best = [each for each in giving if name in each[0] and (each[1][0] < index or name != own_name)]
        if best and name not in others:
            _, where, statement = best[-1]
            taken[where] = statement
            needed |= _loads(statement)
            have |= binds(statement)
    parts = [_lines(texts[i], taken[i, line]) for i, line in sorted(taken)]
    return "\n".join([*parts, texts[index]])


def _loads(tree):
    """Return the names that are read anywhere in a statement or a cell."""
    found, nodes = set(), list(ast.walk(tree))
    for node in nodes:
        nodes += [part for each in _timed(node) for part in ast.walk(each)]
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
    return found


def _lines(text, statement):
    """Return the lines of a cell that contain a statement."""
    first = min([statement.lineno, *(part.lineno for part in getattr(statement, "decorator_list", ()))])
    return textwrap.dedent("".join(syntax.lines_of(text + "\n")[first - 1 : statement.end_lineno]))
