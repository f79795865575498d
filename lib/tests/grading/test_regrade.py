"""Mark one student or one exercise again: what changes is shown, all else stays."""

import csv
import json

import pytest

from clearhead.grading.commands.example import answers
from clearhead.grading.commands.regrade import _put, log, merged
from clearhead.grading.run import batch, store
from clearhead.sandbox.isolation import problem
from support.command_line import clearhead, rows

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")


def _place(out, student):
    return out / "marks" / f"{store.file_name(student)}.json"


def _change(out, student, id, points):
    """Write other points into kept marks, as a check that was wrong once would have."""
    marks = json.loads(_place(out, student).read_text())
    for row in marks["exercises"]:
        row["points"] = points if row["id"] == id else row["points"]
    marks["points"] = sum(row["points"] for row in marks["exercises"])
    _place(out, student).write_text(json.dumps(marks))


@pytest.fixture
def graded(tmp_path):
    """Return a class of two with its marks."""
    for student, text in {"ada": answers(), "ben": answers(sharpen=None)}.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "05_attention.ipynb").write_text(text)
    done = clearhead("grade", tmp_path / "class", "--out", tmp_path / "out", "-j", 1)
    assert done.exit_code == 0, done.output
    return tmp_path


@isolated
def test_regrade_of_one_exercise_shows_changes(graded):
    """One exercise is marked again for all and the change is shown."""
    whole = _place(graded / "out", "ada").read_text()
    _change(graded / "out", "ada", "05.sharpen", 0)
    (graded / "out" / "roster.csv").write_text("name,id\nAda Lovelace,ada\nBen King,ben\n")
    clearhead("gradebook", graded / "out")
    done = clearhead(
        "regrade", graded / "class", "--out", graded / "out", "--exercise", "05.sharpen", "-j", 1
    )
    assert done.exit_code == 0, done.output
    assert "  ada: 26 -> 31 points: 05.sharpen 0 -> 5\n" in done.output
    assert "2 marked again, 1 of them with new points." in done.output
    assert "  Ada Lovelace (ada), sheet 05: 26 -> 31\n" in done.output
    assert _place(graded / "out", "ada").read_text() == whole
    assert rows(graded / "out" / "grades.csv")["ada"]["points"] == "31"
    assert rows(graded / "out" / "gradebook" / "gradebook.csv")["Ada Lovelace"]["05"] == "31"
    assert json.loads((graded / "out" / "timings.json").read_text())


@isolated
def test_other_exercises_and_other_students_stay_as_they_are(graded):
    for student in ("ada", "ben"):
        _change(graded / "out", student, "05.qkv", 1)
        _change(graded / "out", student, "05.attention_row", 0)
    done = clearhead(
        "regrade", graded / "class", "--out", graded / "out", "--student", "ben", "--exercise", "05.qkv"
    )
    assert "  ben: 19 -> 21 points: 05.qkv 1 -> 3\n" in done.output
    assert "ada" not in done.output
    table = rows(graded / "out" / "grades.csv")
    assert [table["ben"][f"05.{name}"] for name in ("qkv", "attention_row")] == ["3", "0"]
    assert [table["ada"][f"05.{name}"] for name in ("qkv", "attention_row")] == ["1", "0"]
    done = clearhead("regrade", graded / "class", "--out", graded / "out", "--student", "ben")
    assert "05.attention_row 0 -> 5" in done.output


@isolated
def test_what_cannot_be_marked_again_is_said_in_a_sentence(graded):
    def said(*arguments, out=graded / "out"):
        done = clearhead("regrade", graded / "class", "--out", out, *arguments)
        assert done.exit_code in (1, 2)
        return done.output

    assert "Give --student NAME, --exercise ID, or both" in said()
    assert "There is no submission of 'cleo'; there are ada, ben." in said("--student", "cleo")
    assert "did you mean '05.sharpen'?" in said("--exercise", "05.sharpn")
    said_of = said("--exercise", "04.soft_lookup")
    assert "The sheet of 04.soft_lookup was not graded; graded sheets: 05." in said_of
    (graded / "none").mkdir()
    assert "none lacks marks, or the secret" in said("--student", "ada", out=graded / "none")
    (graded / "out" / "secret_seed.txt").write_text("another")
    assert "with another secret" in said("--student", "ada")


@isolated
def test_regrade_shows_marks_and_appends_to_appeals(graded):
    """Old and new marks are shown and the record of appeals grows."""
    (graded / "out" / "roster.csv").write_text(
        'name,id\n"D\'Arcy, Renée",ada\nBen King,ben\n', encoding="utf-8"
    )
    _change(graded / "out", "ada", "05.sharpen", 0)
    common = ["regrade", graded / "class", "--out", graded / "out", "-j", 1]
    done = clearhead(
        *common, "--student", "Renée D'Arcy", "--exercise", "5.sharpen", "--reason", "=appeal, in time"
    )
    assert "  ada: 26 -> 31 points: 05.sharpen 0 -> 5\n" in done.output, done.output
    before = (graded / "out" / "appeals.csv").read_bytes()
    done = clearhead(*common, "--exercise", "05.qkv")
    assert "  ada: 31 -> 31 points, no change\n  ben: 26 -> 26 points, no change\n" in done.output
    after = (graded / "out" / "appeals.csv").read_bytes()
    assert after.startswith(before)
    assert (graded / "out" / "appeals.csv").stat().st_mode & 0o077 == 0
    with open(graded / "out" / "appeals.csv", newline="", encoding="utf-8-sig") as file:
        record = [*csv.DictReader(file)]
    shown = [
        (r["student"], r["exercises"], r["reason"], r["before"], r["after"], r["changed"]) for r in record
    ]
    assert shown == [
        ("ada", "05.sharpen", "'=appeal, in time", "26", "31", "05.sharpen 0 -> 5"),
        ("ada", "05.qkv", "", "31", "31", ""),
        ("ben", "05.qkv", "", "26", "26", ""),
    ]
    assert all(len(r["SHA-256 of the files"]) == 64 and r["time"] for r in record)


@isolated
def test_regrade_reads_no_file_that_grade_did_not_read(tmp_path):
    """A file without the name of a sheet may be any sheet, also where only one exercise is marked again."""
    for student, names in {
        "ada": ("04_soft_dictionary", "05_attention"),
        "ben": ("04_soft_dictionary", "x"),
    }.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        for name in names:
            (tmp_path / "class" / student / f"{name}.ipynb").write_text(answers())
    common = [tmp_path / "class", "--out", tmp_path / "out", "-j", 1]
    clearhead("grade", *common)
    before = {student: _place(tmp_path / "out", student).read_text() for student in ("ada", "ben")}
    done = clearhead("regrade", *common, "--exercise", "05.sharpen")
    assert "  ada: 31 -> 31 points, no change\n  ben: 0 -> 0 points, no change\n" in done.output, done.output
    assert before == {student: _place(tmp_path / "out", student).read_text() for student in before}
    assert rows(tmp_path / "out" / "grades.csv")["ben"]["status"] == "unreadable"


@isolated
def test_new_student_is_marked_and_joins_class(graded):
    """A student who is new is marked and belongs to the class."""
    (graded / "class" / "cleo").mkdir()
    (graded / "class" / "cleo" / "05_attention.ipynb").write_text(answers())
    clearhead("regrade", graded / "class", "--out", graded / "out", "--student", "cleo", "-j", 1)
    assert "earlier run" not in clearhead("gradebook", graded / "out").stderr
    assert rows(graded / "out" / "gradebook" / "gradebook.csv")["cleo"]["05"] == "31"


def test_the_record_of_appeals_keeps_whatever_is_in_it(tmp_path):
    (tmp_path / "appeals.csv").write_bytes(b"\xffnot a table")
    log(tmp_path / "appeals.csv", [["a", "b"]])
    assert (tmp_path / "appeals.csv").read_bytes() == b"\xffnot a table\na,b\n"


def test_changed_file_gets_new_marks_for_whole_sheet():
    """Of a file that changed all of its sheet is new."""

    def marks(sha256, qkv, sharpen):
        told = [{"id": "05.qkv", "points": qkv, "max_points": 3, "status": "passed"}]
        told += [{"id": "05.sharpen", "points": sharpen, "max_points": 5, "status": "passed"}]
        told += [{"id": "04.lookup", "points": 1, "max_points": 1, "status": "passed"}]
        return {"exercises": told, "files": {"05": {"sha256": sha256}}, "status": "graded", "sha256": "x"}

    same = merged(marks("a", 0, 0), marks("a", 3, 5), ["05.sharpen"])
    assert ([row["points"] for row in same["exercises"]], same["sha256"]) == ([0, 5, 1], "x")
    other = merged(marks("a", 0, 0), marks("b", 3, 5), ["05.sharpen"])
    assert ([row["points"] for row in other["exercises"]], other["sha256"]) == ([3, 5, 1], "")


def test_why_nobody_was_marked_again_is_one_harmless_line(tmp_path, capsys):
    new = {
        "student": "eve",
        "status": "grader_error",
        "notes": ["\x1b[2J\n  ada: 0 -> 31 points", "x" * 5000],
    }
    told = _put(batch.Batch(tmp_path, {"sheets": ["05"], "secret": "s"}), new, [])[3]
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert len(told) < 1100
    assert "\x1b" not in shown + told
