"""A term: whose a hand-in is, what counts by the rules, and files that other programs import."""

import csv
import json
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearhead import files
from clearhead.errors import UserError
from clearhead.grading.gradebook import csv_reader, exports, manual_grades, roster
from clearhead.grading.gradebook.policy import Policy
from clearhead.grading.gradebook.roster import Person
from clearhead.grading.run import store
from clearhead.grading.write import gradescope
from support.command_line import clearhead, row, rows
from support.places import ROOT

POINTS = {"05": {"05.qkv": 3, "05.sharpen": 5}, "04": {"04.lookup": 4}}
DUE = "2026-10-12T18:00:00+00:00"
LATE = "2026-10-14T12:00:00+00:00"  # two days have begun


def put(folder, student, sheets, status="graded", earlier=()):
    """Write the marks of a submission, as `clearhead grade` does, from times and points by sheet."""
    told = {number: [row(id, points, POINTS[number].get(id, 5)) for id, points in by_id.items()]
            for number, (_, by_id) in sheets.items()}  # fmt: skip
    files = {n: {"name": f"{n}.ipynb", "sha256": "a" * 64, "time": time} for n, (time, _) in sheets.items()}
    marks = {"student": student, "status": status, "notes": [], "files": files}
    marks |= {"exercises": [row for rows in told.values() for row in rows]}
    if earlier:
        number, time, by_id = earlier
        before = [row(id, points, POINTS[number].get(id, 5)) for id, points in by_id.items()]
        file = {"name": "first.ipynb", "sha256": "b" * 64, "time": time}
        marks["earlier"] = {number: [{"exercises": before, "notes": [], "file": file}]}
    place = Path(folder) / "marks" / f"{store.file_name(student)}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(marks))


@pytest.fixture
def graded(tmp_path):
    """Return a folder with the marks of ada (in time), ben (late) and a hand-in of nobody's."""
    put(tmp_path, "ada", {"05": (DUE, {"05.qkv": 3, "05.sharpen": 5})})
    put(tmp_path, "Ben King_4712", {"05": (LATE, {"05.qkv": 3, "05.sharpen": 0})})
    put(tmp_path, "xyz", {"05": (DUE, {"05.qkv": 0, "05.sharpen": 0})})
    (tmp_path / "roster.csv").write_text("name,id,email\nAda Lovelace,1,ada@x.org\nBen King,2,\nCleo Ng,3,\n")
    return tmp_path


POLICY = '[late]\nper_day = 10\n[sheets.05]\ndue = 2026-10-12T18:00:00\nname = "Homework 5 (991)"\n'


# lists of a class ------------------------------------------------------------------------------------------

LIST = 'Student;ID;SIS User ID;SIS Login ID;Section\n"Lovelace, Ada";11;s1;ada@x.org;A\n"Ng, Zoë";12;s2;;B\n'


@pytest.mark.parametrize(
    "raw",
    [
        LIST.encode(),
        LIST.encode("utf-8-sig"),
        LIST.encode("utf-16"),  # with its mark, as Excel's "Unicode text"
        LIST.replace(";", "\t").encode("utf-16"),
        LIST.replace(";", ",").encode(),
        LIST.replace("\n", "\r\n").encode(),
        b"sep=;\n" + LIST.encode(),
        b"\n\n" + LIST.encode() + b";;;;\n\n",
        LIST.replace("A\n", "A\n    Points Possible;;;;\nStudent, Test;99;;;A\n", 1).encode(),
    ],
    ids=["plain", "mark", "utf-16", "tabs", "commas", "windows", "sep", "blank", "canvas"],
)
def test_a_list_is_read_however_a_spreadsheet_wrote_it(tmp_path, raw):
    (tmp_path / "r.csv").write_bytes(raw)
    persons, notes = roster.read(tmp_path / "r.csv")
    assert [(p.name, p.id, p.canvas, p.section) for p in persons] == [
        ("Lovelace, Ada", "s1", "11", "A"),
        ("Ng, Zoë", "s2", "12", "B"),
    ]
    assert notes == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("fruit,colour\napple,red\n", "no column is called name, id or email"),
        ("name,id\nLovelace, Ada,1\n", "line 2: it has 3 cells, but the table has 2 columns.*quotes"),
        ("name,id\nAda,1\nBen,1\n", "lines 2 and 3: two people have the id '1'"),
        ("name,email\nAda,a@x\nBen,A@X\n", "two people have the email"),
        ("name\nAda\nBen\nAda Q\n", None),
        ("name,section\nAda,A\nAda,B\n", "nothing else to tell them apart"),
        ("name,id,section\n,,B\n", "line 2: it has neither a name"),
        ('name,id\n"Ada,1\n', "line"),
        ("name,id\nAda\0,1\n", "not a text file"),
    ],
)
def test_senseless_roster_is_refused_with_line(tmp_path, text, said):
    """A list that makes no sense is refused with its line."""
    (tmp_path / "r.csv").write_text(text)
    if said is None:
        assert len(roster.read(tmp_path / "r.csv")[0]) == 3
        return
    with pytest.raises(UserError, match=said):
        roster.read(tmp_path / "r.csv")


def test_latin_1_and_workbook_are_refused_with_remedy(tmp_path):
    """Latin 1 and a workbook are refused with the way out."""
    (tmp_path / "r.csv").write_bytes("name\nZoë\n".encode("latin-1"))
    with pytest.raises(UserError, match="CSV UTF-8"):
        csv_reader.read(tmp_path / "r.csv")
    (tmp_path / "r.csv").write_bytes(b"PK\x03\x04abc")
    with pytest.raises(UserError, match="save the table as CSV"):
        csv_reader.read(tmp_path / "r.csv")


def test_duplicate_roster_row_counts_once_and_is_reported(tmp_path):
    """A row that is there twice counts once and is reported."""
    (tmp_path / "r.csv").write_text("name,id\nAda,1\nAda,1\n")
    persons, notes = roster.read(tmp_path / "r.csv")
    assert [p.name for p in persons] == ["Ada"]
    assert "line 3: 'Ada' is there twice" in notes[0]


NOISE = st.binary(max_size=60) | st.text("ab,;\t\"'\n\r \0é=", max_size=80).map(str.encode)
HEADS = st.sampled_from(
    [b"", b"name,id\n", b"name;id\n", b"\xff\xfe", b"\xef\xbb\xbfname\temail\n", b"sep=;\n"]
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HEADS, NOISE)
def test_any_roster_is_read_or_refused_in_sentence(tmp_path, head, noise):
    """Whatever a list holds it is read or refused in a sentence."""
    (tmp_path / "r.csv").write_bytes(head + noise)
    try:
        persons, _ = roster.read(tmp_path / "r.csv")
    except UserError:
        return
    assert all(person.name and person.key for person in persons)
    assert len({person.key.casefold() for person in persons}) == len(persons)


CLASS = [
    Person("Lovelace, Ada", "s1", "ada.l@x.org", "alove", "4711", "Participant 88"),
    Person("Ben King", "s2", "ben@x.org"),
    Person("Ben King", "s3", "bk@x.org", canvas="4713"),
    Person("Zoë Ng", "s4", "ben@y.org"),
]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("ada.l@x.org", ["s1"]),
        ("ada.l", ["s1"]),  # the part before the @
        ("ALOVE", ["s1"]),
        ("lovelaceada_4711", ["s1"]),  # Canvas
        ("Ada Lovelace_88", ["s1"]),  # Moodle
        ("curie_05_attention", []),
        ("s4_05_attention", ["s4"]),
        ("zoe ng 05_attention (1)", ["s4"]),
        ("Ben King", ["s2", "s3"]),
        ("Ben King_4713", ["s3"]),
        ("Ben King_9999", ["s2", "s3"]),
        ("Ada_4711", ["s1"]),  # a part of the name, and the number
        ("ben", ["s2", "s4"]),
        ("Zoe Ng_4711", ["s4", "s1"]),  # the name is one person's, the number another's
        ("Ada Lovelace, Zoe Ng (submission_7)", []),  # a display name; only the export can tell of a group
        ("05_attention", []),
        ("submission_1", []),
    ],
)
def test_a_hand_in_is_the_one_persons_that_it_fits(name, ids):
    fit = roster.owners(CLASS, [name])[name]
    assert roster.owners(CLASS, ["Eve_4711"])["Eve_4711"].note  # a number alone, under another name
    assert ([person.id for person in fit.persons], bool(fit.note)) == (ids, len(ids) != 1)


@pytest.mark.parametrize(
    "head",
    [
        "Nachname;Vorname;Matrikelnummer;E-Mail-Adresse;Gruppe",
        "Name;Vorname;Matrikel-Nr.;E-Mail;Übungsgruppe",
        "Nom;Prénom;Numéro d'étudiant;Adresse de courriel;Groupe",
        "NOM DE FAMILLE;PRENOM;N° étudiant;Courriel;Groupe",
        "Apellido(s);Nombre;Número de ID;Dirección de correo;Grupo",
        "Cognome;Nome;Matricola;Indirizzo email;Gruppo",
        "Apelido;Nome;Número de aluno;Endereço de e-mail;Turma",
        "Sobrenome;Nome;Matrícula;E-mail;Grupo",
        "Achternaam;Voornaam;Studentnummer;E-mailadres;Groep",
        "Efternamn;Förnamn;Student ID;E-postadress;Grupp",
        "Last name;First name;ID number;Email address;Group",
    ],
)
def test_a_list_with_titles_in_another_language_is_read(tmp_path, head):
    (tmp_path / "r.csv").write_text(
        f"{head}\nMüller;Zoë;17;z@x.org;A\nWei;Li;18;l@x.org;B\n", encoding="utf-8-sig"
    )
    persons, _ = roster.read(tmp_path / "r.csv")
    assert [(p.name, p.first, p.last, p.id, p.email, p.section) for p in persons] == [
        ("Zoë Müller", "Zoë", "Müller", "17", "z@x.org", "A"),
        ("Li Wei", "Li", "Wei", "18", "l@x.org", "B"),
    ]


@pytest.mark.parametrize(
    "head", ["Vollständiger Name", "Nom complet", "Nombre completo", "nome", "Nom", "Naam", "NAME"]
)
def test_a_title_of_the_whole_name_is_known(tmp_path, head):
    (tmp_path / "r.csv").write_text(f"{head},vorname\nZoë Müller,Zoë\n", encoding="utf-8")
    if head != "NAME":
        (tmp_path / "r.csv").write_text(f"{head}\nZoë Müller\n", encoding="utf-8")
    assert [p.name for p in roster.read(tmp_path / "r.csv")[0]] == ["Zoë Müller"]


def test_a_list_with_unknown_titles_says_which_are_known(tmp_path):
    (tmp_path / "r.csv").write_text("vezetéknév,keresztnév\nNagy,Anna\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"known title.*full name.*nachname.*matrikelnummer.*e-mail-adresse"):
        roster.read(tmp_path / "r.csv")


# what counts -----------------------------------------------------------------------------------------------


def test_absent_students_and_unowned_submissions_have_rows(graded):
    """Absent students are rows and a hand in of nobody's is reported and kept."""
    done = clearhead("gradebook", graded)
    assert done.exit_code == 0, done.output
    table = rows(graded / "gradebook" / "gradebook.csv")
    assert set(table) == {"Ada Lovelace", "Ben King", "Cleo Ng", "xyz"}
    assert (table["Cleo Ng"]["05"], table["Cleo Ng"]["needs review"]) == ("0", "05: not handed in")
    assert "'xyz' matches nobody" in table["xyz"]["needs review"]
    assert "'xyz' matches nobody" in done.stderr
    assert table["Ben King"]["submission"] == "Ben King_4712"
    assert len([*(graded / "gradebook" / "feedback").iterdir()]) == 3
    with open(graded / "roster.csv", "a") as file:
        file.write("Xan Yz,xyz,\n")  # corrected: nothing is left of the row and the page without an owner
    assert "matches nobody" not in clearhead("gradebook", graded).stderr
    assert rows(graded / "gradebook" / "gradebook.csv")["Xan Yz"]["submission"] == "xyz"
    assert len([*(graded / "gradebook" / "feedback").iterdir()]) == 3


def test_what_fits_two_is_given_to_neither_and_told(graded):
    (graded / "roster.csv").write_text("name,id,email\nAda A,1,ada@x.org\nAda B,2,ada@y.org\n")
    done = clearhead("gradebook", graded)
    assert "'ada' matches Ada A (1) and Ada B (2) in the list" in done.stderr
    table = rows(graded / "gradebook" / "gradebook.csv")
    assert [table[name]["05"] for name in ("ada", "Ada A", "Ada B")] == ["8", "", ""]
    assert table["Ada B"]["needs review"] == "05: not handed in; 05: perhaps handed in as 'ada'"


def test_moved_deadline_needs_no_marking(graded, monkeypatch):
    """A moved deadline is another run of a function and nothing is marked."""
    import clearhead.grading.mark.worker as worker
    import clearhead.sandbox.sandbox as sandbox

    def never(*_, **__):
        raise AssertionError("a sandbox was started")

    for place, name in ((sandbox, "Sandbox"), (worker, "Sandbox"), (worker, "grade")):
        monkeypatch.setattr(place, name, never)
    before = {path: path.read_bytes() for path in (graded / "marks").iterdir()}
    (graded / "policy.toml").write_text(POLICY)
    clearhead("gradebook", graded)
    late = rows(graded / "gradebook" / "gradebook.csv")["Ben King"]
    assert (late["05"], late["rules"]) == ("2.4", "05: 2 days late, which costs 20 % of the points.")
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert "2 days late, which costs 20 % of the points." in page
    assert "On time, it would have been worth 3 of 8 points." in page
    (graded / "policy.toml").write_text(POLICY.replace("10-12", "10-13"))
    done = clearhead("gradebook", graded)
    assert "  Ben King (2), sheet 05: 2.4 -> 2.7\n" in done.output
    assert rows(graded / "gradebook" / "changes.csv")["Ben King (2)"] == {
        "student": "Ben King (2)", "sheet": "05", "before": "2.4", "after": "2.7"
    }  # fmt: skip
    assert {path: path.read_bytes() for path in (graded / "marks").iterdir()} == before


@pytest.mark.parametrize(
    ("more", "due"),
    [
        ("", "due on Saturday 24 October 2026, 18:00"),
        ('[handed_in]\n"2" = { 05 = 2026-10-25T17:30:00 }\n', "due on Saturday 24 October 2026, 18:00"),
    ],
    ids=["by the file", "by hand"],
)
def test_page_shows_submission_and_due_times_in_course_zone(graded, more, due):
    """A page says when a sheet was handed in and due by the clock of the course."""
    put(graded, "Ben King_4712", {"05": ("2026-10-25T16:30:00+00:00", {"05.qkv": 3, "05.sharpen": 0})})
    rules = 'time_zone = "Europe/Berlin"\n' + POLICY.replace("2026-10-12", "2026-10-24")
    (graded / "policy.toml").write_text(rules + more)
    clearhead("gradebook", graded)
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert f"Handed in on Sunday 25 October 2026, 17:30; {due} (time zone Europe/Berlin)." in page
    assert "2.7 of 8 points. 1 day late, which costs 10 % of the points." in page
    assert "On time, it would have been worth 3 of 8 points." in page
    assert "UTC" not in page
    told = rows(graded / "gradebook" / "receipts.csv")["Ben King"]
    assert told["time"] == "2026-10-25T17:30:00+01:00"
    (graded / "policy.toml").write_text(rules + more + '[extensions]\n"2" = { 05 = 1 }\n')
    clearhead("gradebook", graded)
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert "due, with your extension, on Sunday 25 October 2026, 18:00 (time zone Europe/Berlin)." in page
    assert "late" not in page


@pytest.mark.parametrize(("count", "told"), [(4, False), (5, True)])
def test_page_shows_class_mean_unless_too_few(graded, count, told):
    """A page says the mean of the class unless it would tell the marks of others."""
    (graded / "roster.csv").unlink()
    for path in (graded / "marks").iterdir():
        path.unlink()
    for place in range(count):
        put(graded, f"s{place}", {"05": (DUE, {"05.qkv": 3, "05.sharpen": place})})
    put(graded, "absent", {"04": (DUE, {"04.lookup": 4})})
    clearhead("gradebook", graded)
    page = next((graded / "gradebook" / "feedback").glob("s0-*.html")).read_text()
    said = "Mean of the class: 5.0 of 8 points, over 5 students who handed in."
    assert (said in page, "Mean of the class" in page) == (told, told)


def test_page_shows_weight_of_sheet(graded):
    """A page says how often a sheet counts in the sum."""
    (graded / "policy.toml").write_text(POLICY + "weight = 2\n")
    clearhead("gradebook", graded)
    page = next((graded / "gradebook" / "feedback").glob("1-*.html")).read_text()
    assert "8 of 8 points. It counts 2 times in the total." in page
    assert "<strong>16 of 16 points.</strong>" in page


def test_extension_is_personal_and_unknown_name_is_reported(graded):
    """An extension is for one and a name that is nobody's is reported."""
    (graded / "policy.toml").write_text(POLICY + '[extensions]\n"2" = { 05 = 2 }\nzed = { 05 = 1 }\n')
    done = clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["05"] == "3"
    assert "policy.toml: nobody is called 'zed'" in done.stderr


def test_wrong_file_time_can_be_corrected(graded):
    """The time of a file that is wrong can be said."""
    (graded / "policy.toml").write_text(POLICY + '[handed_in]\n"2" = { 05 = 2026-10-12T17:59:00 }\n')
    clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["05"] == "3"


def test_best_or_last_submission_counts_with_receipts(graded):
    """The best of several hand ins or the last with a receipt for each."""
    put(graded, "ada", {"05": (LATE, {"05.qkv": 3, "05.sharpen": 5})},
        earlier=("05", DUE, {"05.qkv": 3, "05.sharpen": 0}))  # fmt: skip
    strict = POLICY.replace("10\n", "90\n", 1).replace("per_day", "most = 90\nper_day")
    for count, points, says in (("last", "0.8", "Hand-in 2 of 2"), ("best", "3", "Hand-in 1 of 2")):
        (graded / "policy.toml").write_text(f'count = "{count}"\n' + strict)
        clearhead("gradebook", graded)
        ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
        assert ada["05"] == points
        assert says in ada["rules"]
    with open(graded / "gradebook" / "receipts.csv", newline="", encoding="utf-8-sig") as file:
        told = [row for row in csv.DictReader(file) if row["student"] == "Ada Lovelace"]
    assert [(r["file"], r["time"], r["SHA-256"][:1], r["counts"]) for r in told] == [
        ("first.ipynb", DUE, "b", "counts"),
        ("05.ipynb", LATE, "a", ""),
    ]


@pytest.mark.parametrize(("how", "ben", "out_of"), [("full", "8", "8"), ("drop", "3", "3")])
def test_an_exercise_that_is_void_shows_what_changed(graded, how, ben, out_of):
    clearhead("gradebook", graded)
    (graded / "policy.toml").write_text(f'[waived]\n"05.sharpen" = "{how}"\n')
    done = clearhead("gradebook", graded)
    found = rows(graded / "gradebook" / "gradebook.csv")["Ben King"]
    assert (found["05"], found["max points"]) == (ben, out_of)
    assert (
        "Ben King (2), sheet 05: 3 -> 8" if how == "full" else "Ada Lovelace (1), sheet 05: 8 -> 3"
    ) in done.output
    assert list(rows(graded / "gradebook" / "canvas.csv")["    Points Possible"].values())[-1] == out_of


def test_sheets_that_were_graded_apart_are_one_table(graded, tmp_path_factory):
    other = tmp_path_factory.mktemp("sheet 4")
    put(other, "ada@x.org", {"04": (DUE, {"04.soft_lookup": 4})})
    done = clearhead("gradebook", graded, other, "--out", graded / "whole")
    assert done.exit_code == 0, done.output
    ada = rows(graded / "whole" / "gradebook.csv")["Ada Lovelace"]
    assert (ada["05"], ada["04"], ada["total"]) == ("8", "4", "12")
    assert (graded / "whole").stat().st_mode & 0o077 == 0
    assert ada["submission"] == "ada / ada@x.org"


@pytest.mark.parametrize("status", ["unreadable", "grader_error", "unprotected"])
def test_what_needs_a_look_is_no_zero(graded, status):
    put(graded, "ada", {}, status)
    clearhead("gradebook", graded)
    ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
    assert (ada["05"], ada["total"], ada["needs review"]) == ("", "", f"05: {status}")


def test_the_cap_of_follow_through_marks_is_counted_again(graded):
    followed = {"right_helpers": ["qkv"], "status": "passed", "uncapped_points": 5, "cap": 0.6}
    followed |= {"points": 3, "reason": ""}
    sharpen = row("05.sharpen", 3, 5, own_points=0, follow_through=followed, rule="follow-through")
    path = graded / "marks" / f"{store.file_name('ada')}.json"
    marks = json.loads(path.read_text())
    path.write_text(json.dumps(marks | {"exercises": [row("05.qkv", 3, 3), sharpen]}))
    for text, points in (("", "6"), ("[follow_through]\ncap = 20", "4"), ("[follow_through]\ncap = 0", "3")):
        (graded / "policy.toml").write_text(text)
        clearhead("gradebook", graded)
        assert rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["05"] == points


def test_examples_for_instructors_are_read(tmp_path):
    """The examples on the page for instructors are read as they stand."""
    text = (ROOT / "book" / "for_instructors.md").read_text(encoding="utf-8")
    rules, bank, manual = re.findall(r"```toml\n(.*?)```", text, re.S)
    tables = {}
    for titles, lines in re.findall(r"```\n((?:name|student),.*?)\n(.*?)```", text, re.S):
        tables[titles] = tables.get(titles, "") + lines
    (tmp_path / "policy.toml").write_text(rules + manual)
    (tmp_path / "comments.toml").write_text(bank)
    (tmp_path / "roster.csv").write_text("name,student id,email\n" + tables["name,student id,email"])
    head = "student,exercise,points,comment"
    (tmp_path / "manual_grades.csv").write_text(f"{head}\n{tables[head]}")
    put(tmp_path, "ada", {"05": (LATE, {"05.qkv": 3, "05.sharpen": 0})})
    done = clearhead("gradebook", tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    ada = rows(tmp_path / "gradebook" / "gradebook.csv")["Lovelace, Ada"]
    assert (ada["05"], ada["total"], ada["max points"]) == (
        "14.5",
        "29",
        "36",
    )  # 2 given manually, sharpen is waived, 7.5 for the talk, and the sheet counts twice


def test_marks_are_private_in_a_folder_that_was_open_before(graded):
    (graded / "gradebook" / "feedback").mkdir(parents=True)
    (graded / "open").mkdir()
    graded.joinpath("open").chmod(0o755)
    for folder in (graded / "gradebook", graded / "gradebook" / "feedback"):
        folder.chmod(0o755)
    before = os.umask(0)
    try:
        told = [clearhead("gradebook", graded), clearhead("gradebook", graded, "--out", graded / "open")]
        told.append(clearhead("gradebook", graded, "--anonymous"))
    finally:
        os.umask(before)
    assert [done.exit_code for done in told] == [0, 0, 0]
    assert "open existed before, and other users" in told[1].stderr
    assert "existed before" not in told[0].stderr + told[2].stderr
    written = [p for name in ("gradebook", "open", "anonymous") for p in (graded / name).rglob("*")]
    assert len(written) > 20
    assert [p.name for p in written if p.stat().st_mode & 0o077] == []
    assert [graded.joinpath(name).stat().st_mode & 0o777 for name in ("gradebook", "anonymous", "open")] == [
        0o700,
        0o700,
        0o755,
    ]


def test_full_disk_is_reported_and_spoils_no_file(graded, monkeypatch):
    """A full disk is reported in a sentence and spoils no file."""
    assert clearhead("gradebook", graded).exit_code == 0
    before = {p: p.read_bytes() for p in graded.rglob("*") if p.is_file()}
    (graded / "policy.toml").write_text(POLICY)
    write, count = files._write, []

    def full(new, pieces, mode):
        count.append(new)
        write(new, pieces, mode)
        if len(count) > 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_write", full)
    done = clearhead("gradebook", graded)
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert "gradebook.csv: the disk is full. Every file that was written before is whole." in done.stderr
    monkeypatch.undo()
    assert (graded / "gradebook" / "gradebook.csv").read_bytes() == before[
        graded / "gradebook" / "gradebook.csv"
    ]
    assert not [*graded.rglob("*.tmp")]
    assert "changes.csv" not in clearhead("gradebook", graded).stderr
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["05"] == "2.4"


# what lies in the class ------------------------------------------------------------------------------------


def write_submission_list(folder, *students, finished=True):
    """Write the list of the submissions of the last run, as `clearhead grade` does."""
    told = {"finished": finished, "submissions": [{"student": student} for student in students]}
    (folder / "submissions.json").write_text(json.dumps(told))


def test_withdrawn_submission_does_not_count_and_is_reported(graded):
    """A hand in that is gone counts no longer and is reported."""
    write_submission_list(graded, "ada", "Ben King_4712")
    done = clearhead("gradebook", graded)
    assert set(rows(graded / "gradebook" / "gradebook.csv")) == {"Ada Lovelace", "Ben King", "Cleo Ng"}
    assert "if the last run had no such submission. That concerns 1: xyz." in done.stderr


def test_a_person_whose_hand_in_is_gone_needs_a_look(graded):
    write_submission_list(graded, "Ben King_4712")
    clearhead("gradebook", graded)
    ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
    assert ada["05"] == "0"
    assert ada["needs review"] == "05: not handed in; the marks of 'ada' from an earlier run do not count"


def test_folder_renamed_to_id_leaves_no_row(graded):
    """A folder that is renamed to an id leaves no row behind."""
    (graded / "roster.csv").write_text("name,id\nLi Wei,4704\nLi Wei,4705\n")
    put(graded, "Li Wei", {"05": (DUE, {"05.qkv": 3})})
    write_submission_list(graded, "Li Wei")
    clearhead("gradebook", graded)
    assert len(rows(graded / "gradebook" / "gradebook.csv")) == 1  # by name: all three are called so
    put(graded, "4705", {"05": (DUE, {"05.qkv": 3})})
    write_submission_list(graded, "4705")
    (graded / "manual_grades.csv").write_text("student,exercise,points\n4705,05.qkv,2\n")
    assert clearhead("gradebook", graded).exit_code == 0
    with open(graded / "gradebook" / "gradebook.csv", newline="", encoding="utf-8-sig") as file:
        assert [(r["id"], r["05"]) for r in csv.DictReader(file)] == [("4704", "0"), ("4705", "2")]


def test_leftovers_of_earlier_run_are_archived(graded):
    """Pages and exports of an earlier term are moved and named."""
    clearhead("gradebook", graded)
    (graded / "roster.csv").unlink()
    done = clearhead("gradebook", graded)
    assert "were not replaced by this one" in done.stderr
    assert "canvas.csv" in done.stderr
    assert not (graded / "gradebook" / "canvas.csv").exists()
    assert len(list(graded.glob("gradebook/earlier/*/*.csv"))) == 2
    assert len(list(graded.glob("gradebook/earlier/*/feedback/1-*.html"))) == 1
    assert not list(graded.glob("gradebook/feedback/1-*.html"))


def test_a_hand_in_without_marks_yet_is_no_zero(graded):
    write_submission_list(graded, "ada", "Ben King_4712", "3", finished=False)
    done = clearhead("gradebook", graded)
    cleo = rows(graded / "gradebook" / "gradebook.csv")["Cleo Ng"]
    assert (cleo["05"], cleo["needs review"]) == ("", "05: not marked yet")
    assert "the last run did not finish the class; submissions without marks: 1." in done.stderr


@pytest.mark.parametrize("status", [None, "grader_error"])
def test_class_without_marks_has_table(tmp_path, status):
    """A class of which nothing is marked yet has a table."""
    if status:
        put(tmp_path, "ada", {}, status)
    told = {"finished": False, "sheets": ["05"], "submissions": [{"student": "ada"}]}
    (tmp_path / "submissions.json").write_text(json.dumps(told))
    assert clearhead("gradebook", tmp_path).exit_code == 0
    ada = rows(tmp_path / "gradebook" / "gradebook.csv")["ada"]
    assert (ada["05"], ada["needs review"]) == ("", f"05: {status or 'not marked yet'}")


def test_submission_under_two_names_needs_look(graded):
    """Two hand ins under two names have no mark and need a look."""
    put(graded, "ada@x.org", {"05": (LATE, {"05.qkv": 0, "05.sharpen": 0})})
    said = clearhead("gradebook", graded).output
    assert "Ada Lovelace (1) handed in under two names: 'ada' and 'ada@x.org' belong to one person" in said
    ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
    assert (ada["05"], ada["submission"]) == ("", "ada / ada@x.org")
    page = next((graded / "gradebook" / "feedback").glob("1-*.html")).read_text()
    assert "No mark yet: handed in under two names." in page
    assert "05.qkv" not in page  # it may be another student's
    assert ada["needs review"].startswith(
        "05: handed in under two names; 'ada' and 'ada@x.org' belong to one person: rename or remove"
    )
    column = exports.assignment_name("05", Policy())
    assert rows(graded / "gradebook" / "canvas.csv")["Ada Lovelace"][column] == ""


def test_lateness_reported_by_platform_needs_look(graded):
    """What the platform says of lateness is kept and needs a look."""
    path = graded / "marks" / f"{store.file_name('ada')}.json"
    marks = json.loads(path.read_text())
    marks["files"]["05"]["late"] = True
    path.write_text(json.dumps(marks))
    clearhead("gradebook", graded)
    ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
    assert ada["needs review"] == "05: the platform calls it late, but by your rules it was on time"
    assert ada["platform status"] == "05: late"
    (graded / "policy.toml").write_text(POLICY.replace("10-12", "10-11"))
    clearhead("gradebook", graded)
    ada = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]
    assert (ada["needs review"], ada["platform status"], "1 day late" in ada["rules"]) == (
        "",
        "05: late",
        True,
    )


def test_late_status_of_moodle_needs_look(graded):
    """The status of Moodle is shown and needs a look where it is late."""
    head = "Identifier,Full name,Email address,Status"
    told = "Submitted for grading - 2 hours late"
    (graded / "roster.csv").write_text(f"{head}\nParticipant 4712,Ben King,b@x.org,{told}\n")
    clearhead("gradebook", graded)
    ben = rows(graded / "gradebook" / "gradebook.csv")["Ben King"]
    assert (ben["platform status"], told in ben["needs review"]) == (told, True)


def test_an_extension_explains_what_a_platform_calls_late(graded):
    """The platform knows nothing of it, so nobody needs a look, and Moodle's own table says it."""
    path = graded / "marks" / f"{store.file_name('Ben King_4712')}.json"
    marks = json.loads(path.read_text())
    marks["files"]["05"]["late"] = True
    path.write_text(json.dumps(marks))
    head = "Identifier,Full name,Email address,Status"
    (graded / "roster.csv").write_text(f"{head}\nParticipant 4712,Ben King,b@x.org,Submitted - 2 days late\n")
    (graded / "policy.toml").write_text(POLICY + '[extensions]\n"Ben King" = { 05 = 3 }\n')
    assert clearhead("gradebook", graded).exit_code == 0
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["needs review"] == ""
    told = rows(graded / "gradebook" / "moodle-worksheet.csv")["Participant 4712"]["Feedback comments"]
    assert told.startswith("Extension: due on Thursday 15 October 2026, 18:00 instead of")


def test_sheet_of_another_week_in_the_rules_is_no_news(graded):
    (graded / "policy.toml").write_text(
        "[sheets.04]\ndue = 2026-10-05\n" + MANUAL.replace("sheet = 5", "sheet = 4")
    )
    assert "[manual.explanation]" not in clearhead("gradebook", graded).stderr
    (graded / "policy.toml").write_text(MANUAL.replace("sheet = 5", "sheet = 6"))
    assert "[manual.explanation] belongs to sheet 06" in clearhead("gradebook", graded).stderr


def test_a_file_that_nobody_read_needs_a_look(graded):
    path = graded / "marks" / f"{store.file_name('ada')}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"unread": ["HW4.ipynb"]}))
    clearhead("gradebook", graded)
    assert (
        rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["needs review"]
        == "not read: 'HW4.ipynb'"
    )


# by hand ---------------------------------------------------------------------------------------------------

BANK = 'axis = "Look at the axis: which one sums to 1?"\n'


def test_rules_column_names_extension_and_grace_and_is_whole(graded):
    """Ada is in the time of grace; Ben has an extension and is a day late; a title is 500 letters long."""
    put(graded, "ada", {"05": ("2026-10-12T18:10:00+00:00", {"05.qkv": 3, "05.sharpen": 5})})
    rules = "[late]\nper_day = 10\ngrace_minutes = 15\n[sheets.05]\ndue = 2026-10-12T18:00:00\n"
    (graded / "policy.toml").write_text(
        rules + "[extensions]\n2 = { 05 = 2026-10-13T12:00:00 }\n[manual.talk]\n"
        f'title = "{"A talk with a long title " * 20}"\npoints = 3\n'
    )
    lines = "student,exercise,points\n2,05.qkv,1\n2,05.sharpen,1\n2,talk,1\n"
    (graded / "manual_grades.csv").write_text(lines)
    clearhead("gradebook", graded)
    table = rows(graded / "gradebook" / "gradebook.csv")
    assert table["Ada Lovelace"]["rules"].startswith(
        "05: Handed in within the 15 minutes of grace after the deadline: not late. / talk"
    )
    ben = table["Ben King"]["rules"]
    assert (
        "05: Extension: due on Tuesday 13 October 2026, 12:00 instead of Monday 12 October 2026, 18:00."
        in ben
    )
    assert "1 day late, which costs 10 % of the points." in ben
    assert ben.endswith("A talk with a long title: 1 of 3 points.")
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert "Extension: due on Tuesday 13 October 2026, 12:00 instead of" in page
    assert "15 minutes of grace" in next((graded / "gradebook" / "feedback").glob("1-*.html")).read_text()


def test_grace_is_for_the_deadline_only(graded):
    put(graded, "ada", {"05": ("2026-10-13T18:10:00+00:00", {"05.qkv": 3, "05.sharpen": 5})})
    (graded / "policy.toml").write_text(POLICY.replace("[late]\n", "[late]\ngrace_minutes = 15\n"))
    clearhead("gradebook", graded)
    told = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["rules"]
    assert told == (
        "05: 2 days late, which costs 20 % of the points. The 15 minutes of grace are for the deadline only, "
        "not for later days."
    )


def test_receipts_say_why_a_hand_in_does_not_count(graded):
    put(graded, "ada", {"05": (DUE, {"05.qkv": 0, "05.sharpen": 0})}, "unreadable")
    path = graded / "marks" / f"{store.file_name('ada')}.json"
    marks = json.loads(path.read_text())
    marks["exercises"] = [each | {"status": "unreadable"} for each in marks["exercises"]]
    path.write_text(json.dumps(marks))
    (graded / "policy.toml").write_text(POLICY.replace("[late]\n", "[late]\nclosed_after_days = 1\n"))
    clearhead("gradebook", graded)
    told = {name: each["counts"] for name, each in rows(graded / "gradebook" / "receipts.csv").items()}
    assert told == {"Ada Lovelace": "cannot be read", "Ben King": "too late", "xyz": "counts"}
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    closed = (
        "2 days late, after the sheet was closed on Tuesday 13 October 2026, 18:00, so it does not count."
    )
    assert f"0 of 8 points. {closed} On time, it would have been worth 3 of 8 points." in page
    (graded / "manual_grades.csv").write_text("student,exercise,points\n1,05.qkv,2\n1,05.sharpen,2\n")
    clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "receipts.csv")["Ada Lovelace"]["counts"] == "counts"


def test_points_by_hand_are_shown_as_people_write_them(graded):
    (graded / "manual_grades.csv").write_text("student,exercise,points\n2,05.qkv,1\n2,05.sharpen,2.25\n")
    clearhead("gradebook", graded)
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert "1 of 3 points" in page
    assert "2.25 of 5 points" in page
    assert "1.0 of" not in page


@pytest.mark.parametrize(
    ("waived", "says"),
    [
        (
            '"05" = "drop"',
            "05: Waived: this sheet counts neither in your points nor in those that can be had.",
        ),
        ('"05" = "full"', "05: Waived: everyone who handed in the sheet gets all points of this sheet."),
        ('"05.qkv" = "drop"', "05: 05.qkv: Waived: this exercise counts neither in your points nor in"),
        (
            '"05.qkv" = "full"\n"05.sharpen" = "full"',
            "05: Waived: everyone who handed in the sheet gets all points of this sheet.",
        ),
    ],
)
def test_rules_say_once_what_is_waived(graded, waived, says):
    (graded / "policy.toml").write_text(f"[waived]\n{waived}\n")
    clearhead("gradebook", graded)
    told = rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["rules"]
    assert told.startswith(says)
    assert told.count("Waived") == 1


@pytest.mark.parametrize(
    ("name", "ben"), [("5.sharpen", "3 of 3 points"), ("5", "This sheet counts for nobody.")]
)
def test_any_form_of_number_waives_exercise_or_sheet(graded, name, ben):
    """Exercise or sheet is waived by any form of its number."""
    (graded / "policy.toml").write_text(f'[waived]\n"{name}" = "drop"\n')
    assert clearhead("gradebook", graded).exit_code == 0
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert ben in page
    assert "waived</span>; your answer: " in page
    assert "does not count" in page
    assert "Waived: this exercise counts neither in your points nor in those that can be had." in page


def test_dropped_sheet_has_neither_mean_nor_lateness(tmp_path):
    for place in range(6):
        put(tmp_path, f"s{place}", {"05": (LATE, {"05.qkv": 3})})
    rules = "[late]\nper_day = 10\n[sheets.05]\ndue = 2026-10-12T18:00:00\n"
    for waived, shown in (("", True), ('[waived]\n"05" = "drop"\n', False)):
        (tmp_path / "policy.toml").write_text(rules + waived)
        clearhead("gradebook", tmp_path)
        page = next((tmp_path / "gradebook" / "feedback").glob("s0-*.html")).read_text()
        assert ("Mean of the class" in page, "late, which costs" in page) == (shown, shown)


def test_points_by_hand_for_a_waived_exercise_are_told(graded):
    (graded / "policy.toml").write_text('[waived]\n"05.sharpen" = "full"\n')
    (graded / "manual_grades.csv").write_text("student,exercise,points,comment\n2,05.sharpen,1,Nice.\n")
    done = clearhead("gradebook", graded)
    assert (
        "manual_grades.csv, line 2: 05.sharpen is waived by your rules, so these points do not count"
        in done.stderr
    )
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["05"] == "8"


def test_manual_grades_count_and_their_file_is_never_written(graded):
    """Marks by hand count are shown and no run writes to them."""
    text = "student;exercise;points;comment\n2;05.sharpen;4,5;Well explained. #axis\n"
    text += "ada@x.org;05.qkv;;Elegant <b>\n"
    (graded / "manual_grades.csv").write_text(text)
    (graded / "comments.toml").write_text(BANK)
    for _ in range(2):
        done = clearhead("gradebook", graded)
        assert done.exit_code == 0, done.output
        ben = rows(graded / "gradebook" / "gradebook.csv")["Ben King"]
        assert (ben["05"], ben["rules"]) == ("7.5", "05: 05.sharpen: Marked by hand: 4.5 of 5 points.")
    page = next((graded / "gradebook" / "feedback").glob("2-*.html")).read_text()
    assert "Marked by hand: 4.5 of 5 points." in page
    assert "Well explained. Look at the axis" in page
    assert "Elegant &lt;b&gt;" in next((graded / "gradebook" / "feedback").glob("1-*.html")).read_text()
    assert (graded / "manual_grades.csv").read_text() == text
    assert (graded / "comments.toml").read_text() == BANK


def test_manual_grade_counts_without_readable_submission(graded):
    """A mark by hand counts where nothing was handed in or could be read."""
    put(graded, "ada", {}, "unreadable")
    lines = [f"{id},{exercise},2," for id in (1, 3) for exercise in POINTS["05"]]
    (graded / "manual_grades.csv").write_text("\n".join(["student,exercise,points,comment", *lines]))
    clearhead("gradebook", graded)
    table = rows(graded / "gradebook" / "gradebook.csv")
    assert (table["Ada Lovelace"]["05"], table["Cleo Ng"]["05"]) == ("4", "4")


MANUAL = """[manual.talk]
title = "Two minutes of talk"
points = 10
[manual.explanation]
title = "Explain `axis=-1`"
points = 4
sheet = 5
[manual.extra]
title = "Extra"
bonus = true
"""


def test_manual_exercise_has_own_points_and_waits(graded):
    """Ada has all marks, Ben none yet, Cleo handed in nothing but gave her talk."""
    (graded / "policy.toml").write_text(POLICY + MANUAL)
    lines = "1,talk,7.5,Well <b>said</b>.\n1,explanation,4,\n1,extra,3,\n3,talk,10,\n"
    (graded / "manual_grades.csv").write_text("student,exercise,points,comment\n" + lines)
    done = clearhead("gradebook", graded)
    assert done.exit_code == 0, done.output
    table = rows(graded / "gradebook" / "gradebook.csv")
    columns = ("05", "talk", "extra", "total", "max points", "needs review")
    told = {name: [table[name][column] for column in columns] for name in table}
    assert told["Ada Lovelace"] == ["12", "7.5", "3", "22.5", "22", ""]
    waiting = "05: not marked yet; talk: not marked yet"
    assert told["Ben King"] == ["", "", "", "", "0", waiting]
    assert told["Cleo Ng"] == ["0", "10", "", "10", "22", "05: not handed in"]
    canvas = rows(graded / "gradebook" / "canvas.csv")
    assert list(canvas["    Points Possible"].items())[5:] == [
        ("Homework 5 (991)", "12"), ("Two minutes of talk", "10"), ("Extra", "0")
    ]  # fmt: skip
    assert list(canvas["Ada Lovelace"].values())[5:] == ["12", "7.5", "3"]
    moodle = (graded / "gradebook" / "moodle.csv").read_text().splitlines()
    assert moodle[0].endswith(",Homework 5 (991),Two minutes of talk,Extra")
    assert moodle[2] == ",Ben King,2,,,,"
    pages = {n: next((graded / "gradebook" / "feedback").glob(f"{n}-*.html")).read_text() for n in (1, 2, 3)}
    assert "Two minutes of talk: 7.5 of 10 points. Well &lt;b&gt;said&lt;/b&gt;." in pages[1]
    assert "Explain `axis=-1`: 4 of 4 points." in pages[1]
    assert "Extra: 3 bonus points." in pages[1]
    assert "22.5 of 22 points." in pages[1]
    assert "Two minutes of talk: not marked yet." in pages[2]
    assert "a part of it that your teacher marks by hand is missing" in pages[2]
    assert "Extra: no bonus." in pages[2]
    with open(graded / "manual_grades.csv", "a") as file:
        file.write("2,explanation,2,\n2,talk,0,\n")
    done = clearhead("gradebook", graded)
    assert "Ben King (2), sheet 05: no mark -> 4.4" in done.output  # 2.4 for the late notebook, and 2
    ben = rows(graded / "gradebook" / "gradebook.csv")["Ben King"]
    assert [ben[column] for column in columns] == ["4.4", "0", "", "4.4", "22", ""]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1,talk,11,", "line 2: talk has 0 to 10 points, not 11"),
        ("1,talk,-1,", "talk has 0 to 10 points, not -1"),
        ("1,extra,-1,", "extra has 0 points or more, not -1"),
        ("1,extra,inf,", "extra has 0 points or more, not inf"),
        ("1,tlak,1,", r"no exercise 'tlak'.*\[manual\] in the rules defines talk, explanation, extra"),
        ("1,talk,1,\n1,talk,2,", "lines 2 and 3: both give 1 a mark for talk"),
    ],
)
def test_mark_by_hand_above_its_maximum_is_left_aside(graded, line, said):
    (graded / "policy.toml").write_text(MANUAL)
    (graded / "manual_grades.csv").write_text("student,exercise,points,comment\n" + line)
    done = clearhead("gradebook", graded)
    assert done.exit_code == 3
    assert re.search(said, done.stderr, re.S), done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2,05.sharpn,1,", "05.sharpen"),
        ("2,05.sharpen,9,", "0 to 5 points"),
        ("2,05.sharpen,nan,", "0 to 5 points"),
        ("2,05.sharpen,two,", "not a number of points"),
        (",05.sharpen,1,", "no student"),
        ("2,05.sharpen,1,#axs", "no #axs; it has axis"),
        ("2,05.sharpen,1,\n2,05.sharpen,2,", "lines 2 and 3: both give 2 a mark for 05.sharpen"),
        ("2,05.sharpen,1,Well done, Ben", "line 2: it has 5 cells, but the table has 4 columns"),
        ('2,05.sharpen,1,"Well" done', "line 2: its quotation marks cannot be parsed"),
    ],
)
def test_senseless_line_by_hand_costs_no_other_line(tmp_path, line, said):
    (tmp_path / "h.csv").write_text("student,exercise,points,comment\n" + line + "\n1,05.qkv,3,fine\n")
    found = manual_grades.read(tmp_path / "h.csv", {"axis": "x"})
    assert found.marks == {("1", "05.qkv"): (3, "fine")}
    (aside,) = found.ignored
    assert said in f"{aside.place}: {aside.why}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('1,05.qkv,1,"Good.\n2,05.qkv,2,"fine"\n', "line 2: a quotation mark is opened there"),
        ('1,05.qkv,1,fine\n2,05.qkv,2,"Good.\n', "line 3: .*quotation mark"),
    ],
)
def test_unclosed_quotation_mark_by_hand_is_refused(tmp_path, text, said):
    (tmp_path / "h.csv").write_text("student,exercise,points,comment\n" + text)
    with pytest.raises(UserError, match=said):
        manual_grades.read(tmp_path / "h.csv")


@pytest.mark.parametrize(
    "name", ["D'Arcy, Renée", "Renée D'Arcy", "renee darcy", "D’Arcy Renée", "RENÉE D'ARCY"]
)
@pytest.mark.parametrize("listed", ["Renée D'Arcy", '"D\'Arcy, Renée"'])
def test_manual_grade_finds_person_by_either_name_order(graded, name, listed):
    """A mark by hand finds a person by either order of the name."""
    (graded / "roster.csv").write_text(f"name,id\n{listed},ada\n", encoding="utf-8")
    line = f'student,exercise,points\n"{name}",5.qkv,2\n'
    (graded / "manual_grades.csv").write_text(line, encoding="utf-8")
    assert clearhead("gradebook", graded).exit_code == 0
    assert rows(graded / "gradebook" / "gradebook.csv")[listed.strip('"')]["05"] == "7"


def test_manual_grade_for_nobody_changes_exit_status(graded):
    """A mark by hand for nobody is reported at the end and in the exit status."""
    (graded / "manual_grades.csv").write_text("student,exercise,points\nZed,05.qkv,2\n")
    done = clearhead("gradebook", graded)
    assert done.exit_code == 3
    assert "DOES NOT COUNT" in done.stderr.splitlines()[-1]
    assert (graded / "gradebook" / "gradebook.csv").exists()


def test_two_marks_by_hand_for_one_person_are_left_aside(graded):
    (graded / "manual_grades.csv").write_text(
        "student,exercise,points\n1,05.qkv,2\nada@x.org,05.qkv,1\n2,05.qkv,1\n"
    )
    done = clearhead("gradebook", graded)
    assert done.exit_code == 3
    assert "lines 2 and 3: '1' and 'ada@x.org' are one person, and each has a grade for 05.qkv" in done.stderr
    table = rows(graded / "gradebook" / "gradebook.csv")
    assert (table["Ada Lovelace"]["05"], table["Ben King"]["05"]) == ("8", "1")
    assert "these lines were ignored" in table["Ada Lovelace"]["needs review"]


def test_ambiguous_mark_by_hand_costs_nobody_else_a_mark(graded):
    """Neither of the two gets it, both need a look, and a third person has her mark."""
    (graded / "roster.csv").write_text("name,id,email\nLi Wei,1,ada@x.org\nLi Wei,2,\nCleo,3,\n")
    (graded / "manual_grades.csv").write_text("student,exercise,points\nLi Wei,05.qkv,1\n3,05.qkv,2\n")
    done = clearhead("gradebook", graded)
    assert done.exit_code == 3
    assert "manual_grades.csv, line 2: 2 people are called 'Li Wei'; write 1 or 2 instead" in done.stderr
    assert "1 entry in your files was ignored" in done.stderr.splitlines()[-1]
    with open(graded / "gradebook" / "gradebook.csv", encoding="utf-8-sig") as file:
        one, two, cleo, *_ = csv.DictReader(file)
    assert all("line 2: 2 people are called 'Li Wei'" in each["needs review"] for each in (one, two))
    assert cleo["05"] == "2"
    assert "by hand" not in one["rules"] + two["rules"]


@pytest.mark.parametrize(
    "rule", ['[extensions]\n"Li Wei" = { 05 = 3 }', '[handed_in]\n"Li Wei" = { 05 = 2026-10-01 }']
)
def test_rule_for_a_name_of_two_people_is_left_aside(graded, rule):
    (graded / "roster.csv").write_text("name,id,email\nLi Wei,1,ada@x.org\nLi Wei,2,\n")
    (graded / "policy.toml").write_text(f"{POLICY}\n{rule}\n")
    done = clearhead("gradebook", graded)
    assert done.exit_code == 3
    assert "policy.toml: 2 people are called 'Li Wei'; write 1 or 2 instead" in done.stderr
    with open(graded / "gradebook" / "gradebook.csv", encoding="utf-8-sig") as file:
        looks = [row["needs review"] for row in csv.DictReader(file)]
    assert all("a rule for 'Li Wei' was ignored" in look for look in looks[:2])


def test_unknown_titles_of_a_list_are_named(tmp_path):
    (tmp_path / "r.csv").write_text("Name,Matrikl,Seat\nAda,1,4\n")
    _, notes = roster.read(tmp_path / "r.csv")
    assert notes == [
        f"{tmp_path / 'r.csv'}: columns with unknown titles are not used: 'matrikl', 'seat'. "
        "The used ones are 'name' (name)."
    ]


def test_assignment_that_canvas_does_not_have_is_told(graded):
    (graded / "roster.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework 5 (991)\nAda Lovelace,1,ada,ada,A,\n"
    )
    (graded / "policy.toml").write_text('[sheets.05]\nname = "Homework 5 (919)"\n')
    told = "[sheets.05] name 'Homework 5 (919)' is not a column of"
    assert told in clearhead("gradebook", graded).stderr
    (graded / "policy.toml").write_text('[sheets.05]\nname = "Homework 5 (991)"\n')
    assert told not in clearhead("gradebook", graded).stderr


# ids in place of names -------------------------------------------------------------------------------------


def test_anonymous_output_has_no_names(graded):
    """Nothing of a name is in what is anonymous and one table apart says whose an id is."""
    (graded / "secret_seed.txt").write_text("secret")
    done = clearhead("gradebook", graded, "--anonymous")
    assert done.exit_code == 0, done.output
    told = rows(graded / "names.csv")
    assert {row["student"] for row in told.values()} == {"Ada Lovelace", "Ben King", "Cleo Ng", "xyz"}
    assert (graded / "names.csv").stat().st_mode & 0o077 == 0
    for path in (graded / "anonymous").rglob("*"):
        text = f"{path.name} {path.read_text() if path.is_file() else ''}"
        assert not any(word in text for word in ("Ada", "ada@", "Ben", "Cleo", "xyz", "aaaa"))
    assert set(rows(graded / "anonymous" / "gradebook.csv")) == set(told)
    shutil.rmtree(graded / "anonymous")
    (graded / "roster.csv").write_text("name,id,email\nCleo Ng,3,\nBen King,2,\nAda,1,ada@x.org\n")
    clearhead("gradebook", graded, "--anonymous")  # ids depend on secret and person alone
    assert set(rows(graded / "names.csv")) == set(told)
    (graded / "secret_seed.txt").write_text("other")
    clearhead("gradebook", graded, "--anonymous")
    assert not set(rows(graded / "names.csv")) & set(told)


def test_anonymous_output_hides_class_order_and_times(graded):
    """Twelve persons hand in, a minute apart, in the order of the list; one of them has an extension."""
    letters = "ABCDEFGHIJKL"
    (graded / "roster.csv").write_text("name,id\n" + "".join(f"{a * 7} Per,{9 * a}\n" for a in letters))
    for path in (graded / "marks").iterdir():
        path.unlink()
    for minute, letter in enumerate(letters):
        put(graded, 9 * letter, {"05": (f"2026-10-12T17:{minute:02}:07+00:00", {"05.qkv": minute % 4})})
    extension = '[extensions]\n"CCCCCCCCC" = { 05 = 2 }\n'
    (graded / "policy.toml").write_text('time_zone = "Europe/Berlin"\n' + POLICY + extension)
    orders = set()
    for secret in ("one", "two", "three"):
        (graded / "secret_seed.txt").write_text(secret)
        shutil.rmtree(graded / "anonymous", ignore_errors=True)
        done = clearhead("gradebook", graded, "--anonymous")
        assert done.exit_code == 0, done.output
        folder, key = graded / "anonymous", rows(graded / "names.csv")
        assert {path.name for path in folder.iterdir()} == {
            "gradebook.csv", "receipts.csv", "changes.csv", "gradebook.json", "feedback"
        }  # fmt: skip
        for name in ("gradebook.csv", "receipts.csv"):
            ids = list(rows(folder / name))
            assert ids == sorted(ids) == sorted(key), name
        assert list(json.loads((folder / "gradebook.json").read_text())) == ids
        pages = sorted((folder / "feedback").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        assert [path.name[:11] for path in pages] == ids
        orders.add(tuple(key[id]["student"] for id in ids))
        text = "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())
        assert not re.search(r"\d\d:\d\d|extension|Handed in|due ", text)
        assert {row["time"] for row in rows(folder / "receipts.csv").values()} == {"2026-10-12"}
    assert len(orders) == 3


def test_manual_grade_may_name_anonymous_id(graded):
    """A mark may be given by hand to an anonymous id."""
    (graded / "secret_seed.txt").write_text("secret")
    clearhead("gradebook", graded, "--anonymous")
    ben = next(id for id, row in rows(graded / "names.csv").items() if row["student"] == "Ben King")
    (graded / "manual_grades.csv").write_text(f"student,exercise,points\n{ben},05.sharpen,5\n")
    done = clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "gradebook.csv")["Ben King"]["05"] == "8", done.output


# what platforms import -------------------------------------------------------------------------------------


def test_the_columns_are_those_of_canvas_and_moodle(graded):
    (graded / "policy.toml").write_text(POLICY)
    (graded / "roster.csv").write_text(LIST.replace("Ng, Zoë", "King, Ben").replace(";ada@x.org", ";ada"))
    clearhead("gradebook", graded)
    lines = (graded / "gradebook" / "canvas.csv").read_text(encoding="utf-8").splitlines()
    assert lines == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework 5 (991)",
        "    Points Possible,,,,,8",
        '"Lovelace, Ada",11,s1,ada,A,8',
        '"King, Ben",12,s2,,B,2.4',
    ]
    assert (
        (graded / "gradebook" / "moodle.csv")
        .read_text()
        .startswith("First name,Last name,ID number,Email add")
    )
    assert not (graded / "gradebook" / "moodle-worksheet.csv").exists()


def read_by_canvas(text):
    """Return points possible, and points by student, as Canvas's importer finds them, or fail as it does.

    After lib/gradebook_importer.rb of instructure/canvas-lms: which columns tell a student, which row tells
    the most points, how a title names an assignment, and that the first three lines have as many cells.
    """
    lines = [*csv.reader(text.splitlines())]
    assert len({len(line) for line in lines[:3]}) == 1
    head, *others = lines
    assert "Student" in head[0]
    assert "ID" in head[1]
    assert (head[2], head[3]) == ("SIS User ID", "SIS Login ID")
    assert "Section" in head[4]
    assignments = [re.fullmatch(r"(.*)\((\d+)\)", title.strip()) for title in head[5:]]
    assert all(assignments), "a title without a number in brackets makes a new assignment"
    possible = [line[5:] for line in others if "Points Possible" in line[0]]
    return possible, {line[1] or line[2] or line[3] or line[0]: line[5:] for line in others
                      if "Points Possible" not in line[0]}  # fmt: skip


def test_canvas_takes_back_what_comes_from_its_own_export(graded):
    """Its export has rows that are no students, and columns that only it may write."""
    export = """Student,ID,SIS User ID,SIS Login ID,Section,Homework 5 (991),Current Score
,,,,,Manual Posting,
    Points Possible,,,,,8.00,(read only)
"Lovelace, Ada",11,s1,ada,A,,50.0
"King, Ben",12,s2,ben,B,,
"Student, Test",13,,deadbeef,A,,
"""
    (graded / "roster.csv").write_text(export)
    (graded / "policy.toml").write_text(POLICY)
    done = clearhead("gradebook", graded)
    assert done.exit_code == 0, done.output
    possible, points = read_by_canvas((graded / "gradebook" / "canvas.csv").read_text(encoding="utf-8"))
    assert (possible, points) == ([["8"]], {"11": ["8"], "12": ["2.4"]})
    with pytest.raises(AssertionError):
        read_by_canvas("Student,ID,Section,Homework 5 (991)\n")
    (graded / "roster.csv").write_text("name,id,group\n,,Manual\n")
    with pytest.raises(UserError):
        roster.read(graded / "roster.csv")


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("", "policy.toml has no [sheets.05] name, so Canvas would make a new assignment."),
        ('[sheets.05]\nname = "HW 5"\n', "[sheets.05] name 'HW 5' is not a column of"),
        (
            '[sheets.05]\nname = "HW 4"\n[manual.talk]\npoints = 3\ntitle = "T"\n',
            "[manual.talk] title 'T' is",
        ),
        ('[sheets.05]\nname = "hw 4"\n', ""),
    ],
)
def test_title_unknown_to_canvas_is_reported(graded, policy, says):
    export = 'Student,ID,SIS User ID,SIS Login ID,Section,HW 4\n"Lovelace, Ada",11,s1,ada,A,\n'
    (graded / "roster.csv").write_text(export)
    (graded / "policy.toml").write_text(policy)
    said = clearhead("gradebook", graded).stderr
    assert ("make a new assignment. Its assignments are 'HW 4'." in said) == bool(says)
    assert says in said


def test_moodle_tells_people_by_its_own_columns(graded):
    """Titles after docs.moodle.org/en/Grade_import: e-mail or ID number is mapped to the person."""
    (graded / "roster.csv").write_text('name,id,email\n"Lovelace, Ada",1,ada@x.org\nBen King,2,ben@x.org\n')
    clearhead("gradebook", graded)
    head, *others = csv.reader((graded / "gradebook" / "moodle.csv").read_text(encoding="utf-8").splitlines())
    assert head[:4] == ["First name", "Last name", "ID number", "Email address"]
    assert [line[:4] for line in others] == [
        ["Ada", "Lovelace", "1", "ada@x.org"],
        ["", "Ben King", "2", "ben@x.org"],
    ]


#: What gradescope-autograders.readthedocs.io/en/latest/specs lists, for the whole and for one test.
GRADESCOPE = {
    "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
    "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
GRADESCOPE_TEST = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
    "visibility", "extra_data",
}  # fmt: skip
SEEN = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}


def test_gradescope_knows_every_field_of_its_results():
    marks = {"status": "graded", "points": 3, "notes": ["A note."]}
    marks["exercises"] = [row("05.qkv", 3, 3), row("05.sharpen", 0, 5)]
    found = json.loads(json.dumps(gradescope.as_gradescope(marks)))
    assert found.keys() <= GRADESCOPE
    assert found["score"] == sum(test["score"] for test in found["tests"])
    assert {found["visibility"], found["stdout_visibility"]} <= SEEN
    assert found["output_format"] in FORMATS
    for test in found["tests"]:
        assert test.keys() <= GRADESCOPE_TEST
        assert 0 <= test["score"] <= test["max_score"]
        assert test["status"] in {"passed", "failed"}
        assert test["visibility"] in SEEN
        assert test["output_format"] in FORMATS
        assert isinstance(test["number"], str)


def test_moodles_worksheet_is_written_beside_a_column_of_the_term(graded):
    (graded / "roster.csv").write_text("Identifier,Full name,Email address\nParticipant 4712,Ben King,\n")
    (graded / "policy.toml").write_text('[manual.extra]\ntitle = "A figure"\nbonus = true\n')
    (graded / "manual_grades.csv").write_text("student,exercise,points\nBen King,extra,2\n")
    assert clearhead("gradebook", graded).exit_code == 0
    (found,) = rows(graded / "gradebook" / "moodle-worksheet.csv").values()
    assert (found["Identifier"], found["Grade"], found["Maximum Grade"]) == ("Participant 4712", "3", "8")


def test_receipt_has_the_time_that_the_instructor_entered(graded):
    policy = POLICY + '[handed_in]\n"2" = { 05 = 2026-10-12T17:58:00 }\n'
    (graded / "policy.toml").write_text(policy)
    assert clearhead("gradebook", graded).exit_code == 0
    receipt = rows(graded / "gradebook" / "receipts.csv")["Ben King"]
    assert datetime.fromisoformat(receipt["time"]).strftime("%d %H:%M") == "12 17:58"


def test_from_moodles_own_worksheet_comes_one_that_moodle_takes_back(graded):
    head = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    head += "Last modified (submission),Last modified (grade),Feedback comments"
    line = "Participant 4712,Ben King,ben@x.org,Submitted for grading,,100.00,Yes,-,-,"
    (graded / "roster.csv").write_text(f"{head}\n{line}\n")
    clearhead("gradebook", graded)
    found = (graded / "gradebook" / "moodle-worksheet.csv").read_text().splitlines()
    assert found == [head, "Participant 4712,Ben King,ben@x.org,graded,3,8,Yes,,,"]


def test_formula_as_name_is_text_in_every_table(graded):
    """A name that is a formula is text in every table."""
    (graded / "roster.csv").write_text("name,id\n=1+1,ada\n")
    clearhead("gradebook", graded)
    for name in ("gradebook.csv", "canvas.csv", "moodle.csv", "receipts.csv"):
        assert "'=1+1" in (graded / "gradebook" / name).read_text(encoding="utf-8-sig")


def test_missing_and_damaged_marks_are_named(tmp_path):
    """A folder without marks and marks that are broken are named."""
    assert "There are no marks" in clearhead("gradebook", tmp_path).output
    (tmp_path / "marks").mkdir()
    (tmp_path / "marks" / "a.json").write_text("{")
    assert "a.json cannot be read" in clearhead("gradebook", tmp_path).output


def test_times_are_moments_whatever_the_zone_of_the_machine(graded, monkeypatch):
    (graded / "policy.toml").write_text(POLICY)
    monkeypatch.setitem(os.environ, "TZ", "Asia/Tokyo")
    assert datetime.fromisoformat(DUE) == datetime(2026, 10, 12, 18, tzinfo=UTC)
    clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["05"] == "8"


def test_unmarked_earlier_submissions_are_reported(graded):
    """It is reported where the rules could not choose since only the newest was marked."""
    path = graded / "marks" / f"{store.file_name('ada')}.json"
    marks = json.loads(path.read_text())
    path.write_text(json.dumps(marks | {"notes": ["Of 2 notebooks for sheet 05, 'b.ipynb' counted."]}))
    assert "only the newest" not in clearhead("gradebook", graded).stderr
    (graded / "policy.toml").write_text(POLICY)
    assert (
        "1 handed in more than once, and only the newest was marked" in clearhead("gradebook", graded).stderr
    )


def test_a_spreadsheet_opens_the_tables_in_its_own_language(graded):
    """What Excel needs: a byte order mark, the separator and the decimal sign of the computer's language."""
    (graded / "roster.csv").write_text(LIST + '"King, Ben";13;s3;;B\n', encoding="utf-8")
    for told, separator, decimal in (("", ",", "."), ("decimal_comma = true\n", ";", ",")):
        (graded / "policy.toml").write_text(told + POLICY)
        clearhead("gradebook", graded)
        for name in ("gradebook.csv", "receipts.csv", "changes.csv"):
            raw = (graded / "gradebook" / name).read_bytes()
            assert raw.startswith(b"\xef\xbb\xbf")
            assert b"\r" not in raw
            head, *_ = raw.decode("utf-8-sig").splitlines()
            assert separator in head
            assert not {";", ","} - {separator} & set(head)
        raw = (graded / "gradebook" / "gradebook.csv").read_text(encoding="utf-8-sig")
        table = {row["student"]: row for row in csv.DictReader(raw.splitlines(), delimiter=separator)}
        assert table["King, Ben"]["05"] == f"2{decimal}4"
        assert "Ng, Zoë" in table
        canvas = (graded / "gradebook" / "canvas.csv").read_bytes()  # the same in every language
        assert canvas.startswith(b"Student,ID,")
        assert b",2.4\n" in canvas
    (graded / "policy.toml").write_text('decimal_comma = "yes"\n')
    assert "decimal_comma must be true or false, not 'yes'." in clearhead("gradebook", graded).stderr


# what earlier versions wrote -------------------------------------------------------------------------------


def test_marks_with_former_keys_statuses_and_ids_are_read(graded):
    """Marks of an earlier version count as they did, also of an exercise whose id is another one today."""
    put(graded, "ada", {"05": (DUE, {"05.qkv": 3, "05.a_former_id": 2})})
    path = next(graded.glob("marks/ada-*.json"))
    marks = json.loads(path.read_text())
    for each, status in zip(marks["exercises"], ("not begun", "not tried"), strict=True):
        each |= {"status": status, "cases": [{"name": "one", "status": status, "points": 1, "message": "",
                                              "hint": "", "line": ""}]}  # fmt: skip
    path.write_text(json.dumps(marks))
    done = clearhead("gradebook", graded)
    assert done.exit_code == 0, done.output
    assert rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["05"] == "5"
    page = next((graded / "gradebook" / "feedback").glob("1-*.html")).read_text()
    assert "○ not attempted" in page
    assert "○ skipped" in page
    former = {new: old for old, new in store.FORMER_KEYS.items()}
    text = re.sub(r'"(\w+)":', lambda key: f'"{former.get(key[1], key[1])}":', path.read_text())
    assert '"says"' in text
    path.write_text(text)
    clearhead("gradebook", graded)
    assert rows(graded / "gradebook" / "gradebook.csv")["Ada Lovelace"]["05"] == "5"
    path.write_text(text.replace("05.a_former_id", "19.penalise"))
    found = store.load_marks(path)
    assert [each["id"] for each in found["exercises"]] == ["05.qkv", "19.apply_frequency_penalty"]
    assert [each["status"] for each in found["exercises"]] == ["not_attempted", "skipped"]
    assert [each["cases"][0]["status"] for each in found["exercises"]] == ["not_attempted", "skipped"]
    assert {*found["exercises"][0]} == {*marks["exercises"][0]}


def test_manual_grades_under_a_former_file_name_are_not_ignored(graded):
    (graded / "by_hand.csv").write_text("student,exercise,points\n2,05.qkv,1\n")
    done = clearhead("gradebook", graded)
    assert done.exit_code == 1
    assert "by_hand.csv was not read, because the file is now called manual_grades.csv" in done.stderr


def test_rules_under_a_former_name_are_refused(graded):
    (graded / "policy.toml").write_text('[void]\n"05.sharpen" = "drop"\n')
    done = clearhead("gradebook", graded)
    assert done.exit_code == 1
    assert "void" in done.stderr
    assert "waived" in done.stderr
