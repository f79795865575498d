"""The folder in which a run stores its marks: the names of its files, and the form of their contents."""

import hashlib
import json
import os
import re
from datetime import UTC, datetime

from clearhead.checks.former_ids import present_id
from clearhead.files import private_folder

SUBMISSION_LIST = "submissions.json"  # of the last run over a class
EARLIER_FOLDER = "earlier"  # the folder of files that earlier runs left
MAX_NAMES = 5  # names of moved files that a message lists
#: Statuses of exercises and cases in marks that earlier versions wrote, and what they are called now.
FORMER_STATUSES = {"not begun": "not_attempted", "not tried": "skipped"}
#: Keys of marks that earlier versions wrote, and what they are called now.
FORMER_KEYS = {
    "says": "message", "rule_says": "rule_message", "look": "hint", "own": "own_points",
    "out_of": "max_points", "given": "right_helpers", "uncapped": "uncapped_points", "why": "reason",
}  # fmt: skip


def file_name(student):
    """Return a name for a student's files that consists of plain characters and is unique.

    It ends in the whole hash of the name, because two students could find names that agree in a part of it.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", student).strip("_")[:40]
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()}"


def as_json(data):
    """Return data as a JSON string that is always the same for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def load_marks(path):
    """Return the marks in a file of any version, with the keys, statuses and ids of this version.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read, or is not JSON.
    """
    return json.loads(path.read_text(encoding="utf-8"), object_hook=_with_present_names)


def _with_present_names(data):
    """Return a dict with the present names of its keys, its status and its exercise."""
    data, present = {FORMER_KEYS.get(key, key): value for key, value in data.items()}, {}
    if data.get("status") in FORMER_STATUSES:
        present["status"] = FORMER_STATUSES[data["status"]]
    if isinstance(data.get("id"), str):
        present["id"] = present_id(data["id"])
    return data | present


def archive_leftovers(out, leftovers):
    """Move leftovers of an earlier run in OUT to a new folder in OUT/earlier, so that nobody sends them.

    Parameters
    ----------
    out : Path
        The folder of a run.
    leftovers : collection of Path
        Files and folders in it that this run did not write.

    Returns
    -------
    str
        A sentence that says what was moved, or "" if there was nothing to move.
    """
    if not leftovers:
        return ""
    moment = out / EARLIER_FOLDER / f"{datetime.now(UTC):%Y-%m-%dT%H%M%S}"
    while moment.exists():
        moment = moment.with_name(f"{moment.name}x")
    for path in sorted(leftovers):
        target = moment / path.relative_to(out)
        private_folder(target.parent)
        os.replace(path, target)
    names = ", ".join(path.relative_to(out).as_posix() for path in sorted(leftovers)[:MAX_NAMES])
    more = ", ..." * (len(leftovers) > MAX_NAMES)
    message = f"{len(leftovers)} files of an earlier run were not replaced by this one. They were moved to"
    return f"{message} {moment}: {names}{more}."
