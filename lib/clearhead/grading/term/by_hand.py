"""Marks and words by hand, from files of the instructor's that are read and never written."""

import csv
import re
import tomllib
from pathlib import Path

from clearhead.checks import registry

from .policy_file import Unclear

COLUMNS = ("student", "exercise", "points", "comment")
_KEY = re.compile(r"#([A-Za-z][\w-]*)")


def read(path, bank=()):
    """Return a dict from (student, exercise) to (points or None, words): what a CSV file says.

    Its columns are student, exercise, points, comment. An exercise is an id such as 05.sharpen; points may be
    empty. In a comment, #key stands for the sentence of that key in the bank.
    """
    try:
        rows = list(csv.DictReader(Path(path).read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise Unclear(f"{path} cannot be read as UTF-8 ({type(error).__name__}).") from None
    found = {}
    for line, row in enumerate(rows, 2):
        if lacking := [name for name in COLUMNS[:2] if not (row.get(name) or "").strip()]:
            raise Unclear(
                f"{path}, line {line}: {' and '.join(lacking)} missing; columns: {', '.join(COLUMNS)}."
            )
        student, id, points, words = ((row.get(name) or "").strip() for name in COLUMNS)
        try:
            exercise = registry.exercise(id)
            most = sum(case.points for case in _cases(exercise))
            points = None if points == "" else float(points)
            if points is not None and not 0 <= points <= most:
                raise ValueError(f"{id} has 0 to {most} points, not {points:g}")
            words = _KEY.sub(lambda key: _sentence(bank, key[1]), words)
        except (registry.Unclear, ValueError) as error:
            raise Unclear(f"{path}, line {line}: {str(error).rstrip('.')}.") from None
        if (student, id) in found:
            raise Unclear(f"{path}, line {line}: a second line for {student}, {id}.")
        found[student, id] = points, words
    return found


def _cases(exercise):
    import numpy as np

    return exercise.cases(np.random.default_rng(0))


def _sentence(bank, key):
    if key not in bank:
        known = ", ".join(sorted(bank)) or "none"
        raise ValueError(f"the bank of comments has no #{key}; it has {known}")
    return bank[key]


def read_bank(path):
    """Return the bank of comments in a TOML file: from keys to sentences."""
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise Unclear(f"{path} cannot be read: {error}.") from None
    for key, words in found.items():
        if not isinstance(words, str) or not _KEY.fullmatch(f"#{key}"):
            raise Unclear(f"{path}: {key!r:.40} must be a word, and what it stands for a text in quotes.")
    return found


def of(by_hand, names):
    """Return what stands for a student of these names: from ids of exercises to (points or None, words)."""
    return {id: told for (student, id), told in by_hand.items() if student in names}


def unknown(by_hand, persons):
    """Return the students that marks by hand name, and nobody is called so."""
    known = {name for names in persons for name in names}
    return sorted({student for student, _ in by_hand} - known)
