"""A class is graded by root and by an ordinary user alike; only a refusal of the kernel is called one."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from clearhead.grading.commands.example import answers, notebook
from clearhead.sandbox import bwrap_config
from support import users
from support.places import TESTS

CLOSED = ("--dev-bind", "/", "/", "--unshare-user", "--disable-userns")


@pytest.fixture
def open_folder():
    """Yield a folder that every user may read and write; those of pytest are for their owner alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.mark.parametrize("who", users.WHO)
def test_a_class_is_graded(who, open_folder):
    users.may_grade(who)
    for name, text in {"ada": answers(), "ben": answers(sharpen=None)}.items():
        (open_folder / "in" / name).mkdir(parents=True)
        (open_folder / "in" / name / "05_attention.ipynb").write_text(text)
    out = open_folder / "out"
    done = users.run(
        users.GRADE, "grade", open_folder / "in", "--out", out, "--sheet", "05", "-j", 1, who=who
    )
    assert done.returncode == 0, done.stderr
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        rows = {row["student"]: row["points"] for row in csv.DictReader(file)}
    assert rows == {"ada": "31", "ben": "26"}


#: Which tests of a file; what is drawn and told is computed before any code of a student's runs.
WHICH = {
    "unearned": "not public_draws and not hidden and not facts",
    "class": "broken_submission or cannot_be_written",
}


@pytest.mark.parametrize("which", WHICH)
def test_what_holds_for_us_holds_where_an_ordinary_user_grades(which):
    """The tests of another file, in a process of that user; the hostile suite has odd archives."""
    users.may_grade("nobody")
    (file,) = TESTS.glob(f"*/test_grading_{which}.py")
    asked = ["-q", "-p", "no:cacheprovider", "-k", WHICH[which], str(file)]
    done = users.run(f"import pytest, sys; sys.exit(pytest.main({asked!r}))", who="nobody")
    assert done.returncode == 0, done.stdout[-3000:]
    assert " skipped" not in done.stdout


def test_kernel_without_namespaces_is_refused_with_remedy(open_folder):
    """It is this kernel, in a sandbox of bubblewrap in which no other may be made."""
    users.may_grade("nobody")
    command = [bwrap_config.bwrap_path(), *CLOSED, "--uid", "1000", "--gid", "1000", "--"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this bubblewrap cannot forbid namespaces")
    code = "from clearhead.sandbox.isolation import problem; print(problem())"
    words = users.words("nobody", code)
    place = words.index(sys.executable)
    done = subprocess.run(
        [*words[:place], *command, *words[place:]], capture_output=True, text=True, cwd="/", check=False,
        env=users.environment(),
    )  # fmt: skip
    assert done.stdout.startswith("This machine does not allow a sandbox: bwrap: "), done.stderr
    for word in ("sudo", "sysctl", "Docker"):
        assert word in done.stdout


# a container like Docker's, which Gradescope's autograder runs in -------------------------------------------

NO_RIGHT = ("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
PROC_IN_PARTS = ("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--tmpfs", "/proc/acpi")
FILTERED = """
import os, sys
from clearhead.sandbox import forbidden_calls
from clearhead.sandbox.bwrap_config import bwrap_path
forbidden_calls.UNCOUNTED = forbidden_calls.OF_OTHERS = ""  # of Docker's filter, what forbids sandboxes
rules = forbidden_calls.compiled()
os.set_inheritable(rules, True)
os.execv(bwrap_path(), ["bwrap", "--dev-bind", "/", "/", "--seccomp", str(rules), "--", *sys.argv[1:]])
"""
THIEF = """
import sys
for name in [name for name in sys.modules if name.startswith("clearhead")]: del sys.modules[name]
from clearhead.checks import registry
for exercise in registry.sheet("05").exercises: globals()[exercise.answer_name] = exercise.reference
"""


def in_container(kind, *arguments):
    """Return what the grader did in a container: as root without a right, behind a filter, or as nobody."""
    grade = users.words("nobody" if kind == "its /proc in parts" else "as we are", users.GRADE, *arguments)
    command = {
        "root without the right to mount": [*NO_RIGHT, *grade],
        "root behind a filter": [sys.executable, "-c", FILTERED, *grade],
        "its /proc in parts": [
            bwrap_config.bwrap_path(),
            "--dev-bind",
            "/",
            "/",
            *PROC_IN_PARTS,
            "--",
            *grade,
        ],
    }[kind]
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd="/", check=False, env=users.environment()
    )


@pytest.mark.parametrize(
    "kind", ["root without the right to mount", "root behind a filter", "its /proc in parts"]
)
def test_nothing_is_graded_in_container_without_sandboxes(kind, open_folder):
    """In a container where no sandbox can be made nothing is graded."""
    users.may_grade("nobody")
    (open_folder / "in").mkdir()
    (open_folder / "in" / "ada.ipynb").write_text(answers())
    done = in_container(kind, "grade", open_folder / "in", "--out", open_folder / "out", "--sheet", "05")
    assert done.returncode == 1
    assert "This machine does not allow a sandbox: bwrap: " in done.stderr
    assert "Gradescope" in done.stderr
    assert not list(open_folder.glob("out/**/*.json"))


def test_unprotected_submissions_get_no_marks(open_folder):
    """There, five lines call the references."""
    (open_folder / "in").mkdir()
    (open_folder / "in" / "eve.ipynb").write_text(notebook(THIEF))
    out = open_folder / "out"
    done = users.run(
        users.GRADE, "grade", open_folder / "in", "--out", out, "--sheet", "05", "-j", 1,
        "--unsafe-no-sandbox", who="as we are",
    )  # fmt: skip
    assert "31 of 31" in done.stdout
    assert "1 unprotected, which get no marks" in done.stdout
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        row = next(csv.DictReader(file))
    assert (row["status"], row["points"], row["05.qkv"]) == ("unprotected", "", "")
    assert not list(out.glob("gradescope/*/*"))
    assert "They do not count as marks" in next(out.glob("feedback/*.html")).read_text()
