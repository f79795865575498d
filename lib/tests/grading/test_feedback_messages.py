"""What is told of marks: where in the notebook, what is right first, what comes first, never a formula."""

import csv
import io
import json
import os
import time

import pytest
from click.testing import CliRunner

from clearhead.checks import registry
from clearhead.grading.cli import main
from clearhead.grading.collect.cell_locator import MOST, CellLocator
from clearhead.grading.commands import summary
from clearhead.grading.commands.example import IMPORTS, RIGHT, UNSCALED, answers, notebook, write_submissions
from clearhead.grading.mark import worker
from clearhead.grading.mark.notes import MAX_NOTES, NotebookNotes
from clearhead.grading.write import feedback, grade_table
from clearhead.sandbox.isolation import problem
from support.places import ROOT

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {
    "secret": "s", "seconds": 5.0, "megabytes": 2048, "partial": False, "isolated": True, "sheets": ["05"],
}  # fmt: skip


def marked(raw):
    """Return the marks of a notebook of sheet 05, and its exercises by entry."""
    marks, _ = worker.grade("ada", {"05": raw if isinstance(raw, bytes) else raw.encode()}, [], SETTINGS)
    return marks, {row["id"].partition(".")[2]: row for row in marks["exercises"]}


def with_headings(*cells):
    """Return a notebook; what begins with # is a cell of text."""
    made = json.loads(notebook(*cells))
    for cell in made["cells"]:
        cell["cell_type"] = "markdown" if cell["source"].startswith("#") else "code"
    return json.dumps(made)


# where it is -----------------------------------------------------------------------------------------------


@isolated
def test_syntax_error_is_reported_at_exercise_with_line():
    """A syntax error is reported at its exercise with its line."""
    broken = "def sharpen(q, k_near, k_far, weight):\n    for i in q\n        pass\n"
    marks, rows = marked(answers(sharpen=broken))
    assert rows["sharpen"]["status"] == "missing"
    says = (
        "`sharpen` is not defined: its cell has an error. SyntaxError: expected ':', in line 2: `for i in q`."
    )
    assert rows["sharpen"]["message"] == says
    assert {case["message"] for case in rows["sharpen"]["cases"]} == {""}
    place = "Sheet 05: the cell `def sharpen(q, k_near, k_far, weight):`: "
    assert marks["notes"] == [f"{place}SyntaxError: expected ':', in line 2: `for i in q`."]


@isolated
def test_check_of_missing_answer_is_not_reported_as_error():
    """The check of an answer that is not there is not held against a student."""
    marks, rows = marked(
        notebook(IMPORTS, *list(RIGHT.values())[:-1], 'check("05.sharpen", attention_backward)')
    )
    assert rows["attention_backward"]["status"] == "missing"
    assert marks["notes"] == []


@isolated
def test_deleted_answer_has_no_error():
    """An answer that was deleted is not said to have an error."""
    _, rows = marked(answers(sharpen="def sharpe(:\n"))
    assert rows["sharpen"]["message"].endswith("was its cell deleted, or is it still the stub?")


@isolated
def test_error_is_reported_under_heading_above_it():
    """An error is reported under the heading that is above it."""
    sheet = with_headings(IMPORTS, "# 1 · Three projections\n\nMake <b>three</b>.", RIGHT["qkv"], "1 / 0")
    marks, _ = marked(sheet)
    assert marks["notes"][0] == (
        "Sheet 05: under “1 · Three projections”, the cell `1 / 0`: ZeroDivisionError: division by zero."
    )


def test_error_line_counts_cell_magic():
    """The line of an error below a magic is counted with it."""
    locator = CellLocator(notebook("%%time\nx = 1\nx x").encode())
    assert locator.error(1, "SyntaxError: invalid syntax (<cell 1>, line 3)").endswith("in line 3: `x x`")


@pytest.mark.parametrize(
    "raw", [None, b"{", b"[1]", b'{"cells": [3]}', b"[" * 100_000, b" " * (MOST + 1), b'{"cells": 4}']
)
def test_unreadable_notebook_has_cell_numbers(raw):
    """A notebook that cannot be looked into has numbers for places."""
    locator = CellLocator(raw)
    assert (locator.label(3), locator.called("f", ["g"]), locator.defines(1, "f")) == ("cell 3", [], False)


@isolated
@pytest.mark.parametrize("number", ["01", "02", "05", "08", "09", "12"])
def test_no_given_cell_is_reported_as_error(number):
    """No cell of a released sheet is held against a student."""
    raw = next((ROOT / "exercises").glob(f"{number}_*.ipynb")).read_bytes()
    marks, _ = worker.grade("ada", {number: raw}, [], SETTINGS | {"sheets": [number], "partial": True})
    worker.drop_sandboxes()
    assert (marks["points"], marks["notes"]) == (0, [])
    assert {row["status"] for row in marks["exercises"]} == {"not_attempted"}
    assert {row["message"] for row in marks["exercises"]} == {
        "Not attempted: `raise NotImplementedError` is still in it."
    }


# what comes first ------------------------------------------------------------------------------------------


@isolated
def test_the_mistake_that_others_are_built_on_comes_first():
    marks, rows = marked(answers(attention_weights=UNSCALED))
    first = "calls `attention_weights`: fix that first, it is not right yet."
    assert f"Sheet 05: `self_attention` {first}" in marks["notes"]
    page = feedback.page(marks)
    assert page.index("<h2>Right</h2>") < page.index("fix that first") < page.index("<h2>To look at</h2>")
    assert page.index("<h2>Right</h2>") < page.index("05.qkv") < page.index("05.attention_weights")
    assert "<p>✓ Already right: " in page or all(
        c["status"] != "passed" for c in rows["self_attention"]["cases"]
    )


def test_only_real_calls_count_as_calls():
    """An answer calls what it calls and not what its words name."""
    code = 'def f(x):\n    """Not g(x)."""\n    # nor h(x)\n    return math.k(x) + m(x)\n\nn(1)'
    assert CellLocator(notebook(code).encode()).called("f", list("ghkmn")) == ["m"]


def test_body_of_definition_ends_at_next_line():
    """The body of a definition ends where the next line begins."""
    code = "def f(x,\n      y\n):\n\n# k(1)\n    return g(x)\nh(1)\ndef g(x):\n    return k(x)"
    assert CellLocator(notebook(code).encode()).called("f", list("ghk")) == ["g"]
    assert CellLocator(notebook(code).encode()).called("g", list("fhk")) == ["k"]


def test_many_errors_of_long_cell_are_cheap_to_report():
    """Whatever a submission says of its cells, and however long they are, reporting it takes no time."""
    raw = notebook("def f(x):\n" + "\n" * 2_000_000 + "x x").encode()
    notes = NotebookNotes("05", raw)
    assert len(notes.locator.cells) == 1
    begun = time.process_time()
    notes.add_errors([[1, f"SyntaxError: {n} (<cell 1>, line {n + 5})"] for n in range(MAX_NOTES)])
    notes.add_errors([[n, "SyntaxError: it (<cell 1>, line 1999999)"] for n in range(-MAX_NOTES, MAX_NOTES)])
    assert notes.why_missing("f") == f"its cell has an error. {notes.problems[1]}."
    for entry in ("f", "g"):
        notes.why_missing(entry)
        assert notes.locator.called(entry, ["k"]) == []
    assert time.process_time() - begun < 2
    assert "the cell `def f(x):`: SyntaxError: 0, in line 5." in notes.notes[0]


@isolated
def test_cells_beyond_the_limit_are_told():
    marks, _ = marked(with_headings(*["# x"] * 2100, *RIGHT.values()))
    assert marks["points"] == 0
    assert "Sheet 05: Only the first 2000 of its 2107 cells were read." in marks["notes"]


@isolated
def test_unreadable_file_is_named_once_per_exercise():
    """What cannot be read is said once for an exercise and its file is named."""
    marks, rows = marked(b"{")
    assert all(row["message"] and not any(c["message"] for c in row["cases"]) for row in rows.values())
    page = feedback.page(marks | {"files": {"05": {"name": "<05>.ipynb", "sha256": "a" * 64}}})
    assert page.count("its JSON is damaged, perhaps cut short") == 1 + len(rows)
    assert "<code>&lt;05&gt;.ipynb</code>, SHA-256 <code>aaaaaaaaaaaa" in page
    assert f"Sheet 05, {registry.sheet('05').title}" in page
    assert "<table" not in page


# tables ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("=1", "+1", "-1", "@x", "|x", "%x", "＝1", "＋1", "－1", "＠1", "  =1", "\u200b=1", "'=1", '"=1'),
        *("x;=1", "x; =1", 'x";=1', "x,=1", "x,＝1", "a\t=1", "a\r=1", "\n=1"),
    ],
)
def test_no_table_cell_is_a_formula(text):
    """No cell of the table is a formula however it is split."""
    whole = grade_table.safe_cell(text)
    for separator in ";,\t":
        for part in next(csv.reader(io.StringIO(whole), delimiter=separator)):
            assert part.lstrip(' "')[:1] not in set("=+-@|%＝＋－＠"), whole


@pytest.mark.parametrize("text", ["ada", "O'Neil, Dora", "a=b", "x-1", "half; done", "3,5"])
def test_a_text_that_is_no_formula_stays_as_it_is(text):
    assert grade_table.safe_cell(text) == text


def test_the_table_begins_with_a_byte_order_mark_for_excel():
    text = grade_table.as_csv(
        [{"student": "Zoë", "status": "grader_error", "notes": [], "exercises": []}], []
    )
    assert text.encode().startswith(b"\xef\xbb\xbfstudent,")


# the terminal ----------------------------------------------------------------------------------------------


def some_marks(student, points, mistake="", status="graded"):
    row = {"id": "05.qkv", "status": "passed" if points else "failed", "mistake": mistake}
    row = row if status == "graded" else row | {"status": "unreadable"}
    return {
        "student": student,
        "status": status,
        "points": points,
        "max_points": 31,
        "exercises": [row],
        "notes": [],
    }


def test_large_class_is_summarized_with_those_who_need_look(capsys):
    """A large class is summed up and who needs a look is named."""
    class_of = [some_marks(f"s{i}", 10) for i in range(50)] + [some_marks("m", 0, "scaled twice")] * 10
    class_of.append(some_marks("\x1b[31mred", 0, status="unreadable"))
    for marks in class_of[:3]:  # right, given right helpers: the mistake is not theirs
        marks["exercises"][0] |= {"mistake": "not scaled", "follow_through": {"status": "passed"}}
    assert summary.print_summary(iter(class_of), "out", each=False) == 0
    said = capsys.readouterr()
    assert "60 graded, 1 unreadable. Mean 8.3 of 31." in said.out
    assert "10 × in 05.qkv: scaled twice" in said.out
    assert "not scaled" not in said.out
    assert "s7" not in said.out
    assert "Cannot be read: \ufffd[31mred (" in said.err


# the folder of the marks -----------------------------------------------------------------------------------


@isolated
def test_marks_are_private_and_overwriting_is_announced(
    tmp_path,
):
    """Marks are for their owner and what was edited is not lost in silence."""
    (tmp_path / "in").mkdir()
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "-j", "1", "--seed", "mine"]
    assert CliRunner().invoke(main, command).exit_code == 1
    assert not (tmp_path / "out").exists()
    (tmp_path / "in" / "05_attention.ipynb").write_text(answers(sharpen=None))
    assert CliRunner().invoke(main, command).exit_code == 0
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0
    assert (tmp_path / "out" / "secret_seed.txt").read_text() == "mine"
    (place,) = (tmp_path / "out" / "marks").iterdir()
    place.write_text(json.dumps(json.loads(place.read_text()) | {"points": 30}))
    kept = CliRunner().invoke(main, [*command[:-2], "--resume"])
    assert "Mean 30.0 of 31." in kept.output
    assert ",30,31," in (tmp_path / "out" / "grades.csv").read_text()
    again = CliRunner().invoke(main, command)
    assert "1 marks of an earlier run are replaced" in again.output
    assert "Mean 26.0 of 31." in again.output


def test_the_samples_are_written_to_a_folder_for_their_owner(tmp_path):
    """The command makes the folder of the marks with them; it must not be open to others."""
    before = os.umask(0o022)
    try:
        write_submissions(tmp_path / "grades" / "submissions")
    finally:
        os.umask(before)
    made = [tmp_path / "grades", *(tmp_path / "grades").rglob("*")]
    assert len(made) > 20
    assert [path.name for path in made if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("status", ["graded", "unreadable"])
def test_a_name_cannot_forge_a_row_of_the_summary(capsys, status):
    forged = "eve\n  ada                               7 of 7\x85\u2028x"
    marks = some_marks(forged, 0, status=status) | {"notes": ["a\nb"], "unread": ["y\n.zip"]}
    marks["exercises"][0] |= {"max_points": 31}
    summary.print_summary([marks], "out", each=True)
    told = "".join(capsys.readouterr())
    assert "eve" in told
    assert [line for line in told.splitlines() if line.startswith(("  ada", "b", ".zip"))] == []


@isolated
def test_page_shows_the_code_of_each_answer_folded_and_escaped():
    attack = RIGHT["sharpen"] + "    # </code></pre></details><script>alert(1)</script>\n"
    raw = notebook(IMPORTS, *(RIGHT | {"sharpen": attack, "qkv": "def qkv(X, *W):\n    return 0"}).values())
    marks, _ = worker.grade("eve", {"05": raw.encode()}, [], SETTINGS)
    worker.drop_sandboxes()
    page = feedback.page(marks)
    assert page.count("<details>") == 7
    assert "<details><summary>What was handed in for <code>qkv</code></summary>" in page
    assert "<pre><code>def qkv(X, *W):\n    return 0</code></pre>" in page
    assert "&lt;/details&gt;&lt;script&gt;alert(1)" in page
    assert "<script" not in page
