"""A class is graded by root and by an ordinary user alike; only a refusal of the kernel is called one."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import users
from clearhead.grading.example import answers
from clearhead.sandbox import room

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


def test_a_kernel_that_makes_no_namespaces_refuses_and_the_way_out_is_said(open_folder):
    """It is this kernel, in a room of bubblewrap's in which no more may be made."""
    users.may_grade("nobody")
    command = [room.program(), *CLOSED, "--uid", "1000", "--gid", "1000", "--"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this bubblewrap cannot forbid namespaces")
    code = "from clearhead.sandbox.isolation import trouble; print(trouble())"
    words = users.words("nobody", code)
    place = words.index(sys.executable)
    done = subprocess.run(
        [*words[:place], *command, *words[place:]], capture_output=True, text=True, cwd="/", check=False,
        env=users.environment(),
    )  # fmt: skip
    assert done.stdout.startswith("This machine does not let you make a room: bwrap: "), done.stderr
    for word in ("sudo", "sysctl", "Docker"):
        assert word in done.stdout
