"""An instructor's own sheets: a folder beside the library that every command uses."""

import csv
import json
import os
import subprocess
import sys

import pytest

from clearhead.sandbox.isolation import problem

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")

SHEET = """---
number: 21
title: Our homework
---
# Our homework

```python
import numpy as np

from clearhead.checks import check, hint
```

[doubled](doubled.md)
"""
EXERCISE = """---
title: Twice as much
stars: 1
minutes: 1
---
Double every entry.

```python
def doubled(x):
    \"\"\"Return each entry of x (n,) twice as large.\"\"\"
    # answer
    return x + x + 0.0
```

## Hints

1. Add it to itself.
2. x + x
3. return 2 * x

## Other right answers

```python
def by_a_product(x):
    return 2.0 * x + 0.0
```

## Wrong answers

```edits
squared: x + x => x**2
    You squared x. Multiply it by 2.
```
"""
CASES = """
import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drawn import drawn


def cases(rng):
    return [Case("by hand", (np.array([1.0, 3.0]),), "2 and 6.", expected=np.array([2.0, 6.0])),
            Case("random", (drawn(rng),), "Compare one entry.")]


EXERCISE = exercise_from_text(__file__, cases)
"""
DRAWN = "def drawn(rng):\n    return rng.normal(size=4)\n"
COMMAND = "from clearhead.grading.cli import main; main()"


@pytest.fixture
def own(tmp_path):
    """Return a folder with one sheet of one's own and its solution."""
    folder = tmp_path / "own"
    (folder / "homework").mkdir(parents=True)
    texts = {
        "__init__.py": "",
        "sheet.md": SHEET,
        "doubled.md": EXERCISE,
        "doubled.py": CASES,
        "drawn.py": DRAWN,
    }
    for name, text in texts.items():
        (folder / "homework" / name).write_text(text)
    return folder


def python(code, *arguments, **environment):
    """Return what another Python did with a piece of code."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


@isolated
def test_own_sheets_are_built_checked_and_graded(own, tmp_path):
    """Own sheets are built checked and graded without editing the library."""
    built = python(COMMAND, "build-exercises", "--root", own)
    assert "solutions/21_homework.ipynb written." in built.stdout, built.stderr
    assert "exercises/21_homework.ipynb written." in built.stdout
    sheet = (own / "exercises" / "21_homework.ipynb").read_text()
    assert "NotImplementedError" in sheet
    code = 'from clearhead.checks import check; check("21.doubled", lambda x: x**2)'
    assert "You squared x" in python(code, CLEARHEAD_SHEETS=str(own)).stdout
    for name, body in {"ada": "return 2 * x", "ben": "return x**2"}.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        answered = sheet.replace("raise NotImplementedError  # your turn", body)
        (tmp_path / "in" / name / "21_homework.ipynb").write_text(answered)
    done = python(COMMAND, "--sheets", own, "grade", tmp_path / "in", "--out", tmp_path / "out", "-j", 2)
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "out" / "grades.csv", encoding="utf-8-sig") as file:
        points = {row["student"]: row["points"] == row["max points"] for row in csv.DictReader(file)}
    assert points == {"ada": True, "ben": False}
    page = next((tmp_path / "out" / "feedback").glob("ben-*.html")).read_text()
    assert "You squared x." in page
    assert "Read again: sheet 21, Our homework." in page


def test_own_sheets_go_into_a_class_edition_without_their_answers(own, tmp_path):
    """The search for answers knows those of the own solutions, too."""
    code = """import json, sys
from pathlib import Path
from clearhead.authoring import class_sheets, leaks, release
from clearhead.checks import recorded, registry
recorded.DRAWS = 1
registry.add(sys.argv[1])
files = {name: content.decode() for name, content in class_sheets.sheet_files("21").items()}
sources = [str(place) for place in release._sources(Path("/nowhere"))]
print(json.dumps([files, sources, list(leaks.solutions(registry.own_folders()[0]))]))"""
    python(COMMAND, "build-exercises", "--root", own)
    done = python(code, own)
    assert done.returncode == 0, done.stderr
    files, sources, known = json.loads(done.stdout)
    assert {name.rpartition("/")[2] for name in files} == {
        "__init__.py", "sheet.md", "doubled.md", "doubled.py", "doubled.json", "drawn.py"
    }  # fmt: skip
    assert "x + x + 0.0" not in "".join(files.values())
    assert "2.0 * x" not in "".join(files.values())
    assert "x**2" not in "".join(files.values())
    kept = files["clearhead/sheets/homework/doubled.md"]
    assert "squared:\n    You squared x. Multiply it by 2." in kept
    assert "# answer\n    raise NotImplementedError" in kept
    place = tmp_path / "edition" / "homework"
    place.mkdir(parents=True)
    for name, content in files.items():
        (place / name.rpartition("/")[2]).write_text(content)
    code = 'from clearhead.checks import check; check("21.doubled", lambda x: {})'
    for answer, said in {"x**2": "You squared x", "x + x": "✓"}.items():
        told = python(code.format(answer), CLEARHEAD_SHEETS=str(place.parent))
        assert said in told.stdout, told.stdout + told.stderr
    assert sources == ["/nowhere", str(own)]
    assert known == ["21_homework: doubled, line 2"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda own: (own / "homework").rename(own / "attention"), "Two folders of sheets are called"),
        (lambda own: (own / "homework" / "sheet.md").write_text(SHEET.replace("21", "05")), "number 05"),
        (
            lambda own: (own / "homework" / "sheet.md").write_text(SHEET.replace("21", "212")),
            "the number must have two digits",
        ),
        (lambda own: (own / "homework" / "sheet.md").unlink(), "has no sheet.md"),
        (lambda own: (own / "homework" / "doubled.md").unlink(), "there is no such file beside it"),
    ],
    ids=["name", "number", "no number", "no sheet", "no exercise"],
)
def test_own_sheets_that_would_hide_others_are_refused(own, change, said):
    change(own)
    done = python(COMMAND, "--sheets", own, "grade", own)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


FORGOTTEN = {
    "cases": (
        lambda sheet: (sheet / "doubled.py").unlink(),
        "doubled.md has no cases: write them into doubled.py",
    ),
    "link": (
        lambda sheet: (sheet / "sheet.md").write_text(SHEET.replace("[doubled](doubled.md)", "")),
        "sheet.md does not mention the exercise doubled.md",
    ),
    "link and cases": (
        lambda sheet: [
            (sheet / "sheet.md").write_text(SHEET.replace("[doubled](doubled.md)", "")),
            (sheet / "doubled.py").unlink(),
        ],
        "sheet.md does not mention the exercise doubled.md",
    ),
    "link once only": (
        lambda sheet: (sheet / "sheet.md").write_text(SHEET + "\n[doubled](doubled.md)\n"),
        "sheet.md links twice to doubled.md",
    ),
    "function of its own": (
        lambda sheet: [
            (sheet / "tripled.md").write_text(EXERCISE),
            (sheet / "tripled.py").write_text(CASES),
            (sheet / "sheet.md").write_text(SHEET + "\n[tripled](tripled.md)\n"),
        ],
        "tripled.md defines doubled, as doubled.md does",
    ),
    "earlier exercise": (
        lambda sheet: (sheet / "doubled.md").write_text(
            EXERCISE.replace("stars", "builds_on: halved\nstars")
        ),
        "doubled.md builds on halved, but no exercise before it",
    ),
}


@pytest.mark.parametrize("part", FORGOTTEN)
def test_exercise_that_lacks_a_part_is_reported(own, part):
    """Whoever builds the notebooks, checks an answer or audits is told which part is missing, and where."""
    forget, said = FORGOTTEN[part]
    forget(own / "homework")
    built = python(COMMAND, "build-exercises", "--root", own)
    assert built.returncode == 1
    assert said in built.stderr
    assert "Traceback" not in built.stderr
    check = 'from clearhead.checks import check; check("21.doubled", len)'
    told = python(check, CLEARHEAD_SHEETS=str(own), CLEARHEAD_STRICT="1")
    assert "".join(said.split()) in "".join(told.stderr.split())
    audited = python(COMMAND, "--sheets", own, "audit", "21.doubled")
    assert said in audited.stderr
    assert "Traceback" not in audited.stderr


MISNAMED = {
    "EXERCISE": (
        lambda sheet: (sheet / "doubled.py").write_text(CASES.replace("EXERCISE", "exercise")),
        "doubled.py makes no exercise: it must end with",
    ),
    "module": (
        lambda sheet: (sheet / "doubled.py").rename(sheet / "twice.py"),
        "doubled.md has no cases: write them into doubled.py",
    ),
    "second module": (
        lambda sheet: (sheet / "twice.py").write_text(CASES),
        "twice.md: the text of an exercise and its module of cases must have the same name",
    ),
}


@pytest.mark.parametrize("part", MISNAMED)
def test_misnamed_part_of_an_exercise_is_reported(own, part):
    rename, said = MISNAMED[part]
    rename(own / "homework")
    told = python('from clearhead.checks import check; check("21.doubled", len)', CLEARHEAD_SHEETS=str(own))
    assert "".join(said.split()) in "".join(told.stdout.split()), told.stdout
    assert "our fault" not in told.stdout


def test_notes_beside_the_exercises_are_no_exercise(own):
    (own / "homework" / "NOTES.md").write_text("# Ideas for next year\n")
    assert python(COMMAND, "build-exercises", "--root", own).returncode == 0


def test_an_edit_that_fits_nothing_is_named_with_its_file(own):
    (own / "homework" / "doubled.md").write_text(EXERCISE.replace("x + x =>", "y + y =>"))
    told = python('from clearhead.checks import check; check("21.doubled", len)', CLEARHEAD_SHEETS=str(own))
    assert "squared: 'y + y' does not occur in the answer" in " ".join(told.stdout.split())
    assert "Traceback" not in told.stderr


def test_a_folder_of_own_sheets_that_is_missing_is_named(own):
    code = 'from clearhead.checks import check; check("05.qkv", print)'
    told = python(code, CLEARHEAD_SHEETS=str(own / "none"))
    said = f"There is no folder {own / 'none'}, which CLEARHEAD_SHEETS"
    assert "".join(said.split()) in "".join(told.stdout.split())  # a long path is wrapped, too
