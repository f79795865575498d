"""To whom a hand-in belongs: exports of each platform, difficult names, and a student who chooses names."""

import re
import time
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clearhead.errors import UserError
from clearhead.files import write_whole
from clearhead.grading.collect import archives, class_folder, naming
from clearhead.grading.gradebook import aggregate, exports, output, roster
from clearhead.grading.run import batch, store
from support.class_archives import zipped
from support.command_line import row, rows

SHEET = "05_attention.ipynb"


@dataclass(frozen=True)
class Student:
    """A student as a platform knows one; `points` are those of the hand-in, which tell whose it is."""

    name: str
    number: int
    points: int = 0
    files: tuple = (SHEET,)
    shown: str = ""  # the display name, where it is not that of the list

    @property
    def display(self):
        return self.shown or self.name

    @property
    def email(self):
        return f"s{self.number}@example.org"


NAMES = [
    "Zoë Müller", "José Núñez", "Jose Nunez", "علي حسن", "عَلِيّ حسن", "मीना शर्मा", "मोना शर्मा",
    "สมชาย ใจดี", "สมชัย ใจดี", "张伟", "張偉", "Li Wei", "Li Wei", "Ann Lee", "Lee Ann", "Ann Leeson",
    "Anna Lee", "Jo-Ann Lee", "O'Connor, Seán", "D'Arcy, Renée", "Lovelace, Ada", "Ada Lovelace King",
    "Agent 47", "R2_D2 Robot", "assignsubmission file", "05_attention", "attention",
    "Nguyễn Văn Hùng", "Nguyễn Văn Hưng", "Nguyen Van Hung", "Işık Yılmaz", "İsmail Işıl",
    "Σωκράτης Νίκου", "Ёжик Йодов", "Ежик Иодов", "שָׁלוֹם כהן", "Ａｄａ Ｗｉｄｅ", "Ødegård, Åse",
    "Straße, Ina", "LATE", "x_4712_", "García-Núñez, Ana", "4711",
]  # fmt: skip
CLASS = [Student(name, 5000 + place, place + 1) for place, name in enumerate(NAMES)]


# exports ---------------------------------------------------------------------------------------------------


def _of_a_word(c):
    return c.isalnum() or unicodedata.category(c)[0] == "M" or unicodedata.category(c) == "Pc"


def canvas(students):
    """Return entries of Canvas's export, named as its content_zipper.rb names them."""
    found = {}
    for student in students:
        first, _, last = student.display.rpartition(" ")
        name = student.display if "," in student.display else f"{last}, {first}"
        name = re.sub(r"_(\d+)_", r"\1", name).lower()
        prefix = "".join(filter(_of_a_word, f"{name}_{student.number}"))
        for place, file in enumerate(student.files):
            safe = re.sub(r'[\x00/\\:*?"<>|]+', "_", file)
            found[f"{prefix}_{90000 + 10 * student.number + place}_{safe}"] = b"%d" % student.points
    return found


def _moodle(students, name, after):
    found = {}
    for student in students:
        prefix = re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", name(student).replace("_", " "))
        for file in student.files:
            safe = re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", file) or "x"
            found[f"{prefix}_{student.number}_assignsubmission_file_{after}{safe}"] = b"%d" % student.points
    return found


def moodle(students):
    """Return entries of Moodle's export with folders, after mod/assign/locallib.php."""
    return _moodle(students, lambda student: student.display, "/")


def moodle_flat(students):
    """Return entries of Moodle's export without folders."""
    return _moodle(students, lambda student: student.display, "")


def moodle_anonymous(students):
    """Return entries of Moodle's export of an anonymous assignment."""
    return _moodle(students, lambda student: "Participant", "")


def gradescope(students):
    """Return entries of Gradescope's export, with results of tests in its metadata."""
    told, found = {}, {}
    for student in students:
        folder = f"submission_{student.number + 70000}"
        person = {":name": student.display, ":sid": str(student.number), ":email": student.email}
        tests = [{"name": "Files are there", ":name": "George Boole", "score": 1}]
        told[folder] = {":submitters": [person], ":results": {"tests": tests}, ":history": [{":name": "x"}]}
        for file in student.files:
            safe = file.replace("/", "_").replace("\0", "") or "x"
            found[f"export/{folder}/{safe}"] = b"%d" % student.points
    return found | {"export/submission_metadata.yml": yaml.safe_dump(told, allow_unicode=True).encode()}


def folders(students):
    """Return folders called after the ids of the list."""
    return {
        f"{s.number}/{file.replace('/', '_') or 'x'}": b"%d" % s.points for s in students for file in s.files
    }


EXPORTS = {
    "canvas": canvas, "moodle": moodle, "moodle without folders": moodle_flat,
    "moodle, anonymous": moodle_anonymous, "gradescope": gradescope, "folders": folders,
}  # fmt: skip


def listed(students, kind):
    """Return the list of a class as each platform exports it; "names" has nothing else."""

    def cell(text):
        return '"' + text.replace('"', '""') + '"'

    heads = {
        "canvas": "Student,ID,SIS User ID,SIS Login ID,Section",
        "moodle": "Identifier,Full name,Email address",
        "names": "name",
    }
    lines = {
        "canvas": lambda s: f"{cell(s.name)},{s.number},sis{s.number},,A",
        "moodle": lambda s: f"Participant {s.number},{cell(s.name)},{s.email}",
        "names": lambda s: cell(s.name),
    }
    plain = (lambda s: f"{cell(s.name)},{s.number},{s.email}", "name,student id,email")
    line, head = lines.get(kind, plain[0]), heads.get(kind, plain[1])
    return "\n".join([head, *map(line, students)]) + "\n"


def gradebook_rows(folder, entries, names, list_of_class, sheets=("05",)):
    """Return the rows of the term of a class; a notebook's points are the number that it consists of."""
    (folder / "roster.csv").write_text(list_of_class, encoding="utf-8")
    mark_class(folder, entries, names, sheets)
    return rows_of(aggregate.Gradebook([folder / "out"], {"roster": folder / "roster.csv"}))


def mark_class(folder, entries, names, sheets):
    """Write the marks of a class to the folder `out` in a folder, and the list of its submissions."""
    (folder / "class.zip").write_bytes(zipped(entries))
    found = class_folder.find_submissions(folder / "class.zip", names)
    run = batch.Batch(folder / "out", {"sheets": [*sheets], "secret": "s"})
    run.write_submission_list(found, finished=True)
    for submission in found:
        student, notebooks, faults, *_ = run.task(submission)
        marks = {"student": student, "status": "graded" if notebooks else "unreadable", "notes": faults}
        marks["exercises"] = [_marked(sheet, notebooks[sheet]) for sheet in sheets if sheet in notebooks]
        if any(each["status"] == "unreadable" for each in marks["exercises"]):
            marks["status"] = "unreadable"
        write_whole(run.place(student), store.as_json(run.with_files(marks)))


def rows_of(gradebook):
    """Return the rows of a gradebook as dicts."""
    titles = exports.gradebook_titles([*gradebook.out_of])
    return [
        dict(zip(titles, exports.gradebook_row(record, gradebook.policy), strict=True))
        for record in gradebook.records()
    ]


def _marked(sheet, raw):
    """Return marks of a sheet that is a number; of none, unreadable ones."""
    if raw is None or not raw.isdigit():
        return row(f"{sheet}.qkv", 0, 999, status="unreadable")
    return row(f"{sheet}.qkv", int(raw), 999)


# difficult names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EXPORTS)
def test_each_difficult_name_finds_its_owner(tmp_path, kind):
    platform = kind.partition(" ")[0].strip(",")
    found = gradebook_rows(tmp_path, EXPORTS[kind](CLASS), platform if platform == "gradescope" else "auto",
                    listed(CLASS, platform))  # fmt: skip
    assert [(r["student"], r["05"]) for r in found] == [(s.name, str(s.points)) for s in CLASS]
    assert [r["needs review"] for r in found] == [""] * len(CLASS)


@pytest.mark.parametrize("kind", ["canvas", "moodle", "gradescope"])
def test_roster_of_names_finds_owner_or_reports(tmp_path, kind):
    """With a list of names only each finds its owner or is reported."""
    once = [s for s in CLASS if s.name != "Li Wei"]
    found = gradebook_rows(
        tmp_path, EXPORTS[kind](once), kind if kind == "gradescope" else "auto", listed(once, "names")
    )
    own = {s.name: str(s.points) for s in once}
    by_name = {r["student"]: r for r in found if r["student"] in own}
    wrong = [name for name, r in by_name.items() if r["05"] not in (own[name], "0", "")]
    assert wrong == []
    missed = {name for name, r in by_name.items() if r["05"] != own[name]}
    told = " ".join(r["needs review"] for r in found if r["student"] not in own)
    assert len(missed) <= 6, missed  # such as "Ann Lee" and "Lee Ann", whose names are one without an order
    assert all(
        any(str(v) in r["05"] for r in found if r["student"] not in own) for v in map(own.get, missed)
    ), told


@pytest.mark.parametrize(
    ("in_list", "handed_in", "same"),
    [
        ("Zoë Ng", "Zoe\u0308 Ng", True),  # letters taken apart, as on a Mac
        ("Zoë Ng", "zoe ng", True),
        ("Zoe Ng", "Zoë Ng", True),
        ("Zoé Ng", "Zoë Ng", False),
        ("मीना शर्मा", "मोना शर्मा", False),
        ("สมชาย ใจดี", "สมชัย ใจดี", False),
        ("மீனா", "மோனா", False),
        ("عَلِيّ", "عُلَيّ", False),
        ("שָׁלוֹם", "שָׁלֹם", False),
        ("Йод", "Иод", False),
        ("Γιάννης", "ΓΙΆΝΝΗΣ", True),
        ("Nguyễn Văn Hùng", "Nguyễn Văn Hưng", False),
        ("Nguyễn Văn Hùng", "Nguyen Van Hung", True),
        ("Işık Yılmaz", "ISIK YILMAZ", True),
        ("İsmail Işıl", "ismail isil", True),
        ("Ａｄａ Ｗｉｄｅ", "ada wide", True),
        ("Weiß, Jörg", "JÖRG WEISS", True),
        ("O'Connor, Seán", "Seán OConnor", True),
        ("García-Núñez, Ana", "Ana García Núñez", True),
        ("Kim A/S Bjørn", "Kim A-S Bjørn", True),  # no file can have the name as it is
        ("Kim A/S Bjørn", "Kim AS Bjorn", True),
        ("Kim A/S Bjørn", "Kim A_S Bjørn", True),
        ("Kim A/S Bjørn", "Bjørn, Kim A S", True),
        ("Kim A/S Bjørn", "Kim A T Bjørn", False),
        ("Kim AS Bjørn", "Kim A S Bjørn", False),
        ("Ng: the | Kid?", "Ng_ the - Kid_", True),
        ("Anna Lee", "Ann Alee", False),
        ("Anna Lee", "Ann Lee", False),
        ("Ann Lee", "Ann Leeson", False),
        ("Agent 47", "Agent 4", False),
    ],
)  # fmt: skip
def test_two_names_are_one_or_differ(tmp_path, in_list, handed_in, same):
    found = gradebook_rows(tmp_path, {f"{handed_in}/{SHEET}": b"7", f"other/{SHEET}": b"1"}, "auto",
                    f'name,id\n"{in_list}",1\nother,2\n')  # fmt: skip
    assert found[0]["05"] == ("7" if same else "0")


def test_names_as_long_as_an_archive_allows_take_no_time():
    long = ["_" * 60_000, " a" * 30_000, "_1" * 30_000, "copy" * 15_000, "05_attention" * 5_000]
    begun = time.process_time()
    for name in (
        f"{text}{end}" for text in long for end in ("", "x", "_4711_assignsubmission_file_x", "_1_2_x")
    ):
        origins = {o.student: o for o in naming.owners_of_entries({name: False, "b.ipynb": False}).values()}
        assert len(roster.owners([roster.Person(name), roster.Person("b")], origins)) == 2
    assert time.process_time() - begun < 5


def test_dates_in_file_names_do_not_hide_platform(tmp_path):
    """Files with dates in their names do not hide the platform."""
    students = [Student(s.name, s.number, s.points, ("hw_2026_10_12.ipynb",)) for s in CLASS[:6]]
    for kind in ("moodle without folders", "canvas"):
        platform = kind.partition(" ")[0]
        found = gradebook_rows(tmp_path, EXPORTS[kind](students), "auto", listed(students, platform))
        assert [r["05"] for r in found] == [str(s.points) for s in students]
        (tmp_path / "out" / "marks").rename(tmp_path / f"marks of {platform}")


@pytest.mark.parametrize(
    "text", ["submission_1: 3", "- a", "", "submission_1: !ruby/object:X {b: 1}", "x: {y: z}"]
)
def test_metadata_without_submitters_names_nobody(text):
    assert naming.owners_of_entries({"submission_1": True}, "gradescope", text)[
        "submission_1"
    ] == naming.Origin("submission_1")


@pytest.mark.parametrize("text", ["a: [", "\t- x", "a: *x", "a: b: c"])
def test_metadata_that_is_not_yaml_is_refused_in_a_sentence(text):
    with pytest.raises(UserError, match=r"submission_metadata\.yml is not valid YAML"):
        naming.owners_of_entries({"submission_1": True}, "gradescope", text)


# a student who chooses names ------------------------------------------------------------------------------

OTHERS = [Student("Boole, George", 4712, 1), Student("Curie, Marie", 4713, 2), Student("Li Wei", 4714, 3)]
ABSENT = Student("Dirac, Paul", 4715)
PIECES = st.sampled_from(
    ["George Boole", "Boole, George", "boole_george", "boolegeorge", "Marie Curie", "Paul Dirac", "diracpaul",
     "4712", "4715", "_4712", "_4712_", "__4712___900_", "_4711_", ", ", "_", " ", "assignsubmission_file_",
     "_assignsubmission_", "_LATE_", "LATE_anon_", "anon_x", "submission_74712", " (submission_74712)",
     "05_attention", ".ipynb", "x", "%", "@", "s4712@example.org", "\u202e", "é", "\n", "'", '"', ": ",
     "- :name: George Boole", "9", "Participant"]
)  # fmt: skip
CHOSEN = st.lists(PIECES, min_size=1, max_size=6).map("".join)


def by_person(found):
    """Return the rows of the others, by person."""
    names = {student.name for student in (*OTHERS, ABSENT)}
    return {
        r["student"]: r
        for r in found
        if r["student"] in names and not r["needs review"].startswith("The hand")
    }


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([*EXPORTS]),
    CHOSEN,
    st.lists(CHOSEN, min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
)
@example("canvas", "boolegeorge_4712", ["05_attention.ipynb"], True, True)
@example("canvas", "boolegeorge__4712___900___05__attention", ["05_attention.ipynb"], True, True)
@example("canvas", "boolegeorge\u203f_4712", ["05_attention.ipynb"], True, True)
@example("canvas", "Paul Dirac\u203f_4715", ["05_attention.ipynb"], True, True)
@example("canvas", "x", ["x_4712_900_05_attention.ipynb"], True, True)
@example("canvas", "Paul Dirac", ["05_attention.ipynb"], True, False)
@example("moodle without folders", "x", ["x_4712_assignsubmission_file_05_attention.ipynb"], True, True)
@example("gradescope", "Eve Mallory, George Boole", ["05_attention.ipynb"], True, True)
@example("gradescope", "George Boole", ["05_attention.ipynb"], False, True)
def test_names_that_one_student_chooses_change_nobody_elses_row_unseen(
    tmp_path_factory, kind, shown, files, in_list, platform_list
):
    """The list has numbers of the platform; without any, a display name is all that there is to go by."""
    eve = Student("Mallory, Eve", 4711, 0, tuple(dict.fromkeys(f"{file}.ipynb" for file in files)), shown)
    platform = kind.partition(" ")[0].strip(",")
    roster = listed([*OTHERS, ABSENT, *[eve] * in_list], platform if platform_list else "ids")
    way = "gradescope" if kind == "gradescope" else "auto"
    try:
        entries = EXPORTS[kind]([*OTHERS, eve])
    except ValueError:  # what no YAML can hold
        return
    before = by_person(gradebook_rows(tmp_path_factory.mktemp("a"), EXPORTS[kind](OTHERS), way, roster))
    after = by_person(gradebook_rows(tmp_path_factory.mktemp("b"), entries, way, roster))
    assert before.keys() == after.keys()
    absent = "05: not handed in"
    for name, told in before.items():
        same = (told["05"], told["submission"]) == (after[name]["05"], after[name]["submission"])
        assert same or after[name]["needs review"] not in ("", absent), (name, told, after[name])


def _submission(*paths, **more):
    """Return a submission whose notebooks have these paths."""
    files = tuple(archives.File(path, (Path(path),)) for path in paths)
    return class_folder.Submission("ada", files, **more)


def test_notebook_named_after_another_sheet_is_not_used():
    """Notebook that names another sheet is not taken for this one."""
    both = _submission("04_soft_dictionary.ipynb", "HW5 final.ipynb")
    assert [file.path for file in both.copies_for("05", alone=True)] == ["HW5 final.ipynb"]
    assert both.unread(["05"]) == []
    assert _submission("04_soft_dictionary.ipynb").copies_for("05", alone=True) == []


def test_sheet_is_absent_where_only_others_were_handed_in():
    other = _submission("04_soft_dictionary.ipynb")
    assert other.only_other_sheets(["05"]) == ["04"]
    assert other.only_other_sheets(["04"]) == []
    for unclear in (_submission("HW5.ipynb"), _submission("04_soft_dictionary.ipynb", others=("scan.pdf",))):
        assert unclear.only_other_sheets(["05"]) == []


# several assignments of Moodle, each with numbers of its own -----------------------------------------------


def mark_two_assignments(folder):
    """Write two marked assignments of Moodle, whose participants have other numbers in each of them."""
    weeks = {"05": CLASS, "06": [replace(s, number=s.number + 2000, points=s.points + 100) for s in CLASS]}
    for sheet, students in weeks.items():
        students = [replace(s, files=(f"{sheet}_{SUBJECTS[sheet]}.ipynb",)) for s in students]
        week = folder / sheet
        (week / "out").mkdir(parents=True)
        mark_class(week, moodle(students), "auto", (sheet,))
        worksheet = "\n".join(
            ["Identifier,Full name,ID number"]
            + [f'Participant {s.number},"{s.name}",m{place}' for place, s in enumerate(students)]
        )
        (week / "out" / "roster.csv").write_text(worksheet, encoding="utf-8")
    return [folder / sheet / "out" for sheet in weeks]


SUBJECTS = {"05": "attention", "06": "multi_head"}
WANTED = [(s.name, str(s.points), str(s.points + 100)) for s in CLASS]


def test_each_assignment_of_moodle_is_matched_by_its_own_worksheet(tmp_path):
    """Two people of one name are told apart in both assignments, and every worksheet is written."""
    weeks = mark_two_assignments(tmp_path)
    names = "\n".join(["name,id", *(f'"{s.name}",m{place}' for place, s in enumerate(CLASS))])
    (tmp_path / "names.csv").write_text(names, encoding="utf-8")
    for main in (weeks[0] / "roster.csv", tmp_path / "names.csv"):
        gradebook = aggregate.Gradebook(weeks, {"roster": main})
        found = rows_of(gradebook)
        assert [(r["student"], r["05"], r["06"]) for r in found] == WANTED
        assert [r["needs review"] for r in found] == [""] * len(CLASS)
        output.write(gradebook, tmp_path / "term")
        for sheet, first in (("05", 5000), ("06", 7000)):
            worksheet = rows(tmp_path / "term" / f"moodle-worksheet-{sheet}.csv")
            assert [*worksheet] == [f"Participant {first + place}" for place in range(len(CLASS))]


@pytest.mark.parametrize(
    ("kind", "titles", "line"),
    [
        ("moodle", "Identifier,Full name", 'Participant {0.number},"{0.name}"'),
        ("canvas", "Student,ID,SIS User ID,SIS Login ID,Section", '"{0.name}",{0.number},,,A'),
    ],
)
def test_two_people_of_one_name_differ_by_the_platforms_number(tmp_path, kind, titles, line):
    """A platform shows ids and addresses only to instructors who may see them."""
    found = gradebook_rows(
        tmp_path, EXPORTS[kind](CLASS), "auto", "\n".join([titles, *map(line.format, CLASS)])
    )
    assert [(r["student"], r["05"]) for r in found] == [(s.name, str(s.points)) for s in CLASS]
    assert [r["needs review"] for r in found] == [""] * len(CLASS)


def test_assignment_without_worksheet_gives_nobody_a_zero(tmp_path):
    weeks = mark_two_assignments(tmp_path)
    (weeks[1] / "roster.csv").unlink()
    gradebook = aggregate.Gradebook(weeks, {"roster": weeks[0] / "roster.csv"})
    found = rows_of(gradebook)[: len(CLASS)]
    assert [(r["student"], r["05"]) for r in found] == [(name, first) for name, first, _ in WANTED]
    assert [r["06"] for r in found] == [""] * len(CLASS)
    assert all("perhaps handed in as" in r["needs review"] for r in found)
    assert any("Save the grading worksheet of this assignment" in note for note in gradebook.notes)
