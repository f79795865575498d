"""A learner's marks, hints and time, kept in memory and in a file that survives a restart of the kernel."""

import json
import os
import sys
import time
from itertools import count
from pathlib import Path

from clearhead.files import write_private

from .former_ids import present_id

LONGEST_PAUSE = 600  # a pause longer than this, in seconds, is counted as this long
EMPTY_RECORD = {
    "points": 0,
    "out_of": 0,
    "passed": False,
    "attempts": 0,
    "hints": 0,
    "seconds": 0,
    "seed": None,
}

_memory = {}
_passed_in_session = set()
_last = time.monotonic()


def folder():
    """Return the folder of the progress file: CLEARHEAD_STATE if it is set, or the user's state folder."""
    if os.environ.get("CLEARHEAD_STATE"):
        return Path(os.environ["CLEARHEAD_STATE"])
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "clearhead"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "clearhead"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "clearhead"


def records():
    """Return a dict from the id of each exercise to its record, read from memory and the file."""
    kept = _read()
    for id, record in _memory.items():
        kept[id] = _merge(kept.get(id, EMPTY_RECORD), record)
    return kept


def passed_in_session(id):
    """Return True if the last check of this exercise in this session passed."""
    return id in _passed_in_session


def record_verdict(verdict):
    """Record an attempt, with its marks if they are at least as good as the earlier ones.

    An exercise whose every case ends at `raise NotImplementedError` is not attempted, so nothing is recorded.
    """
    id, marks = verdict.exercise.id, verdict.marks
    (_passed_in_session.add if verdict.passed else _passed_in_session.discard)(id)
    if not marks:
        return
    record = _record(id)
    record["attempts"] += 1
    if record["attempts"] == 1 or marks["points"] * record["out_of"] >= record["points"] * marks["out_of"]:
        record.update(marks)
    _write(id, record)


def record_hint(id, number):
    """Record that the hints of an exercise up to this number have been read."""
    record = _record(id)
    record["hints"] = max(record["hints"], number)
    _write(id, record)


def _record(id):
    """Return a copy of the record of an exercise, with the time since the last action added."""
    global _last
    now = time.monotonic()
    record = dict(records().get(id, EMPTY_RECORD))
    record["seconds"] = round(record["seconds"] + min(now - _last, LONGEST_PAUSE), 1)
    _last = now
    return record


def _merge(one, other):
    """Return the newer of two records, judged by their attempts, then their hints, then their time."""
    age = ("attempts", "hints", "seconds")
    return max(one, other, key=lambda record: [record[name] for name in age])


def _write(id, record):
    """Store a record in memory and, if the folder is writable, in the file."""
    _memory[id] = record
    try:
        write_private(folder() / "progress.json", json.dumps(records(), indent=1, sort_keys=True))
    except (OSError, RuntimeError):  # without a writable folder, the record stays in memory
        return


def _read():
    """Return the valid records in the progress file, or {} if there is none, and rename a damaged file."""
    try:
        found = json.loads((folder() / "progress.json").read_text(encoding="utf-8"))
        valid = {id: EMPTY_RECORD | record for id, record in found.items() if _is_valid(record)}
        kept = {}
        for id, record in valid.items():
            kept[present_id(id)] = _merge(record, kept.get(present_id(id), EMPTY_RECORD))
        if len(valid) < len(found):
            _set_damaged_file_aside()
            _memory.update({id: _merge(record, _memory.get(id, EMPTY_RECORD)) for id, record in kept.items()})
        return kept
    except (ValueError, AttributeError):
        _set_damaged_file_aside()
        return {}
    except (OSError, RuntimeError):
        return {}


def _set_damaged_file_aside():
    """Rename a damaged file, so that nothing overwrites it, and print its new path."""
    damaged = folder() / "progress.json"
    aside = next(
        name for number in count(1) if not (name := folder() / f"progress.damaged-{number}.json").exists()
    )
    try:
        damaged.rename(aside)
    except OSError:
        return
    print(f"Your progress file was damaged. It is kept as {aside}, and a new file has been started.")


def _is_valid(record):
    """Return True for a record that has all entries, each with the right type."""
    kinds = {
        "points": int,
        "out_of": int,
        "passed": bool,
        "attempts": int,
        "hints": int,
        "seconds": int | float,
    }
    return isinstance(record, dict) and all(isinstance(record.get(k), kind) for k, kind in kinds.items())


def storage_location():
    """Return the path of the progress file, or "memory only" if there is none."""
    try:
        return str(folder() / "progress.json") if (folder() / "progress.json").exists() else "memory only"
    except (OSError, RuntimeError):
        return "memory only"
