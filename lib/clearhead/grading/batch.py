"""Grade a class: find, share out, mark, write. Marks are kept one by one, so a run can resume."""

import hashlib
import json
import os
import secrets
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path

from clearhead import __version__
from clearhead.checks import registry

from . import collecting, exporting, feedback, linux, worker


class Stopped(ValueError):
    """Raised where grading cannot begin; its message is one sentence for the instructor."""


def secret_of(folder, given):
    """Return the secret: the one given, else the one kept in the folder, else a new one, kept there."""
    if given:
        return given
    place = Path(folder) / "secret_seed.txt"
    if not place.exists():
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(16))
    return place.read_text().strip()


def shared_out(submissions, shard):
    """Return part i of n of the submissions, for shard "i/n" with i from 1; all of them for ""."""
    if not shard:
        return submissions
    part, _, parts = shard.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise Stopped(f"--shard is i/n with i from 1 to n, such as 2/4; got {shard!r:.40}.")
    return submissions[int(part) - 1 :: int(parts)]


def known_sheets(wanted, submissions):
    """Return the numbers of the sheets to grade: those asked for, else those that file names tell."""
    if not submissions:
        raise Stopped("There is no submission: no notebook, no folder, no archive.")
    if wanted:
        return sorted({registry.sheet(number).exercises[0].id[:2] for number in wanted})
    found = collecting.sheets_in(submissions)
    if not found:
        raise Stopped(
            "No file is named after a sheet, such as 05_attention.ipynb: say which with --sheet 05."
        )
    return found


class Batch:
    """One run over a class, and the folder that it writes to."""

    def __init__(self, out, settings, resume=False):
        self.out, self.settings, self.resume = Path(out), settings, resume
        public = settings | {"secret": hashlib.sha256(settings["secret"].encode()).hexdigest()[:16]}
        self.made_with = public | {"clearhead": __version__}
        for name in ("marks", "feedback", "gradescope"):
            (self.out / name).mkdir(parents=True, exist_ok=True)

    def order(self, submission):
        """Return what the worker needs: student, notebooks by sheet, and what could not be read."""
        notebooks, faults = {}, list(submission.faults)
        for number in self.settings["sheets"]:
            file = submission.notebook_for(number, alone=len(self.settings["sheets"]) == 1)
            try:
                notebooks[number] = file.read() if file else None
            except collecting.Refused as error:
                notebooks[number] = None
                faults.append(str(error))
        return submission.name, notebooks, faults, self.settings

    def kept(self, order):
        """Return the marks that an earlier run gave to the same files with the same settings, or None."""
        place = self.out / "marks" / f"{exporting.file_name(order[0])}.json"
        if not self.resume or not place.exists():
            return None
        try:
            marks = json.loads(place.read_text())
        except ValueError:
            return None
        same = marks.get("status") == "graded" and marks.get("made_with") == self.made_with
        return marks if same and marks.get("sha256") == worker.digest(order[1], order[2]) else None

    def keep(self, marks):
        """Write the marks of one student: JSON, page, Gradescope. Each file is put in place whole."""
        name = exporting.file_name(marks["student"])
        _put(self.out / "marks" / f"{name}.json", exporting.as_json(marks))
        _put(self.out / "feedback" / f"{name}.html", feedback.page(marks))
        results, place = exporting.as_gradescope(marks), self.out / "gradescope" / name / "results.json"
        if results is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(exist_ok=True)
            _put(place, exporting.as_json(results))

    def grade(self, submissions, pool, width, tick=lambda: None):
        """Return the marks of all submissions, in their order, and the seconds that each took."""
        done, timings, running, queue = {}, [], {}, list(submissions)
        while queue or running:
            while queue and len(running) < width:
                order = self.order(queue.pop(0))
                if (marks := self.kept(order)) is not None:
                    done[order[0]] = marks
                    tick()
                else:
                    running[pool.submit(worker.grade, *order)] = order[0]
            for future in wait(running, return_when=FIRST_COMPLETED)[0] if running else ():
                student = running.pop(future)
                marks, timing = _result(future, student)
                done[student] = marks | {"made_with": self.made_with}
                self.keep(done[student])
                timings.append(timing)
                tick()
        return [done[s.name] for s in submissions], timings

    def export(self, all_marks, timings, part=""):
        """Write the tables of the whole class, or of one part of it."""
        ids = [e.id for n in self.settings["sheets"] for e in registry.sheet(n).exercises]
        _put(self.out / f"grades{part}.csv", exporting.as_csv(all_marks, ids))
        _put(self.out / f"grades{part}.json", exporting.as_json(all_marks))
        _put(self.out / f"timings{part}.json", exporting.as_json(sorted(timings, key=lambda t: t["student"])))


def _result(future, student):
    """Return what the worker gave; a worker that died is the grader's fault, never a zero."""
    try:
        return future.result()
    except Exception as error:
        why = f"A worker of the grader died ({type(error).__name__}). Run again with --resume."
        marks = {"format": worker.FORMAT, "student": student, "status": "grader_error", "notes": [why]}
        return marks | {"exercises": []}, {"student": student, "attempts": 1}


def _put(place, text):
    """Write a file whole, or not at all."""
    beside = place.with_name(place.name + ".part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(place)


@contextmanager
def local_pool(workers):
    """Yield a pool of processes on this machine; each has its own sandbox."""
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin) as pool:
        try:
            yield pool
        except BaseException:  # such as Ctrl-C: end the workers now, and with them every room
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _begin():
    """Prepare a worker: Ctrl-C is for the grader, which ends its workers; without it they end too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        linux.die_with_parent()
