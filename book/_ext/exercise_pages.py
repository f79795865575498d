"""The page of a sheet, with folded hints after each exercise, and the solution inside the last hint.

The notebook itself is not changed. With CLEARHEAD_EDITION=class, the page contains no solutions.
"""

import json
import re
from pathlib import Path

from conventions import CHECK, PACKAGE, text_of

BAR = """\
<div class="ch-sheet" role="region" aria-label="This sheet">
<p class="ch-score">0 of {exercises} exercises done, 0 points</p>
<progress max="{exercises}" value="0" aria-label="exercises done"></progress>
<div class="ch-tools">
<button type="button" data-action="download">Download as notebook</button>
<button type="button" data-action="load">Load my answers</button>
<button type="button" data-action="restart">Start over on this page</button>
<input type="file" accept=".ipynb,application/json" hidden>
</div>
<p class="ch-sheet-message"></p>
<p class="ch-sheet-intro">You can solve this sheet here: nothing to install, no account. What you write \
stays in this browser, and nothing is sent anywhere.</p>
</div>
"""
TABLE = "<!-- table of mistakes -->"
STUB = re.compile(r"^\s*raise NotImplementedError", re.M)
NAME = re.compile(r"^(?:def|class) (\w+)", re.M)
#: Sentences for students who solve a sheet in Jupyter, each with the sentence for those who solve it online.
JUPYTER_AND_PAGE = (
    (
        r"Replace the line that raises an error with your answer, run the cell, and then run the check "
        r"below it\.",
        "Press <em>Edit</em> under an exercise, and replace <code>raise NotImplementedError</code> with your "
        "answer. "
        "Then press <em>Check</em>, or Shift+Enter.",
    ),
    (r'`hint\("[\w.]+", 1\)`', "<em>Hint</em>"),
    (
        r'`report\("\d\d"\)` writes them to a file that you can hand in or keep\.',
        "<em>Download as notebook</em>, at the top, makes a file that you can hand in or keep.",
    ),
)


def add_help(app, docname, source):
    """Add the cells with folded hints to the source of a sheet, and record the files of the page."""
    if not docname.startswith("exercises/"):
        return
    from clearhead.checks import registry

    notebook = json.loads(source[0])
    solutions = Path(app.srcdir) / "solutions" / (Path(docname).name + ".ipynb")
    app.env.note_dependency(str(solutions))
    for path in _files_of_the_sheets():
        app.env.note_dependency(str(path))
    answers = {} if app.config.clearhead_edition == "class" else answers_of(solutions)
    notebook["cells"] = with_bar(list(with_help(notebook["cells"], answers, registry.exercise)))
    source[0] = json.dumps(notebook)


def _files_of_the_sheets():
    """Return the files from which the checks of all sheets are made."""
    return [path for path in (PACKAGE / "sheets").rglob("*") if path.suffix in (".py", ".md")]


def answers_of(path):
    """Return a dict from cell ids, and from the names that they define, to the answer cells of a sheet."""
    if not path.exists():
        return {}
    answers = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code" and "# answer" in text_of(cell):
            names = NAME.findall(text_of(cell))
            answers |= dict.fromkeys([cell.get("id"), *names], text_of(cell))
    return answers


def with_help(cells, answers, exercise):
    """Yield the cells of a sheet, with folded hints after each stub and its check."""
    stub = None
    for cell in cells:
        yield for_jupyter_and_page(cell)
        source = text_of(cell) if cell["cell_type"] == "code" else ""
        stub = cell if STUB.search(source) else stub
        found = CHECK.search(source)
        if stub is not None and found and STUB.search(source) is None:
            names = NAME.findall(text_of(stub))
            answer = answers.get(stub.get("id")) or (answers.get(names[0]) if names else None)
            yield markdown(nested_hints(exercise(found[1]).hints, answer), f"{stub.get('id', '')}-hints")
            stub = None


def for_jupyter_and_page(cell):
    """Return a text cell with each sentence in two versions: for Jupyter, and for the page."""
    if cell["cell_type"] != "markdown":
        return cell
    text = text_of(cell)
    for in_jupyter, in_page in JUPYTER_AND_PAGE:
        both = rf'<span class="ch-in-jupyter">\g<0></span><span class="ch-in-page" hidden>{in_page}</span>'
        text = re.sub(in_jupyter, both, text)
    return {**cell, "source": text}


def with_bar(cells):
    """Return the cells of a sheet, with a bar of tools and the score under its title.

    The bar is there from the first paint, so that nothing moves. Without JavaScript, the style sheet hides
    it. With JavaScript, sheet.js connects its buttons.
    """
    exercises = sum(str(cell.get("id", "")).endswith("-hints") for cell in cells)
    title, _, rest = text_of(cells[0]).partition("\n")
    if not exercises or not title.startswith("# "):
        return cells
    return [{**cells[0], "source": f"{title}\n\n{BAR.format(exercises=exercises)}\n{rest}"}, *cells[1:]]


def collapsible(summary, text, kind=""):
    """Return a fold: a summary that opens to show a text in Markdown."""
    kinds = f"ch-collapsible {kind}".strip()
    return f'<details class="{kinds}">\n<summary>{summary}</summary>\n\n{text}\n\n</details>'


def nested_hints(hints, answer=None):
    """Return the hints, each folded inside the one before, and any solution inside the last hint.

    A student who opens the solution therefore sees all hints before it. The outermost fold has the class
    `ch-hints`, so that a page with a button *Hint* can hide the fold until the button opens it.
    """
    text = collapsible("Solution", f"```python\n{answer}\n```", "ch-solution") if answer else ""
    for number, hint in reversed(list(enumerate(hints, 1))):
        kind = "ch-hints" if number == 1 else ""
        text = collapsible(f"Hint {number} of {len(hints)}", f"{hint}\n\n{text}".strip(), kind)
    return text


def markdown(source, cell_id):
    """Return a Markdown cell with this source and id."""
    return {"cell_type": "markdown", "id": cell_id[-64:], "metadata": {}, "source": source}


def write_table(app, docname, source):
    """Replace the mark on the page of checks by a newly made table of known mistakes."""
    if TABLE not in source[0]:
        return
    from mistakes_table import mistakes_table

    for path in [*(PACKAGE / "checks").rglob("*.py"), *_files_of_the_sheets()]:
        app.env.note_dependency(str(path))
    source[0] = source[0].replace(TABLE, mistakes_table())
