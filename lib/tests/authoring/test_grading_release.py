"""The class edition has no solution in it, and the search that says so can find one."""

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
import zipfile
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from clearhead.authoring import class_sheets, leaks, release, wheel
from clearhead.authoring.wheel import MODULES, PACKAGES
from clearhead.checks import recorded, registry
from clearhead.errors import UserError
from clearhead.grading.cli import main
from support.places import ROOT


def released(out):
    """Return what the command did, which makes an edition without the book."""
    return CliRunner().invoke(main, ["release", "--no-book", "--out", str(out), "--root", str(ROOT)])


@pytest.fixture(scope="module", autouse=True)
def one_draw():
    """Record one seed instead of all."""
    before, recorded.DRAWS = recorded.DRAWS, 1
    yield
    recorded.DRAWS = before


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """Return a folder with the class edition, without the book; no warning was shown while it was made."""
    out = tmp_path_factory.mktemp("edition") / "class"
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        done = released(out)
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def library(edition, tmp_path_factory):
    """Return a folder with the files of the wheel of the edition."""
    place = tmp_path_factory.mktemp("library")
    with zipfile.ZipFile(next(edition.glob("*.whl"))) as wheel:
        wheel.extractall(place)
    return place


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
    assert any("clearhead/sheets/attention/qkv.json" in name for name, _ in leaks.texts(edition))


def test_each_sheet_is_named_while_its_answers_are_recorded(monkeypatch):
    monkeypatch.setattr(class_sheets, "sheet_files", lambda number: {number: b""})
    named = []
    class_sheets.class_files(tick=named.append)
    assert named == registry.numbers()


def test_the_wheel_of_the_edition_holds_neither_grader_nor_answers(edition, library):
    (wheel,) = edition.glob("*.whl")
    packages = {path.name for path in (library / "clearhead").iterdir()}
    assert packages == {*MODULES, *PACKAGES, "sheets"}
    words = (edition / "README.md").read_text("utf-8")
    assert f'pip install "./{wheel.name}[learn]"' in words
    assert "book/index.html" not in words


def test_the_library_of_the_edition_needs_nothing_that_it_lacks(library):
    """Every import of its own is in it; check, hint and the command work with it alone."""
    packages = {path.name.removesuffix(".py") for path in (library / "clearhead").iterdir()}
    used = {
        package
        for path in (library / "clearhead").rglob("*.py")
        for package in re.findall(r"^\s*(?:from|import) clearhead\.(\w+)", path.read_text("utf-8"), re.M)
    }
    assert used <= packages
    code = """import clearhead, sys
assert clearhead.__file__.startswith(sys.argv[1]), clearhead.__file__
from clearhead.checks import check, hint, score
def qkv(X, W_q, W_k, W_v): return X @ W_q, X @ W_k, X @ W_v
check("05.qkv", qkv)
hint("05.qkv", 1)
from importlib.metadata import entry_points
command, = [e for e in entry_points(group="console_scripts") if e.name == "clearhead"][:1]
command.load()(["--help"])"""
    env = os.environ | {"PYTHONPATH": str(library), "CLEARHEAD_STATE": str(library / "state")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(library)], env=env, cwd=library, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "✓" in done.stdout
    assert "Usage:" in done.stdout
    assert "chat" in done.stdout


def test_answer_in_wheel_stops_release_before_pages_are_built(tmp_path, monkeypatch):
    """The grader's samples hold right answers of sheet 05."""
    monkeypatch.setattr(wheel, "PACKAGES", (*PACKAGES, "grading"))
    built = []
    monkeypatch.setattr(release, "_build_book", lambda *_: built.append(1))
    with pytest.raises(UserError, match=r"grading/commands/example\.py has the solution of 05_attention"):
        release.release(ROOT, tmp_path / "class", say=lambda line: None)
    assert built == []
    assert [*tmp_path.iterdir()] == []


def test_an_edition_that_cannot_be_finished_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "page.html")

    monkeypatch.setattr(release, "write_whole", full)
    (tmp_path / "class").mkdir()
    done = released(tmp_path / "class")
    assert done.exit_code == 1
    assert "page.html: the disk is full." in done.output
    assert [[*path.iterdir()] for path in tmp_path.iterdir()] == [[]]


def test_the_pages_of_the_class_edition_have_no_solution(tmp_path):
    """A page is made from what the extension makes of its sheet; the usual edition is found out."""
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    import exercise_pages

    for edition in ("", "class"):
        for path in (ROOT / "exercises").glob("[0-9]*.ipynb"):
            source = [path.read_text("utf-8")]
            config = SimpleNamespace(clearhead_edition=edition)
            env = SimpleNamespace(note_dependency=lambda path: None)
            exercise_pages.add_help(
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


@pytest.mark.parametrize(("missing", "options"), [("torch", ["--no-book"]), ("jupyter_book", [])])
def test_missing_package_stops_release_before_anything_is_computed(tmp_path, monkeypatch, missing, options):
    found = release.find_spec
    monkeypatch.setattr(release, "find_spec", lambda name: None if name == missing else found(name))
    monkeypatch.setattr(release, "_write", lambda *given: pytest.fail("it began"))
    out = ["--out", str(tmp_path / "class"), "--root", str(ROOT)]
    done = CliRunner().invoke(main, ["release", *options, *out])
    assert done.exit_code == 1
    assert f"This environment lacks {missing}," in done.output
    assert "pip install -r requirements.txt" in done.output


def test_edition_is_not_written_into_nonempty_folder(tmp_path):
    """An edition is not written into a folder that holds something."""
    (tmp_path / "old.txt").write_text("mine")
    done = released(tmp_path)
    assert done.exit_code == 1
    assert "not empty" in done.output
    assert [p.name for p in tmp_path.iterdir()] == ["old.txt"]
