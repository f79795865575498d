"""Marks and words by hand, from files of the instructor's that are read and never written."""

import re
import tomllib
from functools import cache
from math import inf, isfinite
from pathlib import Path

import numpy as np

from clearhead.checks import registry

from . import tables
from .tables import Unclear

COLUMNS = ("student", "exercise", "points", "comment")
_KEY = re.compile(r"#([A-Za-z][\w-]*)")


def read(path, bank=(), manual=None):
    """Return a dict from (student, exercise) to (points or None, words): what a CSV file says.

    Its columns are student, exercise, points, comment. An exercise is an id such as 05.sharpen, or one of
    those that the rules define for marking by hand (`manual`: from ids to Manual). Points may be empty. In a
    comment, #key stands for the sentence of that key in the bank.
    """
    titles, rows = tables.read(path)
    if lacking := [title for title in COLUMNS[:2] if title not in titles]:
        raise Unclear(f"{path}: no column is called {' or '.join(lacking)}; it has {', '.join(COLUMNS)}.")
    found = {}
    for line, row in rows:
        student, id, points, words = (row.get(title, "") for title in COLUMNS)
        try:
            if not student:
                raise ValueError("it names no student")
            exercise = (manual or {}).get(id)
            id = id if exercise else _known(id, manual)
            most = (inf if exercise.bonus else exercise.points) if exercise else out_of(id)
            said = _points(id, points, most), _KEY.sub(lambda key: _sentence(bank, key[1]), words)
        except (registry.Unclear, ValueError) as error:
            raise Unclear(f"{path}, line {line}: {str(error).rstrip('.')}.") from None
        if (student, id) in found:
            raise Unclear(f"{path}, line {line}: a second line for {student}, {id}.")
        found[student, id] = said
    return found


@cache
def out_of(id):
    """Return the points of an exercise."""
    return sum(case.points for case in registry.exercise(id).cases(np.random.default_rng(0)))


def _known(id, manual):
    """Return the whole id of an exercise of a sheet; raise Unclear for an id that nothing has."""
    try:
        return registry.exercise(id).id
    except registry.Unclear as error:
        defined = f"; [manual] in the rules defines {', '.join(manual) if manual else 'none'}"
        raise registry.Unclear(f"{str(error).rstrip('.')}{defined}.") from None


def _points(id, points, most):
    """Return the points in a cell, or None where it is empty; raise ValueError for what cannot be."""
    if not points:
        return None
    try:
        value = float(points.replace(",", "."))  # as spreadsheets of half of the world write it
    except ValueError:
        raise ValueError(f"{id}: {points!r:.20} is no number of points") from None
    if not 0 <= value <= most or not isfinite(value):
        allowed = f"0 to {most:g} points" if isfinite(most) else "0 points or more"
        raise ValueError(f"{id} has {allowed}, not {points}")
    return value


def _sentence(bank, key):
    if key not in bank:
        raise ValueError(f"the bank of comments has no #{key}; it has {', '.join(sorted(bank)) or 'none'}")
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
