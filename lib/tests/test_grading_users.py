"""A class is graded by root and by an ordinary user alike; only a refusal of the kernel is called one."""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from clearhead.grading.example import answers

LIBRARY = Path(__file__).parents[1]
WHO = pytest.mark.parametrize("who", ["as we are", "nobody"])
GRADE = "from clearhead.grading.cli import main; main()"
NAMESPACES = "from clearhead.sandbox import linux as l; l.unshare(l.NEW_USER | l.NEW_PIDS | l.NEW_MOUNTS)"
#: Become nobody, and run Python again. A home that only root may enter, such as /root, is covered first by an
#: open folder with the same Python in it, for this process alone.
BECOME_NOBODY = """
import os, sys, tempfile
from clearhead.sandbox import linux as l
base, closed = os.path.realpath(sys.base_prefix), None
for place in [base[:i] for i, c in enumerate(base) if c == "/" and i]:
    closed = closed or (None if os.stat(place).st_mode & 1 else place)
if closed:
    l.unshare(l.NEW_MOUNTS)
    l.mount("none", "/", flags=l.RECURSIVE | l.PRIVATE)
    held = tempfile.mkdtemp()
    l.mount(base, held, flags=l.BIND | l.RECURSIVE)
    l.mount("open", closed, "tmpfs", options="mode=755")
    os.makedirs(base)
    l.mount(held, base, flags=l.BIND | l.RECURSIVE)
    l._must(l._libc().umount2(held.encode(), l.DETACH), "umount")
    os.rmdir(held)
os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
os.execv(sys.executable, [sys.executable, "-c", *sys.argv[1:]])
"""


def run(code, *arguments, who):
    """Return what Python did with a piece of code, as the user of the tests or as nobody."""
    words = [code, *map(str, arguments)]
    return subprocess.run(
        [sys.executable, "-c", *([BECOME_NOBODY] if who == "nobody" else []), *words],
        capture_output=True, text=True, check=False, cwd="/",
        env=os.environ | {"PYTHONPATH": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip


def may_grade(who):
    """Skip where we cannot be that user, or the kernel gives it no namespace."""
    if who == "nobody" and os.geteuid():
        pytest.skip("only root can become another user; the other tests run as an ordinary one already")
    if "NotAllowed" in (said := run(NAMESPACES, who=who).stderr):
        pytest.skip(f"the kernel gives this user no namespace: {said.splitlines()[-1]}")


@pytest.fixture
def open_folder():
    """Yield a folder that every user may read and write; those of pytest are for their owner alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@WHO
def test_a_class_is_graded(who, open_folder):
    may_grade(who)
    for name, text in {"ada": answers(), "ben": answers(sharpen=None)}.items():
        (open_folder / "in" / name).mkdir(parents=True)
        (open_folder / "in" / name / "05_attention.ipynb").write_text(text)
    out = open_folder / "out"
    done = run(GRADE, "grade", open_folder / "in", "--out", out, "--sheet", "05", "-j", 1, who=who)
    assert done.returncode == 0, done.stderr
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        rows = {row["student"]: row["points"] for row in csv.DictReader(file)}
    assert rows == {"ada": "31", "ben": "26"}
