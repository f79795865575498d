"""No submission gets a point that it did not earn, and none harms the grader, the machine or others."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from clearhead.grading.commands.example import RIGHT, answers
from clearhead.grading.run.store import file_name
from clearhead.sandbox.isolation import problem
from support import (
    hostile_ideas,  # noqa: F401 - enters more of them
    hostile_tricks,  # noqa: F401
    users,
)
from support.hostile_answers import HOSTILE
from support.hostile_notebooks import NAMES, NOTEBOOKS, write_archives, write_notebooks
from support.places import TESTS

CORRECT = {f"neighbour {number}": (answers(), {}) for number in range(4)}
NAMED = {name: (answers(), {}) for name in NAMES}
CLASS = HOSTILE | NOTEBOOKS | CORRECT | NAMED
missing = problem()
pytestmark = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")


@pytest.fixture(scope="module")
def visitors():
    """Yield a port, and the list of those who called it or its hidden twin."""
    found = []
    lines = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
    port = lines[0].getsockname()[1]
    lines[1].bind(f"\0clearhead-{port}")
    lines[1].listen()

    def wait(line):
        while True:
            try:
                found.append(line.accept())
            except OSError:
                return

    for line in lines:
        threading.Thread(target=wait, args=(line,), daemon=True).start()
    yield port, found
    for line in lines:
        line.close()


def parent(process):
    """Return the number of the parent of a process, 0 where there is none."""
    try:
        return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def left_behind():
    """Return the processes of sandboxes whose own grader has ended: under us, or under what we stand under.

    Another grader may be at work at the same time; its sandboxes hang under its own workers.
    """
    above = [os.getpid()]
    while above[-1]:
        above.append(parent(above[-1]))
    found = []
    for process in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"clearhead.sandbox.fork_server" in command and parent(process) in above:
                found.append(process)
    return found


#: What asks something of the operating system, where the limits of root and of an ordinary user differ.
ASKS_THE_SYSTEM = re.compile(
    r"\b(import|from)\s[\w, ]*\b(os|ctypes|socket|fcntl|signal|resource|mmap|multiprocessing|subprocess|"
    r"tempfile|threading|pathlib|shutil)\b|\bopen\(|/proc|/dev|__import__"
)


def depends_on_the_user(text, allowed):
    """Return whether a submission could be marked otherwise where another user grades it.

    Where Python or the reader of notebooks decides, the user plays no part. Memory and processes are limited
    in another way for root, and every call of the operating system may be answered in another way.
    """
    statuses = {status for each in allowed.values() for status in each}
    return bool(statuses & {"memory", "crashed"} or ASKS_THE_SYSTEM.search(str(text)))


SYSTEM = {name: each for name, each in CLASS.items() if depends_on_the_user(*each)}
#: What `write_archives` adds, whatever the class.
ARCHIVES = (
    "good archive",
    "climbing archive",
    "absolute archive",
    "archive with a link",
    "a gigabyte of zeros",
    "broken archive",
    "too many members",
    "nested archive",
    "linked",
    "link inside",
    "pipe",
    "single",
    "archive by LZMA",
    "archive encrypted",
    "archive of an unknown method",
    "folder that is a link",
    "hard link",
)
#: Correct submissions among them. Links lead to the last one.
BESIDE = CORRECT | NAMED | {"correct": NOTEBOOKS["correct"]}
#: An ordinary user, if we can be one, grades the whole class, and root then what could depend on the user.
GRADERS = [] if missing else [who for who in ("nobody", "as we are") if not users.problem(who)]
CLASS_OF = dict.fromkeys(GRADERS, SYSTEM | BESIDE) | dict.fromkeys(GRADERS[:1], CLASS)


@pytest.fixture(scope="module", params=GRADERS)
def graded(request, visitors):
    """Grade a class, and return marks by student, the expected statuses and the folder."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield _graded(request.param, Path(name), visitors)


def _graded(who, folder, visitors):
    (folder / "in").mkdir()
    entries = {
        k: (v if isinstance(v, bytes) else v.replace("{port}", str(visitors[0])), e)
        for k, (v, e) in CLASS_OF[who].items()
    }
    write_notebooks(folder / "in", entries)
    expected = {name: allowed for name, (_, allowed) in entries.items()} | write_archives(folder / "in")
    assert set(expected) == {*entries, *ARCHIVES}
    arguments = [
        "grade",
        str(folder / "in"),
        "--out",
        str(folder / "out"),
        "--sheet",
        "05",
        "--seed",
        "a secret",
    ]
    done = users.run(users.GRADE, *arguments, "-j", "2", "--timeout", "0.8", "--memory", "512", who=who)
    assert done.returncode == 0, done.stderr
    marks = {m["student"]: m for m in json.loads((folder / "out" / "grades.json").read_text())}
    return marks, expected, folder


def _says(marks):
    return [
        (row["id"], row["status"], [c["message"] for c in row["cases"] if c["message"]][:1])
        for row in marks["exercises"]
    ]


@pytest.mark.parametrize("name", [*SYSTEM, *BESIDE, *ARCHIVES])
def test_it_gets_the_marks_that_it_earned(graded, name):
    earned(graded, name)


@pytest.mark.parametrize("graded", GRADERS[:1], indirect=True)
@pytest.mark.parametrize("name", sorted(set(CLASS) - set(SYSTEM) - set(BESIDE)))
def test_user_independent_submission_gets_marks_it_earned(graded, name):
    """What no user could change gets the marks that it earned."""
    earned(graded, name)


def earned(graded, name):
    """Assert that a submission has the marks that it must have."""
    marks, allowed = graded[0][name], graded[1][name]
    unreadable = any(row["status"] == "unreadable" for row in marks["exercises"])
    assert marks["status"] == ("unreadable" if unreadable else "graded"), marks["notes"]
    assert marks["notes"] or not unreadable
    for row in marks["exercises"]:
        entry = row["id"].partition(".")[2]
        assert row["status"] in allowed.get(entry, ("passed",)), (_says(marks), marks["notes"])
        assert row["points"] == (row["max_points"] if row["status"] == "passed" else 0)
    assert {row["id"] for row in marks["exercises"]} == {f"05.{entry}" for entry in RIGHT}


def test_every_submission_was_marked(graded):
    marks, expected, _ = graded
    assert set(marks) == set(expected)


def test_hostile_suite_is_large_and_half_user_dependent():
    """The suite is large and half of it depends on the user."""
    assert len(CLASS) + len(ARCHIVES) > 210  # as the page for instructors says
    assert sum(bool(allowed) for _, allowed in CLASS.values()) >= 90
    assert len(CLASS) / 3 < len(SYSTEM) < len(CLASS)
    for name in ("a fork bomb", "ten thousand threads", "a list that grows", "becomes root", "a giant file"):
        assert name in SYSTEM
    for name in ("endless loop", "nbformat 3", "patched comparisons"):
        assert name not in SYSTEM


def test_what_the_table_of_attacks_names_is_there():
    table = Path(__file__).with_name("hostile.md").read_text()
    tests = "\n".join(path.read_text() for path in TESTS.glob("*/test_*.py"))
    named = re.findall(r'"([^"|]+)"', table)
    assert len(named) > 60
    assert [name for name in named if name not in {*CLASS, *ARCHIVES}] == []
    assert [n for n in re.findall(r"`(test_\w+)`", table) if f"def {n}(" not in tests] == []


def test_nobody_called_out_of_a_sandbox(graded, visitors):
    assert visitors[1] == []


def test_no_process_no_mount_and_no_file_is_left(graded):
    assert left_behind() == []
    assert "/course" not in Path("/proc/mounts").read_text()
    assert not any(Path("/dev/shm").glob("[0-9]*"))


@pytest.mark.parametrize(
    ("who", "number"),
    [
        ("as we are", signal.SIGINT),
        *((who, n) for who in users.WHO for n in (signal.SIGTERM, signal.SIGKILL)),
    ],
)
def test_a_grader_that_is_stopped_takes_its_rooms_with_it(who, number):
    users.may_grade(who)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        _stop(Path(name), who, number)


def _stop(folder, who, number):
    sleeper = answers(
        sharpen="def sharpen(*a):\n    import os, time\n    os.fork() or os.setsid()\n    time.sleep(10**6)\n"
    )
    (folder / "in").mkdir()
    write_notebooks(folder / "in", {"one": (sleeper, {}), "two": (sleeper, {})})
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from clearhead.grading.cli import main; main()"
    arguments = ["grade", folder / "in", "--out", folder / "out", "--timeout", "30", "-j", "2"]
    command = users.words(who, code, *arguments)
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=users.environment(), cwd="/")
    sandboxes = _soon(lambda: [p for p in _below(started.pid) if _is_sleeping_student_process(p)], bool)
    assert sandboxes
    grader = next(p for p in sorted(_below(started.pid)) if _program(p) == sys.executable)
    os.kill(grader, number)
    started.wait(20)
    assert _soon(lambda: [p for p in sandboxes if Path(f"/proc/{p}").exists()], lambda found: not found) == []
    assert _soon(left_behind, lambda found: not found) == []


def _program(process):
    """Return what a process was started as."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().partition(b"\0")[0].decode()
    except OSError:
        return ""


def _soon(look, enough):
    """Return what `look` sees as soon as it is enough, or after half a minute."""
    for _ in range(300):
        if enough(found := look()):
            break
        time.sleep(0.1)
    return found


def _below(process):
    """Return the processes that stand under one, at any depth."""
    parents = {int(name): parent(name) for name in os.listdir("/proc") if name.isdigit()}
    found = {process}
    for _ in range(12):
        found |= {child for child, above in parents.items() if above in found}
    return found


def _is_sleeping_student_process(process):
    """Return True for a process of the student's: it sleeps for ever, in a namespace of its own."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        return len(status.partition("NSpid:")[2].splitlines()[0].split()) > 1 and "NoNewPrivs:\t1" in status
    except (OSError, IndexError):
        return False


def test_what_is_exported_is_safe_to_open(graded):
    marks, _, folder = graded
    table = (folder / "out" / "grades.csv").read_text()
    assert not any(
        cell.strip('"')[:1] in set("=+-@") for line in table.splitlines() for cell in line.split(",")[:1]
    )
    assert "\x1b" not in table
    for name in {"a message with a script", "<script>alert(1)"} & set(marks):
        page = (folder / "out" / "feedback" / f"{file_name(name)}.html").read_text()
        assert "<script" not in page
    for results in (folder / "out" / "gradescope").glob("*/results.json"):
        assert json.loads(results.read_text())["score"] >= 0
