"""Python in the page, in which each code cell that needs only NumPy can be run without a server.

The text, the order and the size of the page do not change, because the runtime loads only when a reader runs
the first cell.
"""

import functools
import hashlib
import html
import json
import re
from pathlib import Path

from browser_runtime import RUNTIME, megabytes, parts, write_runtime, write_sheets
from conventions import CHECK, LIVE_CELL, text_of
from docutils import nodes
from exercise_pages import NAME, STUB
from runnable_cells import ELSEWHERE, cells_that_run, needed, runs

import clearhead

UNDER_THE_BUTTONS = 74  # characters of code that fit beside the buttons Run and Copy
SCRIPTS = ("worker.js", "kernel.js", "storage.js", "notebook.js", "editor.js", "live_cells.js", "sheet.js")
#: A mark that is replaced by the number of cells that run. A translation has its own text after a colon.
SHARE = re.compile(r"<!-- cells that run in the page(?:: (.+?))? -->")
DEFAULT_SHARE = "{run} of the {every} code cells of the chapters ({share})"


def note_live_cells(app, docname, source):
    """Record, for each code cell of a sheet or a chapter, whether and how the page can run it.

    The cells themselves do not change, because a notebook that differs in one key would be executed again.
    """
    folders = ("exercises/", "chapters/") if app.config.clearhead_run_chapters else ("exercises/",)
    if not docname.startswith(folders):
        return
    from clearhead.checks import registry

    notebook = json.loads(source[0])
    code = [(i, cell) for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    missing, origin, data = set(), {}, {}
    for (i, cell), (_, following) in zip(code, [*code[1:], (None, None)], strict=True):
        data[i] = live_cell_data(cell, following, registry.exercise)
        part, package = runs(missing, cell), needed(origin, text_of(cell))
        if data[i]["part"] == "plain" and part == "none":
            data[i]["needs"] = ELSEWHERE.get(cell["id"], package)
    app.env.temp_data[LIVE_CELL] = data


def attach_live_cells(app, doctree):
    """Attach the recorded data to the nodes of the code cells of a page."""
    data = app.env.temp_data.get(LIVE_CELL, {})
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code" and cell["cell_index"] in data:
            cell[LIVE_CELL] = data[cell["cell_index"]]


def state_how_many_run(app, docname, source):
    """Replace a mark in a page's source by the number of chapter cells that run in the page."""
    if app.builder.name != "gettext" and SHARE.search(source[0]):  # a catalogue keeps the mark
        run, every = cells_that_run()

        def words(mark):
            return (mark[1] or DEFAULT_SHARE).format(run=run, every=every, share=f"{run / every:.0%}")

        source[0] = SHARE.sub(words, source[0])


def live_cell_data(cell, following, exercise):
    """Return a dict of what the page needs to know about a code cell, such as its id and exercise."""
    text = text_of(cell)
    data = {"cell": cell["id"], "hash": hashlib.sha256(text.encode()).hexdigest()[:12]}
    data |= {"long": "yes"} if len(text.partition("\n")[0]) > UNDER_THE_BUTTONS else {}
    checked = CHECK.search(text_of(following)) if following else None
    if STUB.search(text) and checked:
        found = exercise(checked[1])
        data |= {"part": "answer", "exercise": found.id, "needs": " ".join(found.needs)}
        return data | {"name": (NAME.findall(text) or [found.answer_name])[0]}
    return data | {"part": "check" if CHECK.search(text) else "plain"}


def mark_live_cells(app, doctree, docname):
    """Wrap each code cell that the page can run in a marked element."""
    for cell in list(doctree.findall(nodes.container)):
        if data := cell.get(LIVE_CELL):
            words = "".join(f' data-{name}="{html.escape(each)}"' for name, each in data.items() if each)
            opening = nodes.raw("", f'<div class="ch-live-cell"{words}>', format="html")
            at = cell.parent.index(cell)
            cell.parent[at : at + 1] = [opening, cell, nodes.raw("", "</div>", format="html")]


def add_scripts(app, pagename, templatename, context, doctree):
    """Add the script of ticks to each page, and scripts, style and data to pages with live cells."""
    if "body" in context:
        app.add_js_file("python/ticks.js", defer="defer")
        data = {"version": version(), "sheets": sheets(), "renamed": renamed_cells()}
        context["body"] += f'<script type="application/json" id="ch-sheets">{json.dumps(data)}</script>'
    if found := program(app.env.doc2path(pagename)):
        for name in SCRIPTS[:2]:
            app.add_js_file(f"python/{name}", defer="defer")
        context["body"] += f'<script type="application/json" id="ch-program">{in_script(found)}</script>'
    if 'class="ch-live-cell"' not in context.get("body", ""):
        return
    app.add_css_file("python/python.css")
    early = context["pathto"]("_static/python/early.js", resource=True)
    context["metatags"] = context.get("metatags", "") + f'<script src="{early}"></script>'
    for name in SCRIPTS:
        app.add_js_file(f"python/{name}", defer="defer")
    data = {"page": pagename, "sheet": Path(pagename).name, "version": version()}
    data |= {"megabytes": megabytes(made()), "renamed": renamed_answers(pagename)}
    context["body"] += f'<script type="application/json" id="ch-python">{json.dumps(data)}</script>'


def program(path):
    """Return the code of a chapter that a figure runs, or "" if it has no cell with the tag `train`."""
    if not path.endswith(".ipynb") or not Path(path).exists():
        return ""
    cells = json.loads(Path(path).read_text("utf-8"))["cells"]
    tags = [set(cell["metadata"].get("tags", ())) for cell in cells]
    if not any("train" in found for found in tags):
        return ""
    code = [text_of(cell) for cell, found in zip(cells, tags, strict=True) if found & {"train", "builds"}]
    return "\n\n".join([*code, (RUNTIME / "train_in_page.py").read_text("utf-8")])


@functools.cache
def made():
    """Return the parts of the page's Python, which are packed only once per build."""
    return parts()


@functools.cache
def sheets():
    """Return a dict from the name of each sheet's page to the number of its exercises."""
    from clearhead.checks import registry

    return {registry.file_stem(sheet.number): len(sheet.exercises) for sheet in registry.sheets()}


@functools.cache
def renamed_cells():
    """Return a dict from the name of a sheet's page to a dict from former to present cell ids."""
    from clearhead.checks import former_ids, registry

    found = {}
    for old, new in former_ids.PRESENT_IDS.items():
        found.setdefault(registry.file_stem(old[:2]), {})[cell_of(old)] = cell_of(new)
    return found


def renamed_answers(pagename):
    """Return a dict from the ids of a sheet's renamed cells to their former ids and function names."""
    from clearhead.checks import former_ids

    folder, _, stem = pagename.partition("/")
    return {
        cell_of(new): {"formerCell": cell_of(old), "name": new[3:], "formerName": old[3:]}
        for old, new in former_ids.PRESENT_IDS.items()
        if folder == "exercises" and stem.startswith(old[:2])
    }


def cell_of(exercise):
    """Return the id of the cell that holds the answer to an exercise."""
    return exercise[3:].replace("_", "-").lower()


def in_script(value):
    """Return a value as JSON that an HTML parser cannot mistake for the end of a script."""
    return json.dumps(value).replace("<", r"\u003c")


def version():
    """Return the version of the book."""
    return clearhead.__version__


def write_scripts(app):
    """Write the scripts of the page's Python, and those of the sheets, beside the pages."""
    folder = Path(app.outdir) / "_static" / "python"
    write_runtime(folder / "runtime", made())
    write_sheets(Path(app.srcdir) / "exercises", folder / "sheets")
