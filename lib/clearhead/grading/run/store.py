"""The folder in which a run keeps its marks: how files are called there, and how they are written."""

import hashlib
import json
import re

LIST = "submissions.json"  # of the last run over a class


def file_name(student):
    """Return a name for a student's files: plain characters, and different for different students.

    It ends in the whole hash of the name: of a part of it, two students could find names that agree.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", student).strip("_")[:40]
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()}"


def as_json(data):
    """Return data as text that is the same for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True) + "\n"
