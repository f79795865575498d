"""The page for instructors, followed word by word with twelve hand-ins as they come: nobody is lost."""

import csv
import io
import json
import os
import re
import zipfile
from datetime import datetime

import pytest

from clearhead.grading.commands.example import IMPORTS, RIGHT, UNSCALED, answers, notebook
from clearhead.sandbox.isolation import problem
from support.command_line import clearhead, rows
from support.places import ROOT

SHEET = "05_attention.ipynb"
IN_TIME, LATE = datetime(2026, 10, 12, 12).timestamp(), datetime(2026, 10, 14, 12).timestamp()
ROSTER = "name,student id,email\n" + "".join(
    f'"{name}",{number},{name.partition(",")[2].strip().lower()}@example.org\n'
    for number, name in enumerate(
        ["Right, Ada", "Half, Ben", "Wrong, Cleo", "Empty, Dora", "Late, Emil", "Renamed, Fay", "Broken, Gus",
         "Code, Hana", "Colab, Ivo", "Script, Jun", "Twice, Kim", "None, Lea"], 4701)
)  # fmt: skip
POLICY = '[late]\nper_day = 10\n[sheets.05]\ndue = 2026-10-13\nname = "Homework 5 (991)"\n'
#: person -> points that count, what needs a look, the rules that acted
EXPECTED = {
    "Right, Ada": ("31", "", ""),
    "Half, Ben": ("21", "", ""),
    "Wrong, Cleo": ("21", "", ""),
    "Empty, Dora": ("0", "", ""),
    "Late, Emil": ("27.9", "", "05: 1 day late, which costs 10 % of the points."),
    "Renamed, Fay": ("31", "", ""),
    "Broken, Gus": ("", "05: unreadable", ""),
    "Code, Hana": ("31", "", ""),
    "Colab, Ivo": ("31", "", ""),
    "Script, Jun": ("31", "", ""),
    "Twice, Kim": ("31", "", "05: Hand-in 2 of 2 counts."),
    "None, Lea": ("0", "05: not handed in", ""),
}
missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")


def _vscode():
    """Return a right notebook as VS Code writes it: other metadata, no ids, a cell with a magic."""
    made = json.loads(answers())
    made["metadata"] = {"language_info": {"name": "python"}, "vscode": {"interpreter": {"hash": "0" * 40}}}
    for cell in made["cells"]:
        cell.pop("id")
        cell["metadata"] = {"vscode": {"languageId": "python"}}
        cell["source"] = cell["source"].splitlines(keepends=True)
    made["cells"].insert(
        0, {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%matplotlib inline"]}
    )
    return json.dumps(made | {"nbformat_minor": 2})


def _colab():
    """Return a right notebook as Colab writes it: an install, a form, a drive that is not there."""
    first = "%pip install 'clearhead[all] @ git+https://github.com/x/y'\nfrom google.colab import drive\n"
    cells = ["#@title Set up { display-mode: 'form' }\n" + first + "drive.mount('/content/drive')", IMPORTS]
    made = json.loads(notebook(*cells, *RIGHT.values()))
    return json.dumps(made | {"metadata": {"colab": {"provenance": []}, "accelerator": "GPU"}})


def _script():
    """Return right answers as a script of cells."""
    return "\n".join(f"# %%\n{text}" for text in (IMPORTS, "# %pip list", *RIGHT.values()))


def _zipped(name, text):
    """Return a zip archive with one file, of a time before the deadline."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name, (2026, 10, 12, 12, 0, 0)), text)
    return file.getvalue()


def hand_in(folder):
    """Write eleven hand-ins, as a folder, an archive or a notebook, as on the page. The twelfth is none."""
    given = {
        f"ada/{SHEET}": answers(),
        "ben.zip": _zipped(SHEET, answers(sharpen=None, attention_backward=None)),
        f"cleo_{SHEET}": answers(attention_weights=UNSCALED),
        f"4704/{SHEET}": (ROOT / "exercises" / SHEET).read_text(encoding="utf-8"),
        f"emil@example.org/{SHEET}": answers(),
        "Fay Renamed/homework 5 FINAL (2).ipynb": answers(),
        f"gus/{SHEET}": answers()[:2000],
        f"hana/{SHEET}": _vscode(),
        f"ivo/Copy of {SHEET}": _colab(),
        "jun/05_attention.py": _script(),
        f"kim/{SHEET}": answers(sharpen=None),
        "kim/05_attention (1).ipynb": answers(),
    }
    for path, text in given.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        time = LATE if "emil" in path else IN_TIME + (60 if "(1)" in path else 0)
        os.utime(place, (time, time))
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Return the folder of a course, graded as the page says, and what the command said."""
    course = tmp_path_factory.mktemp("course")
    hand_in(course / "submissions")
    (course / "grades").mkdir()
    (course / "grades" / "roster.csv").write_text(ROSTER)
    (course / "grades" / "policy.toml").write_text(POLICY)
    return course, clearhead("grade", course / "submissions", "--out", course / "grades")


@isolated
def test_each_submission_has_marks_it_earned(graded):
    """Each of the twelve has what it earned and what needs a look is reported."""
    course, done = graded
    assert done.exit_code == 0, done.output
    table = rows(course / "grades" / "gradebook" / "gradebook.csv")
    assert {name: (r["05"], r["needs review"], r["rules"]) for name, r in table.items()} == EXPECTED
    assert "Gradebook of 12 students for sheet 05" in done.output
    assert "Cannot be read: gus" in done.stderr
    canvas = rows(course / "grades" / "gradebook" / "canvas.csv")
    assert {n: r["Homework 5 (991)"] for n, r in canvas.items() if n in EXPECTED} == {
        name: points for name, (points, *_) in EXPECTED.items()
    }


@isolated
def test_each_page_says_first_what_counts_and_is_the_receipt(graded):
    course, _ = graded
    pages = {p.name[:4]: p.read_text() for p in (course / "grades" / "gradebook" / "feedback").iterdir()}
    assert set(pages) == {str(number) for number in range(4701, 4712)}  # who handed in nothing has none
    assert "1 day late, which costs 10 % of the points. On time, it would have been worth" in pages["4705"]
    assert "<code>homework 5 FINAL (2).ipynb</code>" in pages["4706"]
    assert "05_attention (1).ipynb" in pages["4711"]
    assert "Hand-in 2 of 2 counts." in pages["4711"]
    with open(course / "grades" / "gradebook" / "receipts.csv", newline="", encoding="utf-8-sig") as file:
        receipts = [*csv.DictReader(file)]
    assert len(receipts) == 12
    assert all(len(r["SHA-256"]) == 64 and r["time"].startswith("2026-10-1") for r in receipts)
    assert all(r["SHA-256"] in pages[r["id"]] for r in receipts if r["counts"])


def lines_without_values(text):
    """Return the lines of a command's output without indentation, numbers and folders."""
    return {re.sub(r"\d+(, \d+)*", "#", re.sub(r"\S*/", "", line)).strip() for line in text.splitlines()}


@isolated
def test_the_commands_of_the_page_go_on_from_there(graded):
    """The page's commands work on a class that was graded, and print the lines that the page shows."""
    course, _ = graded
    text = (ROOT / "book" / "for_instructors.md").read_text(encoding="utf-8")
    said = set(re.findall(r"clearhead (\w+)", text))
    assert {"grade", "gradebook", "regrade", "release"} <= said
    grades = course / "grades"
    before = json.loads((grades / "timings.json").read_text())
    (grades / "policy.toml").rename(grades / "away")
    clearhead("grade", course / "submissions", "--out", grades, "--resume")
    (grades / "away").rename(grades / "policy.toml")
    clearhead("grade", course / "submissions", "--out", grades, "--resume")
    again = json.loads((grades / "timings.json").read_text())
    assert ([t["student"] for t in again], len(before)) == (["kim"], 11)  # the rules ask for all of its files
    (grades / "policy.toml").write_text(POLICY + '[extensions]\n"4705" = { 05 = 2 }\n')
    done = clearhead("gradebook", grades)
    assert "  Late, Emil (4705), sheet 05: 27.9 -> 31\n" in done.output
    shown = [
        line
        for line in lines_without_values(text)
        if re.match("Gradebook of|Written to|# marked again", line)
    ]
    assert len(shown) == 3
    printed = lines_without_values(done.output)
    (grades / "manual_grades.csv").write_text(
        "student,exercise,points,comment\ngus@example.org,05.qkv,3,Read it.\n"
    )
    done = clearhead("regrade", course / "submissions", "--out", grades, "--student", "Right, Ada")
    assert "1 marked again, 0 of them with new points." in done.output, done.output
    assert [line for line in shown if line not in printed | lines_without_values(done.output)] == []
    assert "  Broken, Gus (4707), sheet 05: no mark -> 3\n" in done.output
    assert clearhead("gradebook", grades, "--anonymous").exit_code == 0
    assert len(rows(grades / "names.csv")) == 12
