"""The Sphinx extension: its steps in order, folded hints and solutions, and slim figures."""

import configparser
import importlib
import inspect
import json
import re
import subprocess
import sys
from base64 import b64decode
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from support.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
pytest.importorskip("sphinx")

import api_reference
import conventions
import exercise_pages
import figure_captions
import live_figures
import memoized
import mistakes_table
import pipeline
import pydata_sphinx_theme
import sidebar
import yaml

from clearhead.checks import registry, verdicts
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


#: Functions of `app` that are no steps of the end: Sphinx, or the set-up, calls them.
NO_STEPS = (pipeline.setup, api_reference.read_docstrings)
STAGES = {
    ("app", "docname", "source"): pipeline.SOURCE,
    ("app", "doctree"): pipeline.READ,
    ("app", "doctree", "docname"): pipeline.NODES,
    ("app", "pagename", "templatename", "context", "doctree"): pipeline.PAGE,
    ("app",): pipeline.END,
}


def test_each_step_stands_once_in_the_list_of_its_stage():
    """A function with the arguments of a stage that no list names would never run."""
    found = {arguments: [] for arguments in STAGES}
    for path in (ROOT / "book" / "_ext").glob("*.py"):
        for name, each in vars(importlib.import_module(path.stem)).items():
            if inspect.isfunction(each) and each.__module__ == path.stem and name[0] != "_":
                found.get(tuple(inspect.signature(each).parameters), []).append(each)
    found[("app",)] = [each for each in found[("app",)] if each not in NO_STEPS]
    for arguments, steps in STAGES.items():
        assert sorted(steps, key=repr) == sorted(found[arguments], key=repr)


def test_steps_of_a_stage_run_from_the_top_down():
    ran = []
    run = pipeline.in_order([lambda *arguments, name=name: ran.append((name, arguments)) for name in "abc"])
    run("app", "page")
    assert ran == [(name, ("app", "page")) for name in "abc"]


def test_only_pipeline_connects_to_build_events():
    """Elsewhere the order of two steps would depend on numbers, and on which module is loaded first."""
    texts = {path.stem: path.read_text("utf-8") for path in (ROOT / "book" / "_ext").glob("*.py")}
    connecting = re.compile(r"\.connect\((?!.autodoc)|PostTransform")
    assert [name for name, text in texts.items() if connecting.search(text)] == ["pipeline"]


def test_sidebar_equals_theme_and_is_rendered_once():
    """The theme renders each template to see whether it is empty; the sidebar costs it 50 ms on each page."""
    theme = Path(find_spec("sphinx_book_theme").submodule_search_locations[0], "theme", "sphinx_book_theme")
    options = configparser.ConfigParser(interpolation=None)
    options.read(theme / "theme.conf")
    *others, last = options["theme"]["sidebars"].split(", ")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
    (ours,) = config["html_sidebars"].values()
    assert ours[:-1] == others
    assert f'include "{last}"' in (ROOT / "book" / "_templates" / ours[-1]).read_text("utf-8")
    rendered, context = [], {"sidebars": ours, "theme_search_as_you_type": False}
    templates = SimpleNamespace(render=lambda name, _: rendered.append(name) or name)
    app = MagicMock(builder=SimpleNamespace(templates=templates))
    pydata_sphinx_theme.update_and_remove_templates(app, "page", "page.html", context, None)
    assert (rendered, context["sidebars"]) == (others, ours)


def helped(answers):
    return list(exercise_pages.with_help([STUB, CHECK], answers, lambda name: EXERCISE))


def test_three_hints_are_folded_one_in_another():
    hints = helped({})[2]["source"]
    assert (Depth(hints).most, Depth(hints).now) == (3, 0)
    assert hints.index("Look at x.") < hints.index("Add it to itself.") < hints.index("x + x")


@pytest.mark.parametrize("key", ["s1", "double"])
def test_the_solution_is_found_by_cell_id_or_by_name(key):
    """It is folded inside the last of the three hints, four folds deep."""
    cells = helped({key: "def double(x):\n    # answer\n    return 2 * x"})
    folds = cells[2]["source"]
    assert (Depth(folds).most, Depth(folds).now) == (4, 0)
    assert folds.index("x + x") < folds.index("Solution") < folds.index("return 2 * x")
    assert [cell["id"] for cell in cells] == ["s1", "c1", "s1-hints"]


def test_without_answers_there_is_no_solution():
    assert [cell["id"] for cell in helped({})] == ["s1", "c1", "s1-hints"]
    assert "Solution" not in helped({})[2]["source"]


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
    stubs = [cell for cell in cells if exercise_pages.STUB.search(conventions.text_of(cell))]
    exercise_pages.add_help(app, f"exercises/{sheet}", source)
    folds = [
        cell["source"] for cell in json.loads(source[0])["cells"] if cell.get("id", "").endswith("-hints")
    ]
    hints, solutions = len(folds), sum("<summary>Solution</summary>" in fold for fold in folds)
    assert hints == len(stubs) > 0
    assert solutions == (0 if edition else hints)
    texts = [cell["source"] for cell in json.loads(source[0])["cells"] if cell["cell_type"] == "markdown"]
    in_page = [re.sub(r'<span class="ch-in-jupyter">.*?</span>', "", text) for text in texts]
    assert in_page[0].count('<span class="ch-in-page" hidden>') == 2
    assert "Then press <em>Check</em>" in in_page[0]
    only_in_jupyter = re.compile(r"run (the|that|this) (cell|check)|(hint|report|check)\(", re.I)
    assert [text for text in in_page if only_in_jupyter.search(text)] == []


def saved_state(*figures):
    states = [live_figures.dependency_state([each], drop_defaults=False) for each in figures]
    return {"state": {key: value for state in states for key, value in state.items()}}


def test_code_and_style_of_figures_lie_once_beside_the_pages():
    chapter = next(iter(sorted(path.stem for path in questions.FOLDER.glob("*.toml"))))
    ids = [asked["id"] for asked in questions.load(chapter)["predict"]]
    figures = [Predict(name) for name in ids] + [ShapeXray(), ShapeXray()]
    slim, scripts = live_figures.slim(saved_state(*figures))
    assert len(slim["state"]) == len(figures)
    assert len(scripts) == 4  # what all figures share, two modules and one style
    codes = {"".join(scripts[name] for name in each["state"]["_esm"]) for each in slim["state"].values()}
    assert codes == {Predict._esm, ShapeXray._esm}
    assert {scripts[each["state"]["_css"]] for each in slim["state"].values()} == {ShapeXray._css}


def test_large_figure_data_is_moved_out_and_restored():
    """Large data of a figure lie beside the page and come back whole."""
    figure = LiveTransformer()
    slim, scripts = live_figures.slim(saved_state(figure))
    (model,) = slim["state"].values()
    found = {each["path"][0]: (scripts[each["script"]], each.get("bytes")) for each in model["external"]}
    assert {"merges", "scales", "weights"} == set(found)
    assert found["merges"] == (figure.merges, None)
    assert (b64decode(found["weights"][0]), b64decode(found["scales"][0])) == (figure.weights, figure.scales)
    assert len(json.dumps(slim)) < 10_000


def test_figures_with_one_model_share_scripts():
    """Two figures with one model share its scripts and one can wait for them."""
    (one,), (other,) = (
        live_figures.slim(saved_state(figure()))[0]["state"].values()
        for figure in (LiveTransformer, TwoModels)
    )
    lazy = {each["script"] for each in other["external"] if each.get("lazy")}
    assert lazy == {each["script"] for each in one["external"]}
    assert not any(each.get("lazy") for each in one["external"])
    assert sum(each["size"] for each in other["external"] if not each.get("lazy")) < 500_000


def test_the_same_state_is_written_the_same_each_time(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    texts = {
        live_figures.slim_script(app, json.dumps({"state": {"one": value}}))
        for value in (next(iter(saved_state(ShapeXray())["state"].values())) for _ in range(2))
    }
    assert len(texts) == 1
    names = live_figures.scripts_named(f"{live_figures.STATE}{texts.pop()}")
    assert {path.stem for path in (tmp_path / "_static" / "figures").iterdir()} == names
    assert len(names) == 3


def test_text_of_a_figure_cannot_end_its_script():
    html = live_figures.in_page(ShapeXray(), "0" * 32)
    assert html.count("</script>") == 2


def test_what_is_kept_depends_on_every_argument():
    calls = []

    class Owner:
        def made(self, *arguments, **named):
            calls.append((arguments, named))
            return len(calls)

    Owner.made, one, other = memoized.cached(Owner.made), Owner(), Owner()
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
    assert figure_captions.lighter(f"<p>1.23456</p>{PICTURE}") == (
        "<p>1.23456</p>"
        """<svg class="ch-picture" style="font-family: 'DejaVu Sans', sans-serif" viewBox="0 0 10 10">"""
        '<path d="M 0.12 9.88 L 10 0 L -0.26 3 z" style="fill:none;opacity:0.00012"/>'
        '<text style="font-size:14px;" x="1.23">d = 1.23456\n  <tspan>and</tspan></text>'
        '<text style="">more</text></svg>'
    )


def test_box_of_a_picture_is_written_along_its_sides():
    """A table of weights has a path along a box in each cell, closed with or without its last side."""
    for end in ("\nL 1.5 2 ", "", " "):
        box = f"M 1.5 2 \nL 9 2 \nL 9 7.25 \nL 1.5 7.25 {end}\nz\n"
        light = figure_captions.lighter(PICTURE.replace("M 0.123456", f"{box}M 0.123456"))
        assert '<path d="M1.5 2H9V7.25H1.5z M 0.12 9.88 L' in light
    other = figure_captions.lighter(PICTURE.replace("M 0.123456", "M 1 2 L 9 2 L 9 7 L 2 7 z M 0.123456"))
    assert "M 1 2 L 9 2 L 9 7 L 2 7 z" in other


def test_a_picture_with_two_fonts_keeps_both():
    both = PICTURE.replace("'DejaVu Sans', sans-serif\">more", 'serif">more')
    light = figure_captions.lighter(both)
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
def test_sidebar_of_each_page_derives_from_first(first, page):
    """The side bar of any page is made from that of the first."""
    closed = sidebar.closed(SIDE_BARS[first], first)
    assert closed == SIDE_BARS["search.html"]
    assert sidebar.opened(closed, page) == SIDE_BARS[page]


def test_table_lists_every_known_mistake_without_proving_it_again(monkeypatch):
    """`test_the_check_is_proved_over_many_seeds` finds out which mistakes are caught."""
    monkeypatch.setattr(verdicts, "judge", lambda *arguments: pytest.fail("a mistake was run"))
    said = mistakes_table.mistakes_table()
    exercises = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
    total = sum(len(exercise.mistakes) for exercise in exercises)
    assert f"In total, there are {total} known mistakes." in said
    for exercise in exercises:
        row = next(line for line in said.splitlines() if line.startswith(f"| `{exercise.answer_name}` |"))
        assert all(f"`{mistake.name}`" in row for mistake in exercise.mistakes)
