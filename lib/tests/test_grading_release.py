"""The class edition has no solution in it, and the search that says so can find one."""

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from clearhead.authoring import leaks
from clearhead.grading.cli import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """Return a folder with the class edition, without the book."""
    out = tmp_path_factory.mktemp("edition") / "class"
    done = CliRunner().invoke(main, ["release", "--no-book", "--out", str(out), "--root", str(ROOT)])
    assert done.exit_code == 0, done.output
    return out


def test_every_answer_is_known_to_the_search():
    found = leaks.solutions(ROOT)
    marks = sum(p.read_text().count('# answer\\n"') for p in (ROOT / "solutions").glob("*.ipynb"))
    assert len(found) == marks > 60
    assert all(found.values())


def test_the_edition_holds_every_sheet_and_no_solution(edition):
    names = {p.name for p in (edition / "exercises").iterdir()}
    assert names == {"AGENTS.md"} | {p.name for p in (ROOT / "exercises").glob("[0-9]*.ipynb")}
    words = (edition / "AGENTS.md").read_text(encoding="utf-8")
    assert "teach, do not solve" in words
    assert words == (edition / "exercises" / "AGENTS.md").read_text(encoding="utf-8")
    assert leaks.leaks(ROOT, edition) == []


def test_the_pages_of_the_class_edition_have_no_solution(tmp_path):
    """A page is made from what the extension makes of its sheet; the usual edition is found out."""
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    import clearhead_sheets

    for edition in ("", "class"):
        for path in (ROOT / "exercises").glob("[0-9]*.ipynb"):
            source = [path.read_text("utf-8")]
            config = SimpleNamespace(clearhead_edition=edition)
            env = SimpleNamespace(note_dependency=lambda path: None)
            clearhead_sheets.complete(
                SimpleNamespace(srcdir=ROOT, env=env, config=config), f"exercises/{path.stem}", source
            )
            text = "\n".join("".join(cell["source"]) for cell in json.loads(source[0])["cells"])
            (tmp_path / edition).mkdir(exist_ok=True)
            (tmp_path / edition / f"{path.stem}.html").write_text(text)
    assert leaks.leaks(ROOT, tmp_path / "class") == []
    shutil.rmtree(tmp_path / "class")
    found = leaks.leaks(ROOT, tmp_path)
    sheets = len(list((ROOT / "exercises").glob("[0-9]*.ipynb")))
    assert sum("folded solution" in line for line in found) == sheets
    assert sum("has the solution" in line for line in found) > 40


@pytest.mark.parametrize(
    "made",
    [
        lambda text: text,
        lambda text: "<pre>" + text.replace(" ", "<span> </span>") + "</pre>",
        lambda text: json.dumps({"cells": [{"source": text.splitlines(keepends=True)}]}, indent=1),
    ],
    ids=["plain", "coloured", "notebook"],
)
def test_a_leak_is_found_in_every_dress(tmp_path, made):
    cells = json.loads((ROOT / "solutions" / "05_attention.ipynb").read_text())["cells"]
    answer = next("".join(c["source"]) for c in cells if "def attention_backward" in "".join(c["source"]))
    (tmp_path / "page.html").write_text(made(answer))
    assert "attention_backward" in leaks.leaks(ROOT, tmp_path)[0]


def test_an_edition_is_not_written_into_a_folder_that_holds_something(tmp_path):
    (tmp_path / "old.txt").write_text("mine")
    done = CliRunner().invoke(main, ["release", "--no-book", "--out", str(tmp_path), "--root", str(ROOT)])
    assert done.exit_code == 1
    assert "not empty" in done.output
    assert [p.name for p in tmp_path.iterdir()] == ["old.txt"]
