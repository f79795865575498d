"""The record of the tutor's questions and answers, in a file on the student's machine and nowhere else."""

import json
import os
from datetime import datetime
from pathlib import Path

from clearhead import files
from clearhead.checks import progress

ABOUT = (
    "This file lists what your assistant asked the tutor, and what the tutor answered. It is on this machine "
    "only: nothing in it is sent anywhere. You may read it, and you may delete it, which "
    "also makes the tutor "
    "forget how often you have tried."
)


def default_path(stem):
    """Return the path of the log of a sheet, which is beside the learner's progress."""
    return progress.folder() / f"tutor_{stem}.jsonl"


class Log:
    """The log of one sheet: lines of JSON, of which the first one says what the file is.

    The tutor learns about earlier sessions only from this log, so there is no second record of the student.
    """

    def __init__(self, path):
        self.path, self.entries, self.writable = Path(path), [], True
        try:
            lines = self.path.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        for line in lines:
            self.entries += _entry(line)

    def add(self, **entry):
        """Add an entry with the current time; if the file cannot be written, keep it only in memory."""
        entry = {"time": datetime.now().astimezone().isoformat(timespec="seconds")} | entry
        self.entries.append(entry)
        try:
            files.private_folder(self.path.parent) if not self.path.parent.exists() else None
            new = not self.path.exists()
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            with open(os.open(self.path, flags, files.PRIVATE), "a", encoding="utf-8") as file:
                file.write(json.dumps({"about": ABOUT}) + "\n" if new else "")
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        except OSError:
            self.writable = False

    def tries(self, id):
        """Return the number of different attempts at an exercise that were checked."""
        return len({entry["attempt"] for entry in self._of(id) if isinstance(entry.get("attempt"), str)})

    def hints(self, id):
        """Return the number of hints of an exercise that were shown."""
        shown = [entry["hint"] for entry in self._of(id) if type(entry.get("hint")) is int]
        return max(shown, default=0)

    def passed(self, id):
        """Return True if the last check of an exercise passed."""
        statuses = [entry["passed"] for entry in self._of(id) if type(entry.get("passed")) is bool]
        return bool(statuses) and statuses[-1]

    def _of(self, id):
        return [entry for entry in self.entries if entry.get("exercise") == id]


def _entry(line):
    """Return a list with the entry in a line of the log, or [] if the line holds no entry."""
    try:
        entry = json.loads(line)
    except ValueError:
        return []
    return [entry] if isinstance(entry, dict) and "about" not in entry else []
