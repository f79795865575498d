"""Whatever one submission does, its neighbours are marked, and nobody is missing from the table."""

import contextlib
import csv
import io
import json
import lzma
import os
import random
import tracemalloc
import zipfile
import zlib
from datetime import datetime

import pytest
from click.testing import CliRunner

from clearhead.errors import UserError
from clearhead.grading.cli import main
from clearhead.grading.collect import archives, class_folder, naming
from clearhead.grading.commands.example import RIGHT as ANSWERS
from clearhead.grading.commands.example import answers, notebook
from clearhead.grading.run import batch, store
from clearhead.grading.write import outputs
from clearhead.sandbox.isolation import problem
from support.class_archives import CLASSES, OTHER, RIGHT, zipped

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
FUZZ = int(os.environ.get("CLEARHEAD_FUZZ", 60))  # how much noise; `make test-noise` makes 2000


def grade(*arguments):
    """Return what the command `clearhead grade` did."""
    return CliRunner().invoke(main, ["grade", *map(str, arguments)])


def rows(out):
    """Return the rows of the table of marks by student."""
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def write(folder, files):
    """Write contents by place into a folder."""
    for name, content in files.items():
        place = folder / name
        (place if name.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            place.write_bytes(content)
    return folder


# whose it is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_archive", [True, False], ids=["archive", "folder"])
@pytest.mark.parametrize("name", CLASSES)
def test_exported_class_has_one_row_per_person(tmp_path, name, as_archive):
    """A class as platforms export it has one row a person and nobody is missing."""
    files, names, expected = CLASSES[name]
    if as_archive:
        place = tmp_path / "class.zip"
        place.write_bytes(zipped(files))
    else:
        place = write(tmp_path / "class", {path.replace("\\", "/"): files[path] for path in files})
    found = {s.name: s for s in class_folder.find_submissions(place, names)}
    assert {name: len(s.files) for name, s in found.items()} == expected
    for submission in found.values():
        assert submission.files or submission.faults
        assert all(file.read() in (RIGHT, OTHER) for file in submission.files)


@isolated
def test_person_in_two_canvas_sheets_is_one_row(tmp_path):
    """In two sheets of Canvas a person is one row with both."""
    (tmp_path / "class.zip").write_bytes(zipped(CLASSES["canvas, auto"][0]))
    done = grade(tmp_path / "class.zip", "--out", tmp_path / "out", "-j", 1)
    assert done.exit_code == 0, done.output
    table = rows(tmp_path / "out")
    assert set(table) == set(CLASSES["canvas, auto"][2])
    assert table["lovelaceada_4711"]["points"] == table["kingben_4712"]["points"] == "31"
    assert (table["ngcleo_4713"]["status"], table["ngcleo_4713"]["points"]) == ("unreadable", "")
    assert table["ngcleo_4714"]["status"] == "graded"  # one sheet of two was handed in: that can be marked
    assert "notes.pdf" in table["ngcleo_4713"]["notes"]
    assert "ngcleo_4713" in done.stderr


@pytest.mark.parametrize("names", ["no brackets", "(", "[("])
def test_invalid_naming_scheme_is_refused_in_one_sentence(tmp_path, names):
    """A way of naming that is none is refused in one sentence."""
    with pytest.raises(UserError, match="--names"):
        class_folder.find_submissions(write(tmp_path, {"ada.ipynb": RIGHT}), names)


@pytest.mark.parametrize(
    "files",
    [
        {"ada/05_attention.ipynb": RIGHT, "ada/04_soft_dictionary.ipynb": OTHER},
        {"ada/hw/homework.ipynb": RIGHT},
        {"ada/homework.ipynb": RIGHT, "ada/plot.png": b"x"},
    ],
)
def test_single_student_is_not_taken_for_class_folder(tmp_path, files):
    """A class of one is not taken for a folder of the class."""
    assert [s.name for s in class_folder.find_submissions(write(tmp_path, files))] == ["ada"]


def test_marks_and_system_files_are_no_students(tmp_path):
    """Marks inside the folder and files of the system are no students."""
    files = {"ada/05_attention.ipynb": RIGHT, "Thumbs.db": b"x", "desktop.ini": b"x", ".git/x": b""}
    write(tmp_path, files | {"grades/feedback/x.html": b"", "roster.csv": b"ada"})
    found = {s.name: s for s in class_folder.find_submissions(tmp_path, besides=[tmp_path / "grades"])}
    assert set(found) == {"ada", "roster"}
    assert "roster.csv" in found["roster"].faults[0]


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["ada_04_soft_dictionary", "ada_05_attention", "ada-05_attention (1)"], ["ada"]),
        (["hw_05_attention_ada", "hw_05_attention_ben"], ["hw_05_attention_ada", "hw_05_attention_ben"]),
        (["hw_05_attention_4711", "hw_05_attention_12"], ["hw_05_attention_12", "hw_05_attention_4711"]),
        (["05_attention", "05_attention (1)"], ["05_attention", "05_attention (1)"]),
    ],
)
def test_file_names_of_students_are_unique(tmp_path, names, students):
    """A file is called after its student and two of them are never one."""
    write(tmp_path, {f"{name}.ipynb": RIGHT for name in names})
    assert [submission.name for submission in class_folder.find_submissions(tmp_path)] == students


# which file it is ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("older", ["05_attention.ipynb", "05_attention (1).ipynb"])
def test_newest_copy_counts_with_note(tmp_path, older):
    """The newest of several copies counts and a note says which."""
    write(tmp_path, {"ada/05_attention.ipynb": RIGHT, "ada/05_attention (1).ipynb": RIGHT})
    (tmp_path / "ada" / older).write_bytes(OTHER)
    os.utime(tmp_path / "ada" / older, (10**9, 10**9))
    (submission,) = class_folder.find_submissions(tmp_path)
    run = batch.Batch(tmp_path / "out", {"sheets": ["05"], "secret": "s"})
    _, notebooks, faults, *_ = run.task(submission)
    assert notebooks["05"] == RIGHT
    (counted,) = {"05_attention.ipynb", "05_attention (1).ipynb"} - {older}
    assert faults == [f"Of 2 notebooks for sheet 05, only {counted!r} counts."]


def test_notebooks_of_one_submission_have_a_limit_together(tmp_path, monkeypatch):
    """A small archive may expand to gigabytes: the newest hand-ins are read first, then those before them."""
    monkeypatch.setattr(batch, "MAX_BYTES", 2 * len(RIGHT) + 10)
    copies = {
        f"copy{n}/{stem}.ipynb": RIGHT for n in range(3) for stem in ("04_soft_dictionary", "05_attention")
    }
    (tmp_path / "ada.zip").write_bytes(zipped(copies))
    (submission,) = class_folder.find_submissions(tmp_path)
    run = batch.Batch(tmp_path / "out", {"sheets": ["04", "05"], "secret": "s", "every": True})
    _, notebooks, faults, _, earlier = run.task(submission)
    assert notebooks == {"04": RIGHT, "05": RIGHT}
    assert earlier == {"04": [None, None], "05": [None, None]}
    assert sum(batch.TOO_LARGE in fault for fault in faults) == 4


def test_numbered_download_is_newer_at_equal_times(tmp_path):
    """Of two copies of one time the one that a browser numbered is newer."""
    (tmp_path / "ada.zip").write_bytes(zipped({"05_attention (1).ipynb": RIGHT, "05_attention.ipynb": OTHER}))
    (submission,) = class_folder.find_submissions(tmp_path)
    assert submission.notebook_for("05", True).read() == RIGHT


@isolated
def test_a_sheet_that_few_handed_in_is_named(tmp_path):
    files = {f"{name}/05_attention.ipynb": RIGHT for name in "abcd"}
    write(tmp_path / "in", files | {"a/04_soft_dictionary.ipynb": OTHER})
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "-j", 1)
    assert "Sheet 04 is not graded, because only 1 of 4" in done.stderr
    assert "--sheet 04" in done.stderr


@pytest.mark.parametrize("seconds", ["0", "-3", "nan", "inf"])
def test_a_time_in_which_nothing_can_be_right_is_refused(tmp_path, seconds):
    done = grade("--example", "--out", tmp_path, "--timeout", seconds)
    assert done.exit_code == 2
    assert "0.1 to 3600 seconds" in done.stderr


# what cannot be read ---------------------------------------------------------------------------------------


def damaged(method):
    """Return an archive whose list of members is whole and whose data are not."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("05_attention.ipynb", RIGHT)
    raw = bytearray(made.getvalue())
    start = 30 + len("05_attention.ipynb")
    for place in range(start + 4, start + 40):
        raw[place] ^= 0xFF
    return bytes(raw)


@pytest.mark.parametrize(
    ("method", "error"), [(zipfile.ZIP_DEFLATED, zlib.error), (zipfile.ZIP_LZMA, lzma.LZMAError)]
)
def test_the_damage_is_one_that_an_archive_raises_itself(method, error):
    with pytest.raises(error):
        zipfile.ZipFile(io.BytesIO(damaged(method))).read("05_attention.ipynb")


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def written_by(tmp_path, method, content):
    """Return the only file of an archive that a compression method made."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("05_attention.ipynb", content)
    (found,) = archives.members_of(archives.File("a.zip", (tmp_path / "a.zip",)), 60 << 20, 10)
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("content", [b"", b"x", random.Random(1).randbytes(300_000), b"abc" * 500_000])
def test_every_compression_method_is_read_whole(tmp_path, method, content):
    assert written_by(tmp_path, method, content).read() == content
    with pytest.raises(UserError, match="larger than 0 megabytes"):
        written_by(tmp_path, method, content + b"y" * 100).read(99)


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_checksum_is_noticed(tmp_path, method):
    file = written_by(tmp_path, method, b"abc" * 1000)
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    raw[raw.index(b"PK\1\2") + 16] ^= 1
    (tmp_path / "a.zip").write_bytes(raw)
    with pytest.raises(UserError, match="cannot be read"):
        file.read()


@pytest.mark.parametrize("method", METHODS[1:])
def test_an_archive_that_inflates_is_read_up_to_the_limit(tmp_path, method):
    """A kilobyte of bzip2 can hold a gigabyte of zeros, of which no more than the limit is inflated."""
    file = written_by(tmp_path, method, bytes(64 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match="larger than 1 megabytes"):
            file.read(1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_rare_compression_method_is_named(tmp_path):
    file = written_by(tmp_path, zipfile.ZIP_DEFLATED, b"abc" * 1000)
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    raw[raw.index(b"PK\1\2") + 10] = raw[raw.index(b"PK\3\4") + 8] = 9  # Deflate64
    (tmp_path / "a.zip").write_bytes(raw)
    with pytest.raises(UserError, match="compressed by a rare method: save it as an ordinary zip archive"):
        file.read()


def write_broken(folder):
    """Write submissions that cannot be read, each by the name of its student."""
    write(folder, {f"{name}/05_attention.ipynb": RIGHT for name in ("ada", "zoe")})
    broken = {
        "deflate.zip": damaged(zipfile.ZIP_DEFLATED),
        "lzma.zip": damaged(zipfile.ZIP_LZMA),
        "cut.zip": zipped({"05_attention.ipynb": RIGHT})[:-30],
        "half.ipynb": RIGHT[:500],
        "script.py": b"x = 1",
        "latin/05_attention.ipynb": answers().replace("qkv", "q\xe4v").encode("latin-1"),
        "empty/": b"",
    }
    write(folder, broken)
    os.mkdir(os.fsencode(folder) + b"/Zo\xeb")
    (folder / "Zo\udceb" / "05_attention.ipynb").write_bytes(RIGHT)
    return ["deflate", "lzma", "cut", "half", "script", "latin", "empty"]


@isolated
def test_a_broken_submission_is_named_and_its_neighbours_are_marked(tmp_path):
    unreadable = write_broken(tmp_path / "in")
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "--sheet", "05", "-j", 2)
    assert done.exit_code == 0, done.output
    table = rows(tmp_path / "out")
    assert set(table) == {"ada", "zoe", "Zo?", *unreadable}
    for name in ("ada", "zoe", "Zo?"):
        assert (table[name]["status"], table[name]["points"]) == ("graded", "31")
    for name in unreadable:
        assert (table[name]["status"], table[name]["points"]) == ("unreadable", ""), name
        assert table[name]["notes"], name
        assert f"Cannot be read: {name} " in done.stderr
        (page,) = (tmp_path / "out" / "feedback").glob(f"{name}-*.html")
        assert "can be read</strong>: see the notes below" in page.read_text()
    again = grade(tmp_path / "in", "--out", tmp_path / "out", "--sheet", "05", "-j", 2, "--resume")
    assert again.exit_code == 0
    assert json.loads((tmp_path / "out" / "timings.json").read_text()) == []


@isolated
def test_unreadable_sheet_keeps_marks_of_the_other(tmp_path):
    """A sheet of two that cannot be read makes the row unreadable and keeps the other."""
    write(tmp_path / "in", {"ada/05_attention.ipynb": RIGHT, "ada/04_soft_dictionary.ipynb": b"{"})
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "--sheet", "04", "--sheet", "05", "-j", 1)
    row = rows(tmp_path / "out")["ada"]
    assert (row["status"], row["points"], row["05.qkv"]) == ("unreadable", "31", "3")
    assert {value for id, value in row.items() if id.startswith("04.")} == {""}
    assert "Cannot be read: ada" in done.stderr


@isolated
def test_marks_that_cannot_be_written_cost_that_student_alone(tmp_path, monkeypatch):
    page = outputs.feedback.page

    def broken(marks):
        if marks["student"] == "b" and marks["status"] == "graded":
            raise UnicodeEncodeError("utf-8", "x", 0, 1, "no")
        return page(marks)

    monkeypatch.setattr(outputs.feedback, "page", broken)
    write(tmp_path / "in", {f"{name}/05_attention.ipynb": RIGHT for name in "abc"})
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "-j", 1)
    assert done.exit_code == 3
    assert {n: r["status"] for n, r in rows(tmp_path / "out").items()} == {
        "a": "graded",
        "b": "grader_error",
        "c": "graded",
    }


# what nobody reads, and when it came ------------------------------------------------------------------------

NOT_NUMBERED = "soft_dictionary.py"


@pytest.mark.parametrize(
    "given",
    [
        {"HW4.ipynb": OTHER},
        {NOT_NUMBERED: b"x = 1"},
        {"scan.pdf": b"%PDF"},
        {"rest.zip": zipped({NOT_NUMBERED: b"x = 1"})},
        {"rest.zip": zipped({"HW4.ipynb": OTHER})},
        {"rest.zip": b"PK\x03\x04 and no more"},
        {"rest.7z": b"7z"},
        {"all.zip": zipped({"a/05_attention.ipynb": RIGHT, "a/notes.docx": b"x"})},
    ],
    ids=lambda given: str(next(iter(given))),
)
def test_a_sheet_is_unreadable_where_a_file_was_not_read(tmp_path, given):
    files = {f"fay/{name}": content for name, content in given.items()}
    write(tmp_path / "in", files | ({} if "all.zip" in given else {"fay/05_attention.ipynb": RIGHT}))
    (submission,) = class_folder.find_submissions(tmp_path / "in")
    run = batch.Batch(tmp_path / "out", {"sheets": ["04", "05"], "secret": "s"})
    _, notebooks, faults, *_ = run.task(submission)
    assert notebooks == {"04": None, "05": RIGHT}
    assert any(fault.startswith("Not read: ") for fault in faults)
    marks = run.with_files({"student": "fay", "status": "unreadable"})
    assert len(marks["unread"]) == 1
    assert marks["files"]["04"]["name"] == marks["unread"][0].rpartition("/")[2]


def test_files_of_class_edition_do_not_count_as_unread(tmp_path):
    """Files of the class edition and of other sheets are no unread files."""
    given = {
        "AGENTS.md": b"x",
        "README.md": b"x",
        "clearhead-05-report-2.html": b"x",
        "clearhead-0.1.0-py3-none-any.whl": b"x",
        ".git/x": b"x",
    }
    given |= {"05_attention.ipynb": RIGHT, "04_soft_dictionary.ipynb": OTHER, "05 Attention (1).ipynb": RIGHT}
    write(tmp_path, {f"fay/{name}": content for name, content in given.items()})
    (submission,) = class_folder.find_submissions(tmp_path)
    assert submission.unread(["05"]) == submission.unread(["04", "05"]) == []
    assert len(submission.copies_for("05", False)) == 2


def test_number_of_canvas_is_no_sheet_number(tmp_path):
    """A number of Canvas is not taken for that of a sheet."""
    write(tmp_path, {"ada_4711_905_attention.ipynb": RIGHT, "ben_4712_906_05_attention.ipynb": RIGHT})
    ada, ben = class_folder.find_submissions(tmp_path)
    assert (len(ada.copies_for("05", False)), len(ben.copies_for("05", False))) == (0, 1)
    assert ada.unread(["04", "05"]) == ["ada_4711_905_attention.ipynb"]


def test_one_of_two_unnamed_files_is_read(tmp_path):
    """Of two files without a sheets name one is read and the other reported."""
    write(tmp_path, {"fay/old.ipynb": OTHER, "fay/new.ipynb": RIGHT})
    os.utime(tmp_path / "fay" / "old.ipynb", (10**9, 10**9))
    (submission,) = class_folder.find_submissions(tmp_path)
    assert submission.notebook_for("05", True).path == "new.ipynb"
    assert submission.unread(["05"]) == ["old.ipynb"]


@isolated
def test_unread_files_are_reported_in_terminal_and_table(tmp_path):
    """What was not read is reported in the terminal and the table."""
    write(tmp_path / "in", {"fay/05_attention.ipynb": RIGHT, "fay/HW4.ipynb": OTHER})
    write(tmp_path / "in", {"ben/05_attention.ipynb": RIGHT, "ben/04_soft_dictionary.ipynb": OTHER})
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "-j", 1)
    assert "Needs a look: fay. Not read: 'HW4.ipynb'." in done.stderr
    table = rows(tmp_path / "out")
    assert "Not read: 'HW4.ipynb'." in table["fay"]["notes"]
    assert (table["fay"]["points"], table["fay"]["max points"]) == ("31", "31")
    assert table["fay"]["notes"].startswith("Sheet 04 could not be read, so only sheet 05 counts.")
    assert "  31 of 31  without sheet 04, which could not be read" in done.output


def test_submission_time_is_time_of_archive(tmp_path):
    """The time of a hand in is that of its archive."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(zipfile.ZipInfo("05_attention.ipynb", (2020, 1, 1, 0, 0, 0)), OTHER)
        archive.writestr(zipfile.ZipInfo("05_attention (1).ipynb", (2020, 1, 2, 0, 0, 0)), RIGHT)
    outer = zipped({"deep.zip": inner.getvalue()})
    files = {f"{name}_LATE_471{n}_900_hw.zip": outer for n, name in enumerate(["eve", "ben"])}
    place = tmp_path / "class.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 10, 18, 12, 0, 0)), content)
    for submission in class_folder.find_submissions(place):
        times = {file.time for file in submission.files}
        assert times == {datetime(2026, 10, 18, 12).timestamp() // 2}
        assert all(file.late for file in submission.files)
        assert submission.notebook_for("05", True).read() == RIGHT  # its own times order its copies


def test_a_notebook_of_marimo_is_unreadable_with_the_way_out(tmp_path):
    script = b"import marimo\n\napp = marimo.App()\n\n@app.cell\ndef _():\n    x = 1\n    return\n"
    write(tmp_path, {"ada/05_attention.py": script})
    (submission,) = class_folder.find_submissions(tmp_path)
    _, notebooks, faults, *_ = batch.Batch(tmp_path / "out", {"sheets": ["05"], "secret": "s"}).task(
        submission
    )
    assert (notebooks, "marimo export ipynb" in faults[0]) == ({"05": None}, True)


def test_a_notebook_that_is_too_large_says_what_to_do(tmp_path):
    (tmp_path / "large.ipynb").write_bytes(b"x" * 11)
    (tmp_path / "class.zip").write_bytes(zipped({"large.ipynb": b"x" * 11}))
    for source in ((tmp_path / "large.ipynb",), (tmp_path / "class.zip", "large.ipynb")):
        with pytest.raises(UserError, match=r"clear the outputs of the notebook and hand it in again"):
            class_folder.File("large.ipynb", source).read(most=10)


def without_flag(files, coding):
    """Return an archive whose tool wrote names in an encoding without saying which."""
    placeholders = {b"%c" % (65 + n) * len(name.encode(coding)): name for n, name in enumerate(files)}
    raw = zipped({held.decode(): files[name] for held, name in placeholders.items()})
    for held, name in placeholders.items():
        raw = raw.replace(held, name.encode(coding))
    return raw


@pytest.mark.parametrize("inside", [True, False], ids=["class", "submission"])
def test_names_in_unflagged_utf_8_are_read(tmp_path, inside):
    files = {f"{name}/05_attention.ipynb": RIGHT for name in ("José_Núñez", "Zoë", "张伟", "ada")}
    if inside:
        (tmp_path / "class.zip").write_bytes(without_flag(files, "utf-8"))
        found = class_folder.find_submissions(tmp_path / "class.zip")
        assert {s.name for s in found} == {name.partition("/")[0] for name in files}
        assert all(s.notebook_for("05", True).read() == RIGHT and not s.faults for s in found)
        return
    (tmp_path / "ada.zip").write_bytes(without_flag({"hw/Lösung 05_attention.ipynb": RIGHT}, "utf-8"))
    (submission,) = class_folder.find_submissions(tmp_path)
    assert submission.files[0].path == "hw/Lösung 05_attention.ipynb"
    assert submission.files[0].read() == RIGHT


def test_names_in_another_encoding_are_told_and_read(tmp_path):
    files = {f"{name}/05_attention.ipynb": RIGHT for name in ("Zoë", "ada")}
    (tmp_path / "class.zip").write_bytes(without_flag(files, "latin-1"))
    zoe, ada = class_folder.find_submissions(tmp_path / "class.zip")
    assert (ada.faults, zoe.faults) == ((), (naming.NOT_UTF_8,))
    assert zoe.notebook_for("05", True).read() == RIGHT
    assert zoe.origin.as_data()["note"] == naming.NOT_UTF_8  # it is what a term reads


def test_two_names_that_are_not_utf_8_are_two_rows(tmp_path):
    for raw in (b"Zo\xeb", b"Zo\xe9"):
        os.mkdir(os.fsencode(tmp_path) + b"/" + raw)
        with open(os.fsencode(tmp_path) + b"/" + raw + b"/05_attention.ipynb", "wb") as file:
            file.write(RIGHT)
    found = class_folder.find_submissions(tmp_path)
    assert len({submission.name for submission in found}) == 2
    assert all(submission.faults == (naming.NOT_UTF_8,) for submission in found)


def test_names_of_files_hold_the_whole_hash_of_a_student():
    one, other = "mallory ..,,,..,,,,..,,,....", "mallory ,,,,.,..,,,,....,..."  # 32 bits of theirs agree
    assert store.file_name(one)[:16] == store.file_name(other)[:16]
    assert store.file_name(one) != store.file_name(other)


# noise -----------------------------------------------------------------------------------------------------

ALPHABETS = ("abcXYZ019 .-_", "äöüßéñ", "张伟日本", "\u202e\u200b\ufeff", "=+-@|%'\"<&>", "\t\n\x1b\x7f")


def noisy_name(rng, number):
    """Return a name, as bytes, in some encoding, unlike all others."""
    text = "".join(rng.choice(rng.choice(ALPHABETS)) for _ in range(rng.randrange(1, 12)))
    coding = rng.choice(["utf-8", "utf-8", "latin-1", "cp437", "utf-16-le", "shift-jis"])
    return f"{number:04}".encode() + text.encode(coding, "replace").replace(b"/", b"").replace(b"\0", b"")


def noise(rng, raw):
    """Return bytes with some of them flipped, cut, doubled or put in."""
    raw = bytearray(raw)
    for _ in range(rng.choice([1, 1, 3, 20])):
        place = rng.randrange(len(raw)) if raw else 0
        action = rng.randrange(5)
        if action == 0 and raw:
            raw[place] ^= 1 << rng.randrange(8)
        elif action == 1:
            del raw[place:]
        elif action == 2:
            del raw[place : place + rng.randrange(1, 200)]
        elif action == 3:
            raw[place:place] = raw[place : place + 100]
        else:
            raw[place:place] = rng.randbytes(rng.randrange(1, 30))
    return bytes(raw)


def noisy_submission(rng):
    """Return the end of a file's name and its content: a notebook or an archive, damaged."""
    text = notebook("import numpy as np", ANSWERS["qkv"]).encode()
    if rng.random() < 0.4:
        return b".ipynb", noise(rng, text)
    methods = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", rng.choice(methods)) as archive:
        inner = noisy_name(rng, 0).decode("cp437")
        archive.writestr(rng.choice(["05_attention.ipynb", f"{inner}/05_attention.ipynb", inner, "x/"]), text)
        archive.writestr("readme.md", "x")
    return b".zip", noise(rng, made.getvalue())


def write_noise(folder, count, seed):
    """Write that many damaged submissions, beside two that are right."""
    write(folder, {"ada/05_attention.ipynb": RIGHT, "zoe/05_attention.ipynb": RIGHT})
    rng = random.Random(seed)
    for number in range(count):
        suffix, raw = noisy_submission(rng)
        name = noisy_name(rng, number)
        with open(os.fsencode(folder) + b"/" + name + suffix, "wb") as file:
            file.write(raw)


@isolated
def test_noise_ends_no_run_and_loses_no_student(tmp_path):
    write_noise(tmp_path / "in", FUZZ, seed=FUZZ)
    options = ["--sheet", "05", "-j", 2, "--seed", "s", "--timeout", 1]
    done = grade(tmp_path / "in", "--out", tmp_path / "out", *options)
    assert done.exit_code == 0, done.output[-2000:]
    marks = json.loads((tmp_path / "out" / "grades.json").read_text())
    assert len(marks) == FUZZ + 2
    assert {m["status"] for m in marks} <= {"graded", "unreadable"}
    assert {m["student"] for m in marks if m.get("points") == 31} == {"ada", "zoe"}
    assert {m["student"][:4] for m in marks} >= {f"{number:04}" for number in range(FUZZ)}
    assert len(list((tmp_path / "out" / "feedback").iterdir())) == FUZZ + 2
    with open(tmp_path / "out" / "grades.csv", newline="", encoding="utf-8-sig") as file:
        assert len(list(csv.reader(file))) == FUZZ + 3
    before = {name: (tmp_path / "out" / name).read_bytes() for name in ("grades.csv", "grades.json")}
    for place in sorted((tmp_path / "out" / "marks").iterdir())[::9]:
        place.unlink()
    assert grade(tmp_path / "in", "--out", tmp_path / "out", *options, "--resume").exit_code == 0
    assert len(json.loads((tmp_path / "out" / "timings.json").read_text())) == len(range(0, FUZZ + 2, 9))
    assert before == {name: (tmp_path / "out" / name).read_bytes() for name in before}


def test_names_in_any_encoding_have_own_rows(tmp_path):
    """Names in any encoding are rows of their own in the archive of a class."""
    rng = random.Random(2)
    names = [noisy_name(rng, number).decode("cp437") for number in range(FUZZ)]
    (tmp_path / "class.zip").write_bytes(zipped({f"{name}/05_attention.ipynb": RIGHT for name in names}))
    found = class_folder.find_submissions(tmp_path / "class.zip")
    assert [submission.name[:4] for submission in found] == [f"{number:04}" for number in range(FUZZ)]
    assert all(file.read() == RIGHT for submission in found for file in submission.files)
    assert all(len(submission.files) == 1 for submission in found)


def test_a_class_archive_that_is_noise_is_read_or_refused(tmp_path):
    rng = random.Random(1)
    whole = zipped({f"{name}/05_attention.ipynb": RIGHT for name in "abc"})
    for _ in range(FUZZ):
        (tmp_path / "class.zip").write_bytes(noise(rng, whole))
        with contextlib.suppress(UserError):
            for submission in class_folder.find_submissions(tmp_path / "class.zip"):
                for file in submission.files:
                    with contextlib.suppress(UserError):
                        file.read()


def tree_of(content, wide, deep, filler):
    """Return an archive of archives, as many in each as `wide`, with a notebook in each of the innermost."""
    if not deep:
        return zipped({"05_attention.ipynb": content, "filler.txt": filler})
    inner = tree_of(content, wide, deep - 1, filler)
    return zipped({f"{number}.zip": inner for number in range(wide)} | {"filler.txt": filler})


@pytest.mark.parametrize(("wide", "deep"), [(5, 2), (6, 1), (30, 1), (2, 2)])
@pytest.mark.parametrize("whole_class", [False, True])
def test_archives_in_archives_are_opened_five_times_in_all(tmp_path, monkeypatch, wide, deep, whole_class):
    """The archives of all depths count together, and none is inflated for each of its files again."""
    attack = tree_of(RIGHT, wide, deep, bytes(1 << 20))
    (tmp_path / "in").mkdir()
    place = tmp_path / "in" / ("class.zip" if whole_class else "ada.zip")
    place.write_bytes(
        zipped({"ada/hw.zip": attack, "ben/05_attention.ipynb": RIGHT}) if whole_class else attack
    )
    inflated, before = [], archives._read_member
    monkeypatch.setattr(archives, "_read_member", lambda *given: inflated.append(1) or before(*given))
    found = {s.name: s for s in class_folder.find_submissions(place if whole_class else tmp_path / "in")}
    assert "more than 5 archives inside other archives" in " ".join(found["ada"].faults)
    assert all(file.read() == RIGHT for each in found.values() for file in each.files)
    assert len(inflated) < 25


def test_archives_in_archives_share_one_sum_of_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(archives.RemainingLimits, "inflated", 1 << 20)
    inner = zipped({"05_attention.ipynb": RIGHT}) + bytes(400_000)
    content = zipped({f"{number}.zip": os.urandom(400_000) + inner for number in range(4)})
    (tmp_path / "ada.zip").write_bytes(content)
    monkeypatch.setattr(archives.RemainingLimits.__init__, "__defaults__", (5, 1 << 20))
    (ada,) = class_folder.find_submissions(tmp_path)
    assert "more than 1 megabytes together" in " ".join(ada.faults)
    assert len(ada.files) <= 1


def test_nested_archive_is_inflated_once(tmp_path, monkeypatch):
    """An archive in an archive is inflated once for its files."""
    inner = zipped({f"{number:02}_x.ipynb": RIGHT for number in range(40)})
    (tmp_path / "ada.zip").write_bytes(zipped({"a.zip": inner}))
    (ada,) = class_folder.find_submissions(tmp_path)
    read, before = [], archives._read_member
    monkeypatch.setattr(
        archives, "_read_member", lambda archive, name, most: read.append(name) or before(archive, name, most)
    )
    assert [file.read() for file in ada.files] == [RIGHT] * 40
    assert read.count("a.zip") <= 1


@isolated
def test_files_of_withdrawn_submission_are_archived_and_named(tmp_path):
    """Files of a hand in that is gone are moved and named."""
    write(tmp_path / "in", {f"{name}/05_attention.ipynb": RIGHT for name in ("ada", "ben")})
    out = tmp_path / "out"
    grade(tmp_path / "in", "--out", out, "-j", 1)
    (tmp_path / "in" / "ben").rename(tmp_path / "in" / "ben king")
    done = grade(tmp_path / "in", "--out", out, "-j", 1, "--resume")
    assert "3 files of an earlier run were not replaced by this one. They were moved to" in done.stderr
    assert f"feedback/{store.file_name('ben')}.html" in done.stderr
    for kind in ("feedback/*.html", "gradescope/*", "similarity/05/*.py"):
        assert len(list(out.glob(kind))) == 2, kind
        assert len(list(out.glob(f"earlier/*/{kind}"))) == 1, kind
    assert (out / "earlier").stat().st_mode & 0o077 == 0
    assert "left here" not in grade(tmp_path / "in", "--out", out, "-j", 1, "--resume").stderr
