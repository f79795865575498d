"""A run over a class, in which workers grade the submissions and marks are stored, so that it can resume."""

import hashlib
import json
import secrets
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from clearhead import __version__
from clearhead.checks import registry
from clearhead.errors import UserError
from clearhead.files import private_folder, write_private

from ..collect import class_folder, scripts
from ..collect.untrusted_text import clean
from ..mark import worker
from . import pools
from .store import SUBMISSION_LIST, as_json, file_name, load_marks

MAX_NAMES = 5  # names of files that a message lists
MAX_ATTEMPTS = 5  # the newest hand-ins of a sheet that are marked, if every hand-in is to be marked
MAX_BYTES = 100 << 20  # bytes of all notebooks of one submission together
TOO_LARGE = f"the notebooks of one submission may have {MAX_BYTES >> 20} megabytes together"


def load_or_create_secret(folder, given, shard=""):
    """Return the given secret, or the one in the folder, or a new one that is stored there.

    For a shard, no new secret is drawn, because the other machines would not know it, and the marks of all
    shards could not be combined.
    """
    path = Path(folder) / "secret_seed.txt"
    if given:
        if not path.exists():
            write_private(path, given)
        return given
    if shard and not path.exists():
        raise UserError(
            "All machines need the same secret, else their marks cannot be gathered. Give each the same "
            f"--seed, or put a copy of one secret_seed.txt in each --out; here that is {path}."
        )
    if not path.exists():
        write_private(path, secrets.token_hex(16))
    secret = path.read_text(encoding="utf-8").strip()
    if not secret:
        raise UserError(f"{path} is empty. Restore your secret or, if you have none, delete the file.")
    return secret


def partition(submissions, shard):
    """Return part i of n of the submissions for the shard "i/n", counted from 1, or all of them for ""."""
    if not shard:
        return submissions
    part, _, parts = shard.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise UserError(f"--shard must be i/n with i from 1 to n, such as 2/4; got {shard!r:.40}.")
    return submissions[int(part) - 1 :: int(parts)]


def sheets_to_grade(requested, submissions):
    """Return the numbers of the sheets to grade: those requested, or else those in the file names."""
    if not submissions:
        raise UserError("There is no submission: neither a notebook nor a folder nor an archive.")
    if requested:
        return sorted({registry.sheet(number).exercises[0].id[:2] for number in requested})
    found = class_folder.sheets_of_class(submissions)
    if not found and all(not submission.files for submission in submissions):
        raise UserError(f"None of {len(submissions)} submissions contains a notebook that can be read.")
    if not found:
        raise UserError(
            "No file is named after a sheet, such as 05_attention.ipynb: say which with --sheet 05."
        )
    return found


def _read(file, faults):
    """Return the record of a file that was handed in, and its bytes, which are None if it cannot be read."""
    entry = _description(file)
    try:
        raw = file.read()
        entry["sha256"] = hashlib.sha256(raw).hexdigest()
        return entry, raw if file.path.lower().endswith(".ipynb") else scripts.as_notebook(raw)
    except UserError as error:
        faults.append(str(error))
        return entry, None


def _description(file):
    """Return the record of a file that has not been read yet."""
    late = {"late": True} if file.late else {}
    return {
        "name": clean(PurePosixPath(file.path).name, 80),
        "sha256": "",
        "time": _moment(file.time),
    } | late


def _moment(time):
    """Return the time of a file, in steps of two seconds, as a string, or "" if it is unknown."""
    return datetime.fromtimestamp(2 * time, UTC).isoformat() if time > 0 else ""


def _listed(submission):
    """Return a submission as an entry of the list of submissions."""
    return {"student": submission.name} | (submission.origin.as_data() if submission.origin else {})


def _not_read(names):
    """Return a sentence that lists the files of a submission that were not read."""
    shown = ", ".join(f"{name!r:.60}" for name in names[:MAX_NAMES])
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"Not read: {shown}{more}. A notebook or script is read if its name contains that of a sheet."


class Batch:
    """One run over a class, and the folder in which it stores the marks.

    `publish` is called with the marks of each student as soon as they are stored, and writes the files for
    readers. `only` are the numbers of the sheets that are marked, or None for all sheets of the settings.
    Which file belongs to which sheet is always decided among all sheets of the settings, so that `grade` and
    `regrade` never read the same file as different sheets.
    """

    def __init__(self, out, settings, resume=False, publish=lambda found: None, only=None):
        self.publish, self.only = publish, sorted(only or settings["sheets"])
        self.out, self.settings, self.resume = Path(out), settings, resume
        public = settings | {"secret": hashlib.sha256(settings["secret"].encode()).hexdigest()[:16]}
        # By student, until the marks are there: the files of each sheet, the newest first:
        self.files_used = {}
        self.unread = {}  # by student, until the marks are there: the names of files that were not read
        public.pop("every", None)  # where it changes anything, other files are read
        self.made_with = public | {"clearhead": __version__}
        private_folder(self.out / "marks")

    def task(self, submission):
        """Return the arguments with which a worker marks a submission by `mark.worker.grade`.

        In the dict of notebooks, a sheet that was not handed in is missing, and one that cannot be read is
        None. If the setting `every` is true, earlier hand-ins of a sheet are marked as well, because the
        policy of the term decides which of them counts.
        """
        notebooks, faults, alone = {}, list(submission.faults), len(self.settings["sheets"]) == 1
        files_used, earlier, chosen = {}, {}, {}
        most = MAX_ATTEMPTS if self.settings.get("every") else 1
        for number in self.settings["sheets"]:
            if not (copies := submission.copies_for(number, alone)):
                continue
            files = submission.attempts_for(number, alone, most)
            if len(copies) > 1 and most == 1:
                faults.append(
                    f"Of {len(copies)} notebooks for sheet {number}, only {files[0].path!r:.80} counts."
                )
            chosen[number] = files
        turns = [(n, files[turn]) for turn in range(most) for n, files in chosen.items() if turn < len(files)]
        left = MAX_BYTES
        for number, file in turns:  # the newest of every sheet, then those before them
            entry, raw = _read(file, faults)
            if raw is not None and len(raw) > left:
                faults.append(f"{file.path!r:.80} was not read: {TOO_LARGE}.")
                raw = None
            left -= len(raw or b"")
            files_used.setdefault(number, []).append(entry)
            if number in notebooks:
                earlier[number].append(raw)
            else:
                notebooks[number], earlier[number] = raw, []
        for number in submission.only_other_sheets(self.settings["sheets"]):
            notebooks[number] = None  # these were handed in, so those that are graded were not
        unread = submission.unread(self.settings["sheets"]) if notebooks else []
        for number in {*self.settings["sheets"]} - {*notebooks} if unread else ():
            notebooks[number] = None  # what was not read may be this sheet, so it is no zero
            name = clean(PurePosixPath(unread[0]).name, 80)
            files_used[number] = [{"name": name, "sha256": "", "time": ""}]
        faults += [_not_read(unread)] * bool(unread)
        self.unread[submission.name] = [clean(name, 80) for name in unread[:MAX_NAMES]]
        self.files_used[submission.name] = {n: told for n, told in files_used.items() if n in self.only}
        if submission.files and not notebooks:
            names = ", ".join(f"{file.path!r:.60}" for file in submission.files[:5])
            faults.append(f"No file is named after a sheet: {names}.")
        return (
            submission.name,
            {n: raw if n in self.only else None for n, raw in notebooks.items()},
            faults,
            self.settings | {"sheets": self.only},
            {n: raws for n, raws in earlier.items() if raws and n in self.only},
        )

    def place(self, student):
        """Return the path of the marks of a student."""
        return self.out / "marks" / f"{file_name(student)}.json"

    def earlier(self, student):
        """Return the marks of a student from an earlier run if this run may keep them, or {} otherwise."""
        if not self.resume or not self.place(student).exists():
            return {}
        try:
            found = load_marks(self.place(student))
        except ValueError:
            return {}
        return found if found.get("status") in ("graded", "unreadable") else {}

    def kept(self, task):
        """Return the marks of an earlier run for the same files with the same settings, or None."""
        found = self.earlier(task[0])
        same = found.get("made_with") == self.made_with
        same = same and found.get("sha256") == worker.digest(task[1], task[2], task[4])
        return self.with_files(found) if same else None

    def with_files(self, found):
        """Return marks together with the records of the marked files and the settings of this run."""
        files_used = self.files_used.get(found["student"], {})
        earlier = {
            number: [
                attempt | {"file": file}
                for attempt, file in zip(attempts, files_used[number][1:], strict=True)
            ]
            for number, attempts in found.get("earlier", {}).items()
        }
        newest = {number: files[0] for number, files in files_used.items()}
        unread = {"unread": self.unread.get(found["student"], [])}
        found = {key: value for key, value in found.items() if key != "unread"}
        return (
            found
            | ({"earlier": earlier} if earlier else {})
            | (unread if unread["unread"] else {})
            | {"made_with": self.made_with, "files": newest}
        )

    def write_submission_list(self, submissions, finished):
        """Write the list of all submissions of the class, with their owners according to the platform.

        The gradebook reads the marks of these submissions only, so that a submission that was removed no
        longer counts. It reports those without marks; `finished` is false after a run that was interrupted or
        that graded only a part of the class.
        """
        listed = [_listed(submission) for submission in submissions]
        found = {"finished": finished, "sheets": self.settings["sheets"], "submissions": listed}
        write_private(self.out / SUBMISSION_LIST, as_json(found))

    def extend_submission_list(self, submissions):
        """Add submissions to the list of the class, if there is one, and if they are not in it yet."""
        if not (path := self.out / SUBMISSION_LIST).exists():
            return
        found = json.loads(path.read_text())
        known = {each["student"] for each in found["submissions"]}
        found["submissions"] += [_listed(s) for s in submissions if s.name not in known]
        write_private(path, as_json(found))

    @property
    def ids(self):
        """The ids of the exercises of all sheets that are graded, in their order."""
        return [e.id for n in self.settings["sheets"] for e in registry.sheet(n).exercises]

    def count_replaced(self, submissions):
        """Return the number of submissions whose existing marks this run overwrites."""
        return 0 if self.resume else sum(self.place(s.name).exists() for s in submissions)

    def count_with_other_secret(self, submissions):
        """Return the number of submissions whose marks were made with another secret."""
        made_with = [self.earlier(submission.name).get("made_with") for submission in submissions]
        return sum(1 for made in made_with if made and made.get("secret") != self.made_with["secret"])

    def save(self, found):
        """Write the marks of one student, completely or not at all, and publish them."""
        write_private(self.place(found["student"]), as_json(found))
        self.publish(found)

    def grade(self, submissions, pool, width, tick=lambda: None, part=""):
        """Mark each submission whose marks cannot be kept, store its marks, and write the timings."""
        timings = []

        def keep(found):
            try:
                self.save(found)
            except (ValueError, TypeError, LookupError) as error:  # of this submission alone
                found = worker.failed(found["student"], f"{type(error).__name__}: {error}")
                self.save(found)
            self.files_used.pop(found["student"], None)
            self.unread.pop(found["student"], None)
            tick()

        def tasks_to_grade():
            for task in map(self.task, submissions):
                if (found := self.kept(task)) is None:
                    yield task
                else:
                    keep(found)

        for found, timing in pools.dispatch(tasks_to_grade(), pool, width):
            keep(self.with_files(found))
            timings.append(timing)
        timings.sort(key=lambda timing: timing["student"])
        write_private(self.out / f"timings{part}.json", as_json(timings))

    def marks_of(self, submissions):
        """Yield the marks of each submission from its file, one at a time, to save memory."""
        for submission in submissions:
            yield load_marks(self.place(submission.name))
