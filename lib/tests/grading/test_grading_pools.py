"""A worker that is killed costs one submission its marks, and no other; a run always ends."""

import contextlib
import csv
import json
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from threading import current_thread, main_thread

import pytest
from click.testing import CliRunner

from clearhead.grading.cli import main
from clearhead.grading.mark import worker
from clearhead.grading.run import pools

STUDENTS = "abcdefg"


def counted(student, notebooks, faults, *rest):
    """Return one point, as a worker does, and note that this submission was handed out."""
    with open(os.environ["HANDED_OUT"], "a") as file:
        file.write(student)
    marks = {"format": worker.FORMAT, "student": student, "status": "graded", "points": 1, "max_points": 1}
    marks |= {"exercises": [], "notes": [], "sha256": worker.digest(notebooks, faults)}
    return marks, {"student": student, "attempts": 1}


def killed(student, *rest):
    """Die by the hand of the kernel, as for want of memory, with the students that DEADLY names."""
    result = counted(student, *rest)
    if student in os.environ["DEADLY"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def killed_once(student, *rest):
    """Die once, with the second submission that is handed out; with the next where two are noted at once."""
    result = counted(student, *rest)
    place = Path(os.environ["HANDED_OUT"])
    if len(place.read_text()) >= 2:
        with contextlib.suppress(FileExistsError):
            place.with_suffix(".died").touch(exist_ok=False)  # one worker only can make it
            os.kill(os.getpid(), signal.SIGKILL)
    return result


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """Return a function that grades a class with a worker of ours: status by student, result, hand-outs."""
    place = tmp_path / "handed_out"
    monkeypatch.setenv("HANDED_OUT", str(place))
    (tmp_path / "in").mkdir()
    for student in STUDENTS:  # more than the 64 KB that wait in a pipe
        (tmp_path / "in" / f"{student}.ipynb").write_text("x" * 300_000)

    def run(grade, jobs, *more):
        place.write_text("")
        monkeypatch.setattr(worker, "grade", grade)
        arguments = ["grade", tmp_path / "in", "--out", tmp_path / "out", "--sheet", "05", "--seed", "s"]
        arguments += ["--unsafe-no-sandbox", "-j", jobs, *more]
        done = CliRunner().invoke(main, [str(a) for a in arguments])
        with open(tmp_path / "out" / "grades.csv", newline="", encoding="utf-8-sig") as file:
            rows = {row["student"]: row["status"] for row in csv.DictReader(file)}
        return rows, done, place.read_text()

    return run


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_killed_worker_costs_only_its_submission(graded, jobs, tmp_path, monkeypatch):
    """The submission whose worker is killed is the only one without marks."""
    monkeypatch.setenv("DEADLY", "b")
    rows, done, handed_out = graded(killed, jobs)
    assert rows == dict.fromkeys(STUDENTS, "graded") | {"b": "grader_error"}
    assert done.exit_code == 3, done.output
    assert "Not marked: b" in done.stderr
    assert handed_out.count("b") == 2
    assert max(handed_out.count(student) for student in STUDENTS) == 2
    assert len(list(tmp_path.glob("out/gradescope/*/results.json"))) == len(STUDENTS) - 1
    rows, done, handed_out = graded(counted, jobs, "--resume")
    assert (set(rows.values()), done.exit_code, handed_out) == ({"graded"}, 0, "b")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_that_is_killed_once_costs_nobody_anything(graded, jobs, tmp_path):
    rows, done, handed_out = graded(killed_once, jobs)
    assert rows == dict.fromkeys(STUDENTS, "graded")
    assert done.exit_code == 0, done.output
    assert len(handed_out) > len(STUDENTS)
    assert len(json.loads((tmp_path / "out" / "timings.json").read_text())) == len(STUDENTS)


def test_a_run_ends_where_every_worker_is_killed(graded, monkeypatch):
    monkeypatch.setenv("DEADLY", STUDENTS)
    rows, done, handed_out = graded(killed, 2)
    assert rows == dict.fromkeys(STUDENTS, "grader_error")
    assert done.exit_code == 3
    assert max(handed_out.count(student) for student in STUDENTS) <= 2


def test_pool_replaces_worker_that_died_between_calls():
    """A pool whose worker died between two calls gets a new one."""
    with pools.local_pool(1) as pool:
        first = pool.submit(os.getpid).result()
        broken = pool.submit(os.kill, first, signal.SIGKILL)
        assert broken.exception() is not None
        assert pool.submit(os.getpid).result() != first


def test_only_python_closes_pipe_to_dead_worker(monkeypatch):
    """The pipe to a worker that died is closed by python alone."""
    closed, close = [], Connection.close

    def noted(pipe):
        closed.append((pipe, current_thread() is main_thread()))
        close(pipe)

    monkeypatch.setattr(Connection, "close", noted)
    with pools.local_pool(1) as pool:
        pipe = pool.processes._call_queue._reader
        worker_id = pool.submit(os.getpid).result()
        assert pool.submit(os.kill, worker_id, signal.SIGKILL).exception() is not None
    assert {ours for found, ours in closed if found is pipe} == {False}


def test_workers_use_one_thread(monkeypatch):
    """Workers compute on one thread and the grader keeps its own."""
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    with pools.local_pool(1) as pool:
        found = [
            pool.submit(os.getenv, name).result() for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
        ]
    assert found == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "OPENBLAS_NUM_THREADS" not in os.environ
