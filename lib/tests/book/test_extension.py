"""The Sphinx extension: folded hints and solutions, and slim figures."""

import json
import re
import subprocess
import sys
from base64 import b64decode
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from support.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
pytest.importorskip("sphinx")

import clearhead_live
import clearhead_once
import clearhead_sheets
import light_pictures
import side_bar

from clearhead.widgets import LiveTransformer, Predict, ShapeXray, TwoModels, questions

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


def saved_state(*figures):
    states = [clearhead_live.dependency_state([each], drop_defaults=False) for each in figures]
    return {"state": {key: value for state in states for key, value in state.items()}}


def test_code_and_style_of_figures_lie_once_beside_the_pages():
    chapter = next(iter(sorted(path.stem for path in questions.FOLDER.glob("*.toml"))))
    ids = [asked["id"] for asked in questions.load(chapter)["predict"]]
    figures = [Predict(name) for name in ids] + [ShapeXray(), ShapeXray()]
    slim, scripts = clearhead_live.slim(saved_state(*figures))
    assert len(slim["state"]) == len(figures)
    assert len(scripts) == 4  # what all figures share, two modules and one style
    codes = {"".join(scripts[name] for name in each["state"]["_esm"]) for each in slim["state"].values()}
    assert codes == {Predict._esm, ShapeXray._esm}
    assert {scripts[each["state"]["_css"]] for each in slim["state"].values()} == {ShapeXray._css}


def test_large_data_of_a_figure_lie_beside_the_page_and_come_back_whole():
    figure = LiveTransformer()
    slim, scripts = clearhead_live.slim(saved_state(figure))
    (model,) = slim["state"].values()
    found = {each["path"][0]: (scripts[each["script"]], each.get("bytes")) for each in model["apart"]}
    assert {"merges", "scales", "weights"} == set(found)
    assert found["merges"] == (figure.merges, None)
    assert (b64decode(found["weights"][0]), b64decode(found["scales"][0])) == (figure.weights, figure.scales)
    assert len(json.dumps(slim)) < 10_000


def test_two_figures_with_one_model_share_its_scripts_and_one_can_wait_for_them():
    (one,), (other,) = (
        clearhead_live.slim(saved_state(figure()))[0]["state"].values()
        for figure in (LiveTransformer, TwoModels)
    )
    late = {each["script"] for each in other["apart"] if each.get("late")}
    assert late == {each["script"] for each in one["apart"]}
    assert not any(each.get("late") for each in one["apart"])
    assert sum(each["size"] for each in other["apart"] if not each.get("late")) < 500_000


def test_the_same_state_is_written_the_same_each_time(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    texts = {
        clearhead_live.slim_script(app, json.dumps({"state": {"one": value}}))
        for value in (next(iter(saved_state(ShapeXray())["state"].values())) for _ in range(2))
    }
    assert len(texts) == 1
    names = clearhead_live.scripts_named(f"{clearhead_live.STATE}{texts.pop()}")
    assert {path.stem for path in (tmp_path / "_static" / "figures").iterdir()} == names
    assert len(names) == 3


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


PICTURE = """<svg class="ch-picture" viewBox="0 0 10 10">
 <g id="patch_1">
  <path d="M 0.123456 9.87654 \nL 10.00001 -0.0001 L -0.25781 3 \nz" style="fill: none; opacity: 0.00012"/>
 </g>
 <g id="line_2"/>
 <text style="font-size: 14px; font-family: 'DejaVu Sans', sans-serif" x="1.23456">d = 1.23456
  <tspan>and</tspan></text>
 <text style="font-family: 'DejaVu Sans', sans-serif">more</text>
</svg>"""


def test_a_lighter_picture_keeps_its_words_and_its_look():
    assert light_pictures.lighter(f"<p>1.23456</p>{PICTURE}") == (
        "<p>1.23456</p>"
        """<svg class="ch-picture" style="font-family: 'DejaVu Sans', sans-serif" viewBox="0 0 10 10">"""
        '<path d="M 0.12 9.88 L 10 0 L -0.26 3 z" style="fill:none;opacity:0.00012"/>'
        '<text style="font-size:14px;" x="1.23">d = 1.23456\n  <tspan>and</tspan></text>'
        '<text style="">more</text></svg>'
    )


def test_a_picture_with_two_fonts_keeps_both():
    both = PICTURE.replace("'DejaVu Sans', sans-serif\">more", 'serif">more')
    light = light_pictures.lighter(both)
    assert "font-family: 'DejaVu Sans', sans-serif\" x=" in light
    assert 'style="font-family:serif"' in light


#: As the theme writes it on the page of the first chapter, of its sheet, and of the search.
BARS = {
    "chapters/01.html": """<p>Begin</p><ul class="current nav bd-sidenav">
<li class="toctree-l1"><LINK="../book/a.html">A</a></li>
<li class="toctree-l1 current active has-children"><a class="current reference internal" href="#">1</a>
<details open="open"><ul>
<li class="toctree-l2"><LINK="../exercises/01.html">E</a></li>
</ul></details></li>
<li class="toctree-l1 has-children"><LINK="02.html">2</a>
<details><ul>
<li class="toctree-l2"><LINK="../exercises/02.html">E</a></li></ul></details></li></ul>
<ul class="nav bd-sidenav"><li class="toctree-l1"><LINK="../book/b.html">B</a></li></ul>""",
    "exercises/01.html": """<p>Begin</p><ul class="current nav bd-sidenav">
<li class="toctree-l1"><LINK="../book/a.html">A</a></li>
<li class="toctree-l1 current active has-children"><LINK="../chapters/01.html">1</a>
<details open="open"><ul class="current">
<li class="toctree-l2 current active"><a class="current reference internal" href="#">E</a></li>
</ul></details></li>
<li class="toctree-l1 has-children"><LINK="../chapters/02.html">2</a>
<details><ul>
<li class="toctree-l2"><LINK="02.html">E</a></li></ul></details></li></ul>
<ul class="nav bd-sidenav"><li class="toctree-l1"><LINK="../book/b.html">B</a></li></ul>""",
    "search.html": """<p>Begin</p><ul class="nav bd-sidenav">
<li class="toctree-l1"><LINK="book/a.html">A</a></li>
<li class="toctree-l1 has-children"><LINK="chapters/01.html">1</a>
<details><ul>
<li class="toctree-l2"><LINK="exercises/01.html">E</a></li>
</ul></details></li>
<li class="toctree-l1 has-children"><LINK="chapters/02.html">2</a>
<details><ul>
<li class="toctree-l2"><LINK="exercises/02.html">E</a></li></ul></details></li></ul>
<ul class="nav bd-sidenav"><li class="toctree-l1"><LINK="book/b.html">B</a></li></ul>""",
}
SIDE_BARS = {page: bar.replace("LINK", 'a class="reference internal" href') for page, bar in BARS.items()}


@pytest.mark.parametrize("page", SIDE_BARS)
@pytest.mark.parametrize("first", SIDE_BARS)
def test_the_side_bar_of_any_page_is_made_from_that_of_the_first(first, page):
    closed = side_bar.closed(SIDE_BARS[first], first)
    assert closed == SIDE_BARS["search.html"]
    assert side_bar.opened(closed, page) == SIDE_BARS[page]
