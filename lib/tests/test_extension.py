"""The Sphinx extension: folded hints and solutions, and slim figures."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
pytest.importorskip("sphinx")

import clearhead_live  # noqa: E402
import clearhead_once  # noqa: E402
import clearhead_sheets  # noqa: E402

from clearhead.widgets import Predict, ShapeXray, questions  # noqa: E402

STUB = {
    "cell_type": "code",
    "id": "s1",
    "source": 'def double(x):\n    """Return 2x."""\n    raise NotImplementedError',
}
CHECK = {"cell_type": "code", "id": "c1", "source": 'check("00.double", double)'}
EXERCISE = SimpleNamespace(hints=("Look at x.", "Add it to itself.", "x + x"))


class Depth(HTMLParser):
    """How deep the folds are nested, and whether all are closed."""

    def __init__(self, text):
        super().__init__()
        self.now = self.most = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.now += tag == "details"
        self.most = max(self.most, self.now)

    def handle_endtag(self, tag):
        self.now -= tag == "details"


def helped(answers):
    return list(clearhead_sheets.with_help([STUB, CHECK], answers, lambda name: EXERCISE))


def test_three_hints_are_folded_one_in_another():
    hints = helped({})[2]["source"]
    assert (Depth(hints).most, Depth(hints).now) == (3, 0)
    assert hints.index("Look at x.") < hints.index("Add it to itself.") < hints.index("x + x")


@pytest.mark.parametrize("key", ["s1", "double"])
def test_the_solution_is_found_by_cell_id_or_by_name(key):
    cells = helped({key: "def double(x):\n    # answer\n    return 2 * x"})
    assert "return 2 * x" in cells[3]["source"]
    assert [cell["id"] for cell in cells] == ["s1", "c1", "s1-hints", "s1-solution"]


def test_without_answers_there_is_no_solution():
    assert [cell["id"] for cell in helped({})] == ["s1", "c1", "s1-hints"]


@pytest.mark.parametrize("sheet", sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb")))
@pytest.mark.parametrize("edition", ["", "class"])
def test_every_exercise_of_a_sheet_has_its_folds(sheet, edition):
    source = [(ROOT / "exercises" / f"{sheet}.ipynb").read_text("utf-8")]
    app = SimpleNamespace(
        srcdir=ROOT,
        env=SimpleNamespace(note_dependency=lambda path: None),
        config=SimpleNamespace(clearhead_edition=edition),
    )
    cells = json.loads(source[0])["cells"]
    stubs = [cell for cell in cells if clearhead_sheets.STUB.search(clearhead_sheets.text_of(cell))]
    clearhead_sheets.complete(app, f"exercises/{sheet}", source)
    ids = [cell.get("id", "") for cell in json.loads(source[0])["cells"]]
    hints, solutions = (sum(each.endswith(end) for each in ids) for end in ("-hints", "-solution"))
    assert hints == len(stubs) > 0
    assert solutions == (0 if edition else hints)
    texts = [cell["source"] for cell in json.loads(source[0])["cells"] if cell["cell_type"] == "markdown"]
    in_page = [re.sub(r'<span class="ch-in-jupyter">.*?</span>', "", text) for text in texts]
    assert in_page[0].count('<span class="ch-in-page" hidden>') == 2
    assert "Then press <em>Check</em>" in in_page[0]
    only_in_jupyter = re.compile(r"run (the|that|this) (cell|check)|(hint|report|check)\(", re.I)
    assert [text for text in in_page if only_in_jupyter.search(text)] == []


def test_a_module_travels_once_however_many_figures_use_it():
    chapter = next(iter(sorted(path.stem for path in questions.FOLDER.glob("*.toml"))))
    ids = [asked["id"] for asked in questions.load(chapter)["predict"]]
    figures = [Predict(name) for name in ids] + [ShapeXray(), ShapeXray()]
    states = [clearhead_live.dependency_state([each], drop_defaults=False) for each in figures]
    saved = {"state": {key: value for state in states for key, value in state.items()}}
    slim = clearhead_live.slim(saved)
    assert len(slim["state"]) == len(figures)
    assert len(slim["shared"]) == 3  # two modules and one style
    assert all(state["state"]["_esm"] in slim["shared"] for state in slim["state"].values())


def test_text_of_a_figure_cannot_end_its_script():
    html = clearhead_live.in_page(ShapeXray(), "0" * 32)
    assert html.count("</script>") == 2


def test_what_is_kept_depends_on_every_argument():
    calls = []

    class Owner:
        def made(self, *arguments, **named):
            calls.append((arguments, named))
            return len(calls)

    Owner.made, one, other = clearhead_once.once(Owner.made), Owner(), Owner()
    found = [
        one.made("a"),
        one.made("a"),
        one.made("a", lines=[1]),
        one.made("a", lines=[2]),
        other.made("a"),
    ]
    assert found == [1, 1, 2, 3, 4]
    assert len(calls) == 4


def test_the_sphinx_step_checks_notebooks_without_grammars_of_addresses():
    """They take a second of each start; a notebook that breaks its schema is still refused."""
    code = """
import sys
sys.path.insert(0, "book")
from sphinx_step import spare_time
spare_time()
import nbformat
assert "lark" not in sys.modules
try:
    nbformat.validate({"cells": [{}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
except nbformat.ValidationError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr
