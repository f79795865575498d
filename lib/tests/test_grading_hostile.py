"""No submission gets a point that it did not earn, and none harms the grader, the machine or others."""

import json
import os
import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from clearhead.grading.cli import main
from clearhead.grading.example import RIGHT, answers
from clearhead.grading.exporting import file_name
from clearhead.grading.isolation import trouble
from hostile_answers import HOSTILE
from hostile_notebooks import NAMES, NOTEBOOKS, write_archives, write_notebooks

CORRECT = {f"neighbour {number}": (answers(), {}) for number in range(4)}
NAMED = {name: (answers(), {}) for name in NAMES}
CLASS = HOSTILE | NOTEBOOKS | CORRECT | NAMED
missing = trouble()
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


def processes():
    """Return the numbers of the processes that are there."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


@pytest.fixture(scope="module")
def graded(tmp_path_factory, visitors):
    """Grade all of them as one class, and return marks by student, the expected statuses and the folder."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "in").mkdir()
    entries = {
        k: (v if isinstance(v, bytes) else v.replace("{port}", str(visitors[0])), e)
        for k, (v, e) in CLASS.items()
    }
    write_notebooks(folder / "in", entries)
    expected = {name: allowed for name, (_, allowed) in CLASS.items()} | write_archives(folder / "in")
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
    done = CliRunner().invoke(main, [*arguments, "-j", "2", "--timeout", "1", "--memory", "512"])
    assert done.exit_code == 0, done.output
    marks = {m["student"]: m for m in json.loads((folder / "out" / "grades.json").read_text())}
    return marks, expected, folder


def _says(marks):
    return [
        (row["id"], row["status"], [c["says"] for c in row["cases"] if c["says"]][:1])
        for row in marks["exercises"]
    ]


@pytest.mark.parametrize(
    "name",
    [
        *CLASS,
        *[
            "good archive",
            "climbing archive",
            "absolute archive",
            "archive with a link",
            "a gigabyte of zeros",
            "broken archive",
            "too many members",
            "nested archive",
            "linked.ipynb",
            "link inside",
            "pipe",
            "single",
        ],
    ],
)
def test_it_gets_the_marks_that_it_earned(graded, name):
    marks, allowed = graded[0][name], graded[1][name]
    assert marks["status"] == "graded", marks["notes"]
    for row in marks["exercises"]:
        entry = row["id"].partition(".")[2]
        assert row["status"] in allowed.get(entry, ("passed",)), (_says(marks), marks["notes"])
        assert row["points"] == (row["out_of"] if row["status"] == "passed" else 0)
    assert {row["id"] for row in marks["exercises"]} == {f"05.{entry}" for entry in RIGHT}


def test_the_suite_is_large_and_every_submission_was_marked(graded):
    marks, expected, _ = graded
    assert set(marks) == set(expected)
    assert len(expected) > 140  # as the page for instructors says
    assert sum(bool(allowed) for allowed in expected.values()) >= 80


def test_nobody_called_out_of_a_room(graded, visitors):
    assert visitors[1] == []


def test_no_process_no_mount_and_no_file_is_left(graded):
    left = []
    for process in processes():
        try:
            status, command = (
                Path(f"/proc/{process}/status").read_text(),
                Path(f"/proc/{process}/cmdline").read_bytes(),
            )
        except OSError:
            continue
        uid = int(status.partition("Uid:")[2].split()[0])
        if uid >= 2_000_000 or b"clearhead.grading.server" in command:
            left.append((process, command))
    assert left == []
    assert "room" not in Path("/proc/mounts").read_text()
    assert not any(Path("/dev/shm").glob("[0-9]*"))


def test_what_is_exported_is_safe_to_open(graded):
    _, _, folder = graded
    table = (folder / "out" / "grades.csv").read_text()
    assert not any(
        cell.strip('"')[:1] in set("=+-@") for line in table.splitlines() for cell in line.split(",")[:1]
    )
    assert "\x1b" not in table
    for name in ["a message with a script", "<script>alert(1)"]:
        page = (folder / "out" / "feedback" / f"{file_name(name)}.html").read_text()
        assert "<script" not in page
    for results in (folder / "out" / "gradescope").glob("*/results.json"):
        assert json.loads(results.read_text())["score"] >= 0
