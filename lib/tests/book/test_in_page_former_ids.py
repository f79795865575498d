"""What a browser keeps under the earlier id of an exercise is found again under its present one."""

import json
import sys

import pytest

from support.places import ROOT

pytest.importorskip("sphinx")
sys.path.append(str(ROOT / "book" / "_ext"))

import python_in_page
from conventions import text_of

from clearhead.checks import former_ids, registry

PYTHON = ROOT / "book" / "static" / "python"
SHEET = "19_serving"
CELL, EARLIER = "apply-frequency-penalty", "penalise"
TEXT = "def penalise(logits, *rest):\n    return x.penalise\n\nbetter = penalise"
PRESENT = (
    "def apply_frequency_penalty(logits, *rest):\n    return x.penalise\n\nbetter = apply_frequency_penalty"
)


@pytest.fixture
def tab(browser, tmp_path):
    """A page beside the scripts, whose browser has kept nothing yet."""
    folder = tmp_path / "_static" / "python"
    folder.mkdir(parents=True)
    for name in ("storage.js", "ticks.js"):
        (folder / name).write_bytes((PYTHON / name).read_bytes())
    known = {"version": "2", "sheets": {SHEET: 6}, "renamed": python_in_page.renamed_cells()}
    (tmp_path / "page.html").write_text(
        f"""<!doctype html><title>A page</title><nav class="bd-sidebar-primary">
        <a href="exercises/{SHEET}.html">19</a></nav>
        <script type="application/json" id="ch-sheets">{json.dumps(known)}</script>
        <script src="_static/python/storage.js"></script>
        <script defer src="_static/python/ticks.js"></script>"""
    )
    page = browser.new_context().new_page()
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    page.context.close()


def keep(tab, cell, text, version="1", copy=None, **more):
    """Keep a record of a cell in the browser, as an earlier version of the book did."""
    copy = tab.evaluate("clearheadParts.copy") if copy is None else copy
    name = " ".join(part for part in ("clearhead", version, copy, f"exercises/{SHEET}", cell) if part)
    record = json.dumps({"text": text, "hash": "of then", "stamp": 1} | more)
    tab.evaluate("([name, record]) => { localStorage[name] = record; }", [name, record])


def called(tab, function, *arguments):
    """Return what a function of `keep` returns for this sheet."""
    made = f"clearheadParts.storage('exercises/{SHEET}', '2', given.renamed)"
    given = {"renamed": python_in_page.renamed_answers(f"exercises/{SHEET}"), "arguments": arguments}
    return tab.evaluate(f"given => {made}.{function}(...given.arguments)", given)


@pytest.mark.parametrize("version", ["1", "2"])
def test_an_answer_under_an_earlier_id_is_found(tab, version):
    keep(tab, EARLIER, TEXT, version, passed=True, points=9, other=TEXT)
    found = called(tab, "read", CELL)
    assert found["text"] == found["other"] == PRESENT
    assert found["passed"]
    assert found["points"] == 9
    assert called(tab, "read", CELL) == found, "and kept under the present id"


def test_an_answer_from_before_copies_were_told_apart_is_found(tab):
    keep(tab, EARLIER, TEXT, copy="")
    assert called(tab, "read", CELL)["text"] == PRESENT


def test_an_answer_under_the_present_id_comes_first(tab):
    keep(tab, EARLIER, TEXT)
    keep(tab, CELL, "# newer", "2")
    assert called(tab, "read", CELL)["text"] == "# newer"


def test_answer_of_another_copy_is_offered_under_present_name(tab):
    """An answer of another copy is offered under its present name."""
    keep(tab, EARLIER, TEXT, copy="/autumn/")
    found = tab.evaluate(
        f"""renamed => [
            ...clearheadParts.storage('exercises/{SHEET}', '2', renamed).inOtherCopies(['{CELL}'])]""",
        python_in_page.renamed_answers(f"exercises/{SHEET}"),
    )
    assert [(cell, record["text"]) for cell, record in found] == [(CELL, PRESENT)]


def test_an_exercise_that_was_renamed_is_ticked_once(tab):
    keep(tab, EARLIER, TEXT, "2", passed=True)
    keep(tab, CELL, PRESENT, "2", passed=True)
    tab.reload()
    assert "1/6" in tab.locator("a").inner_text()


def test_cells_of_other_pages_were_not_renamed():
    assert python_in_page.renamed_answers(f"chapters/{SHEET}") == {}
    assert python_in_page.renamed_answers("index") == {}


@pytest.mark.parametrize("new", former_ids.PRESENT_IDS.values())
def test_present_id_belongs_to_cell_of_its_sheet(new):
    """The present id is that of a cell of its sheet."""
    sheet = registry.file_stem(new[:2])
    notebook = json.loads((ROOT / "exercises" / f"{sheet}.ipynb").read_text("utf-8"))
    texts = {cell["id"]: text_of(cell) for cell in notebook["cells"]}
    assert f"def {new[3:]}(" in texts[python_in_page.cell_of(new)]
    assert python_in_page.cell_of(new) in python_in_page.renamed_answers(f"exercises/{sheet}")
