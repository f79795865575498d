"""Manually marked exercises, grades and comments, read from files that the grader never changes."""

import re
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf, isfinite
from pathlib import Path

import numpy as np

from clearhead.checks import registry
from clearhead.errors import UserError

from ..write.grade_table import format_points
from . import csv_reader

WAITING, NO_BONUS = "not marked yet", "no bonus"
COLUMNS = ("student", "exercise", "points", "comment")
_KEY = re.compile(r"#([A-Za-z][\w-]*)")


@dataclass(frozen=True)
class ManualExercise:
    """An exercise that is marked manually."""

    id: str
    title: str
    points: float  # at most, unless it is a bonus
    sheet: str = ""  # the number of the sheet that it belongs to; "" for an exercise of the term
    bonus: bool = False  # its points add to the sum but not to the points that can be had


@dataclass(frozen=True)
class ManualGrade:
    """The grade of a student for a manually marked exercise; `points` is None until it is marked."""

    exercise: ManualExercise
    points: float | None = None
    words: str = ""

    @property
    def is_missing(self):
        """Whether the exercise is not marked yet and is not a bonus, so that totals would be wrong."""
        return self.points is None and not self.exercise.bonus

    @property
    def message(self):
        """The sentence that shows this grade: the title of the exercise and its points."""
        exercise = self.exercise
        if self.points is None:
            return f"{exercise.title}: {WAITING if self.is_missing else NO_BONUS}."
        if exercise.bonus:
            return f"{exercise.title}: {format_points(self.points)} bonus points."
        return f"{exercise.title}: {format_points(self.points)} of {format_points(exercise.points)} points."


def grades_for(exercises, manual):
    """Return the ManualGrade of each exercise, made from a dict of the grades of one student."""
    return tuple(ManualGrade(exercise, *manual.get(exercise.id, (None, ""))) for exercise in exercises)


def out_of(exercises):
    """Return the maximal points of these exercises, to which a bonus does not contribute."""
    return sum(exercise.points for exercise in exercises if not exercise.bonus)


def with_manual_grades(result, manual, absent):
    """Return the result of a sheet with the grades of its manually marked exercises.

    They count in full, however late the notebook was. As long as one of them is not marked, the sheet has no
    points, since its sum would be wrong; this does not hold for a sheet that was not handed in.
    """
    if not manual:
        return result
    manual_points = sum(mark.points or 0 for mark in manual)
    is_missing = any(mark.is_missing for mark in manual) and result.status != absent
    has_points = result.points is not None
    return replace(
        result,
        status=WAITING if is_missing and has_points else result.status,
        points=round(result.points + manual_points, 2) if has_points and not is_missing else None,
        earned=result.earned + manual_points,
        out_of=result.out_of + out_of(mark.exercise for mark in manual),
        messages=result.messages + tuple(mark.message for mark in manual),
        manual=manual,
    )


@dataclass
class ManualGrades:
    """The contents of a file of manual grades: lines that can be used, and lines that were ignored.

    `marks` maps (student, exercise) to (points or None, words), and `lines` maps the same keys to the number
    of their line. `ignored` holds IgnoredLines for the lines that cannot be used.
    """

    marks: dict = field(default_factory=dict)
    lines: dict = field(default_factory=dict)
    ignored: list = field(default_factory=list)

    def ignore_lines(self, keys, why):
        """Ignore the lines of these keys, which contradict each other or do not identify one person."""
        lines = sorted(self.lines.pop(key) for key in keys)
        students = tuple(dict.fromkeys(student for student, _ in keys))
        self.ignored.append(IgnoredLines(tuple(lines), students, why))
        for key in keys:
            self.marks.pop(key)


@dataclass(frozen=True)
class IgnoredLines:
    """Lines of a file that were ignored: their numbers, the students they name, and the reason."""

    lines: tuple
    students: tuple
    why: str

    @property
    def place(self):
        """Return the position of the lines in words, such as "line 7" or "lines 7 and 9"."""
        return f"line{'s' * (len(self.lines) > 1)} {' and '.join(map(str, self.lines))}"


def read(path, bank=(), manual=None):
    """Return the ManualGrades in a CSV file.

    Its columns are student, exercise, points, comment. An exercise is an id such as 05.sharpen, or one of
    those that the policy defines for marking by hand (`manual`, from ids to ManualExercise). Points may be
    empty. In a comment, #key stands for the sentence of that key in the bank. A line that is not valid is
    ignored, so that it does not affect the grades of others. If two lines concern one student and exercise,
    both are ignored.

    Raises
    ------
    UserError
        If the file is not such a table.
    """
    broken = []
    titles, rows = csv_reader.read(path, broken)
    if missing_columns := [title for title in COLUMNS[:2] if title not in titles]:
        raise UserError(
            f"{path}: no column is called {' or '.join(missing_columns)}; it has {', '.join(COLUMNS)}."
        )
    found, twice = ManualGrades(), {}
    for line, row, why in broken:
        found.ignored.append(IgnoredLines((line,), tuple(filter(None, [row.get("student", "")])), why))
    for line, row in rows:
        student, id, points, words = (row.get(title, "") for title in COLUMNS)
        try:
            if not student:
                raise ValueError("it names no student")
            exercise = (manual or {}).get(id)
            id = id if exercise else _known(id, manual)
            most = (inf if exercise.bonus else exercise.points) if exercise else points_of(id)
            grade = _points(id, points, most), _KEY.sub(lambda key: _sentence(bank, key[1]), words)
        except ValueError as error:
            named = tuple(filter(None, [student]))
            found.ignored.append(IgnoredLines((line,), named, str(error).rstrip(".")))
            continue
        twice.setdefault((student, id), []).append(line)
        found.marks[student, id], found.lines[student, id] = grade, line
    for (student, id), lines in twice.items():
        if len(lines) > 1:
            del found.marks[student, id], found.lines[student, id]
            why = f"both give {student} a mark for {id}"
            found.ignored.append(IgnoredLines(tuple(lines), (student,), why))
    found.ignored.sort(key=lambda ignored: ignored.lines)
    return found


@cache
def points_of(id):
    """Return the maximal points of an exercise of a sheet."""
    return sum(case.points for case in registry.exercise(id).cases(np.random.default_rng(0)))


def _known(id, manual):
    """Return the full id of an exercise of a sheet; raise UserError for an unknown id."""
    try:
        return registry.exercise(id).id
    except UserError as error:
        defined = f"; [manual] in the rules defines {', '.join(manual) if manual else 'none'}"
        raise UserError(f"{str(error).rstrip('.')}{defined}.") from None


def _points(id, points, most):
    """Return the points in a cell, or None if it is empty; raise ValueError for impossible points."""
    if not points:
        return None
    try:
        value = float(points.replace(",", "."))  # many languages have a decimal comma
    except ValueError:
        raise ValueError(f"{id}: {points!r:.20} is not a number of points") from None
    if not 0 <= value <= most or not isfinite(value):
        allowed = f"0 to {most:g} points" if isfinite(most) else "0 points or more"
        raise ValueError(f"{id} has {allowed}, not {points}")
    return value


def _sentence(bank, key):
    if key not in bank:
        raise ValueError(f"the bank of comments has no #{key}; it has {', '.join(sorted(bank)) or 'none'}")
    return bank[key]


def read_bank(path):
    """Return the bank of comments in a TOML file, a dict from keys to sentences."""
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}.") from None
    for key, words in found.items():
        if not isinstance(words, str) or not _KEY.fullmatch(f"#{key}"):
            raise UserError(f"{path}: {key!r:.40} must be a word, and its comment a string in quotes.")
    return found


def of(manual, names):
    """Return a dict from exercise ids to the grades (points or None, words) of a student with these names."""
    return {id: grade for (student, id), grade in manual.items() if student in names}
