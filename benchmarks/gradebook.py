"""Grade a whole term week by week, and compare every mark with the one that is known beforehand.

$ python benchmarks/gradebook.py --students 60 --sheets 16 --jobs 2
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clearhead.checks import registry
from clearhead.grading.gradebook.manual_grades import points_of

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-c", "from clearhead.grading.cli import main; main()"]
FIRST = datetime(2026, 9, 7, 18, tzinfo=UTC)  # the first sheet is due
#: what somebody does in a week: (which notebook, days after the deadline); the last one counts
HABITS = [
    [("solutions", -1)],
    [("exercises", -2), ("solutions", -1)],  # hands in twice
    [("solutions", 1.5)],  # two days have begun
    [("exercises", -1)],  # has not begun
    [],  # nothing
]
PART = [1, 1, 0.8, 0, 0]  # of the points, at 10 % a day


def habit(student, week):
    """Return the habit of a student in a week; every habit occurs for every student."""
    return (student + 2 * week) % len(HABITS)


def write_course(folder, students, sheets):
    """Write the hand-ins, roster and policy of a course, and return the marks that each student must get."""
    expected = {f"Person, Number {student}": 0.0 for student in range(students)}
    rules = ["[late]", "per_day = 10"]
    for week, number in enumerate(sheets):
        due, name = FIRST + timedelta(weeks=week), f"{registry.file_stem(number)}.ipynb"
        rules += [f"[sheets.{number}]", f"due = {due:%Y-%m-%dT%H:%M:%S}"]
        points = sum(points_of(exercise.id) for exercise in registry.sheet(number).exercises)
        for student, person in enumerate(expected):
            kind = habit(student, week)
            for place, (source, days) in enumerate(HABITS[kind]):
                path = (
                    folder
                    / "weeks"
                    / number
                    / "in"
                    / f"s{student:03}"
                    / name.replace(".", f"{' (1)' * place}.")
                )
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes((ROOT / source / name).read_bytes())
                seconds = (due + timedelta(days=days)).timestamp()
                os.utime(path, (seconds, seconds))
            expected[person] += round(PART[kind] * points, 2)
    names = [f'"{person}",s{student:03}' for student, person in enumerate(expected)]
    (folder / "roster.csv").write_text("\n".join(["name,id", *names]) + "\n")
    (folder / "policy.toml").write_text("\n".join(rules) + "\n")
    return expected


def wrong(table, expected):
    """Return the students whose total differs from the expected one."""
    with open(table, newline="", encoding="utf-8-sig") as file:
        found = {row["student"]: float(row["total"]) for row in csv.DictReader(file)}
    return [name for name in {*found, *expected} if abs(found.get(name, -1) - expected.get(name, -1)) > 0.01]


def timed(folder, *arguments):
    """Return the seconds that a command took, and stop if it failed."""
    begun = time.monotonic()
    done = subprocess.run([*COMMAND, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return time.monotonic() - begun


def main():
    """Print the measurements."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--sheets", type=int, default=16)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--folder", help="Keep the term here, and go on with the weeks that are not graded.")
    given = options.parse_args()
    sheets = registry.numbers()[: given.sheets]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(given.folder or made)
        expected = write_course(folder, given.students, sheets)
        files = ["--roster", "roster.csv", "--policy", "policy.toml"]
        weeks = [Path("weeks", number, "grades") for number in sheets]
        for number, week in zip(sheets, weeks, strict=True):
            if not (folder / week / "grades.csv").exists():
                took = timed(folder, "grade", week.parent / "in", "--out", week, "--sheet", number,
                             "-j", given.jobs, *files)  # fmt: skip
                print(
                    f"sheet {number}: {took:.1f} s, {len(list((folder / week / 'marks').iterdir()))} marked"
                )
        took = timed(folder, "term", *weeks, "--out", "term", *files)
        bad = wrong(folder / "gradebook" / "gradebook.csv", expected)
        print(f"One table of {len(sheets)} sheets, {given.students} persons: {took:.1f} s; wrong: {bad}")
        rules = (folder / "policy.toml").read_text()
        (folder / "policy.toml").write_text(rules.replace("per_day = 10", "per_day = 20"))
        took = timed(folder, "term", *weeks, "--out", "term", *files)
        changed = len((folder / "gradebook" / "changes.csv").read_text().splitlines()) - 1
        print(f"Other rules: {took:.1f} s, {changed} marks changed, nothing marked again")
        raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
