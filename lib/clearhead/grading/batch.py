"""Grade a class: find, share out, mark, write. Marks are kept one by one, so a run can resume."""

import hashlib
import json
import secrets
from pathlib import Path

from clearhead import __version__
from clearhead.checks import registry
from clearhead.files import write_whole

from . import collecting, exporting, feedback, pools, worker


class Stopped(ValueError):
    """Raised where grading cannot begin; its message is one sentence for the instructor."""


def secret_of(folder, given, shard=""):
    """Return the secret: the one given, else the one kept in the folder, else a new one, kept there.

    For a shard no new one is drawn: other machines would not know it, and the marks could not be gathered.
    """
    if given:
        return given
    place = Path(folder) / "secret_seed.txt"
    if shard and not place.exists():
        raise Stopped(
            "All machines need the same secret, else their marks cannot be gathered. Give each the same "
            f"--seed, or put a copy of one secret_seed.txt in each --out; here that is {place}."
        )
    if not place.exists():
        write_whole(place, secrets.token_hex(16), 0o600)
    secret = place.read_text(encoding="utf-8").strip()
    if not secret:
        raise Stopped(f"{place} is empty. Put your secret back; without one, delete the file.")
    return secret


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
    if not found and all(not submission.files for submission in submissions):
        raise Stopped(f"Not one of {len(submissions)} submissions holds a notebook that can be read.")
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
        """Return what the worker needs: student, notebooks by sheet, and what could not be read.

        A sheet that was not handed in is no key; what cannot be read is None.
        """
        notebooks, faults, alone = {}, list(submission.faults), len(self.settings["sheets"]) == 1
        for number in self.settings["sheets"]:
            copies = submission.copies_for(number, alone)
            if not copies:
                continue
            file = submission.notebook_for(number, alone)
            if len(copies) > 1:
                faults.append(f"Of {len(copies)} notebooks for sheet {number}, {file.path!r:.80} counted.")
            try:
                notebooks[number] = file.read()
            except collecting.Refused as error:
                notebooks[number] = None
                faults.append(str(error))
        if submission.files and not notebooks:
            names = ", ".join(f"{file.path!r:.60}" for file in submission.files[:5])
            faults.append(f"No file is named after a sheet: {names}.")
        return submission.name, notebooks, faults, self.settings

    def earlier(self, student):
        """Return the marks that an earlier run gave to a student, where this run may keep them; else {}."""
        place = self.out / "marks" / f"{exporting.file_name(student)}.json"
        if not self.resume or not place.exists():
            return {}
        try:
            marks = json.loads(place.read_text())
        except ValueError:
            return {}
        return marks if marks.get("status") in ("graded", "unreadable") else {}

    def kept(self, order):
        """Return the marks that an earlier run gave to the same files with the same settings, or None."""
        marks = self.earlier(order[0])
        same = marks.get("made_with") == self.made_with
        return marks if same and marks.get("sha256") == worker.digest(order[1], order[2]) else None

    def of_another_secret(self, submissions):
        """Return how many submissions have marks that cannot be kept, since another secret made them."""
        made_with = [self.earlier(submission.name).get("made_with") for submission in submissions]
        return sum(1 for made in made_with if made and made.get("secret") != self.made_with["secret"])

    def keep(self, marks):
        """Write the marks of one student: JSON, page, Gradescope. Each file is put in place whole."""
        name = exporting.file_name(marks["student"])
        write_whole(self.out / "marks" / f"{name}.json", exporting.as_json(marks))
        write_whole(self.out / "feedback" / f"{name}.html", feedback.page(marks))
        results, place = exporting.as_gradescope(marks), self.out / "gradescope" / name / "results.json"
        if results is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(exist_ok=True)
            write_whole(place, exporting.as_json(results))

    def grade(self, submissions, pool, width, tick=lambda: None):
        """Return the marks of all submissions, in their order, and the seconds that each took."""
        done, timings = {}, []

        def keep(marks):
            try:
                self.keep(marks)
            except (ValueError, TypeError, LookupError) as error:  # of this submission alone
                marks = worker.failed(marks["student"], f"{type(error).__name__}: {error}")
                self.keep(marks)
            done[marks["student"]] = marks
            tick()

        def to_grade():
            for order in map(self.order, submissions):
                if (marks := self.kept(order)) is None:
                    yield order
                else:
                    keep(marks)

        for marks, timing in pools.hand_out(to_grade(), pool, width):
            keep(marks | {"made_with": self.made_with})
            timings.append(timing)
        return [done[s.name] for s in submissions], timings

    def export(self, all_marks, timings, part=""):
        """Write the tables of the whole class, or of one part of it."""
        ids = [e.id for n in self.settings["sheets"] for e in registry.sheet(n).exercises]
        write_whole(self.out / f"grades{part}.csv", exporting.as_csv(all_marks, ids))
        write_whole(self.out / f"grades{part}.json", exporting.as_json(all_marks))
        timings = sorted(timings, key=lambda timing: timing["student"])
        write_whole(self.out / f"timings{part}.json", exporting.as_json(timings))
