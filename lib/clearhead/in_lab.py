"""Support for JupyterLab: results are folded until a guess is made, and figures remain without a kernel."""

import sys

#: HTML that hides the following outputs of the same cell, except errors and warnings.
FOLD = """<details class="ch-guess"><summary>Guess first; then open the result</summary></details><style>
.ch-guess summary { display: list-item; cursor: pointer; text-decoration: underline }
.jp-OutputArea-child:has(.ch-guess:not([open])) ~ \
.jp-OutputArea-child:not(:has(> [data-mime-type$="err"], > [data-mime-type$="error"])) { display: none }
</style>"""
#: A style that shows the static picture instead of a figure whose kernel has ended.
SWITCH = """<style>
.jp-OutputArea-child:not(:has(> .jupyter-widgets)) + .jp-OutputArea-child:has(.ch-still),
.jp-OutputArea-child:has(> .jupyter-widgets):has(+ .jp-OutputArea-child .ch-still) { display: none }
</style>"""

_questions, _before = {}, {}  # the last question of each id; from a cell's id to the question before it


def sent():
    """Return the metadata that JupyterLab sent with the running cell, such as its tags, or {} elsewhere."""
    shell = _shell()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    metadata = parent.get("metadata", {})
    return metadata if "deletedCells" in metadata else {}


def _shell():
    """Return the running IPython shell, or None if there is none."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def show_with_still(widget, html, again):
    """Show a widget, followed by the picture that JupyterLab shows instead once the kernel has ended."""
    from IPython.display import HTML, display

    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    display({"application/vnd.jupyter.widget-view+json": view, "text/plain": repr(widget)}, raw=True)
    display(HTML(f'<div class="ch-still">{html}<p><em>{again}</em></p></div>{SWITCH}'))


def fold_results_after(question):
    """Fold the outputs of cells tagged `reveal`, up to the next question, until there is a guess."""
    if not sent():
        return
    global _last
    _last = question.question_id
    _questions[_last] = question
    events = _shell().events
    if _fold not in events.callbacks["pre_run_cell"]:
        events.register("pre_run_cell", _fold)


def _fold(info):
    """Show the fold before the result of a cell, if its question has not been answered yet."""
    cell = sent()
    if "reveal" not in cell.get("tags", ()):
        return
    question = _questions[_before.setdefault(cell["cellId"], _last)]
    if question.guess >= 0:
        return
    from IPython.display import HTML, display

    fold = display(HTML(FOLD), display_id=True)
    question.observe(lambda change: fold.update(HTML("")), "guess")
