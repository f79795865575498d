"""The printed summary of a class: students of a small class, totals, and submissions that need attention."""

from collections import Counter

import click

from ..collect.untrusted_text import one_line
from ..mark.marks import caused_by_helper
from ..run.store import file_name
from ..write.grade_table import out_of, without

EXIT_NOT_MARKED = 3  # the exit status where some submission could not be marked, through no fault of its own
WORDS = {"grader_error": "Not marked", "unreadable": "Cannot be read"}
WIDE, MISTAKES = 30, 5


def print_summary(all_marks, out, each):
    """Print a summary, with one line per student if `each` is set, and return the exit status."""
    points, mistakes, statuses, look_at, most = [], Counter(), Counter(), [], 0
    for marks in all_marks:
        if each:
            click.echo(_line(marks))
        statuses[marks["status"]] += 1
        if has_points(marks):
            points.append(marks["points"])
            most = marks["max_points"]
        own_mistakes = [row for row in marks["exercises"] if row["mistake"] and not caused_by_helper(row)]
        mistakes.update((row["id"], row["mistake"]) for row in own_mistakes)
        if unread := marks.get("unread"):
            names = ", ".join(f"{name!r}" for name in unread)
            look_at.append(f"Needs a look: {one_line(marks['student'], 60)}. Not read: {names}.")
        if marks["status"] in WORDS:
            student = f"{one_line(marks['student'], 60)} ({file_name(marks['student'])})"
            notes = one_line(" ".join(marks["notes"][:3]), 1000)
            look_at.append(f"{WORDS[marks['status']]}: {student}. {notes}")
    counts = [f"{statuses['graded']} graded", f"{statuses['unreadable']} unreadable"]
    counts += [f"{statuses['grader_error']} not marked"] * bool(statuses["grader_error"])
    counts += [f"{statuses['unprotected']} unprotected, which get no marks"] * bool(statuses["unprotected"])
    mean = f" Mean {sum(points) / len(points):.1f} of {most}." if points else ""
    click.echo(f"{', '.join(counts)}.{mean}")
    for (id, mistake), count in mistakes.most_common(MISTAKES):
        click.echo(f"  {count} × in {id}: {mistake}")
    for line in look_at:
        click.echo(line, err=True)
    click.echo(f"Marks are in {out}: grades.csv, feedback/, gradescope/.")
    click.echo(f"An overview of common mistakes is in {out}/class.html.")
    return EXIT_NOT_MARKED if statuses["grader_error"] else 0


def _line(marks):
    """Return the line of the summary on one student: name, points, and problems."""
    points = f"{marks['points']:>4} of {out_of(marks)}" if has_points(marks) else f"{marks['status']:>10}"
    problems = Counter(row["status"] for row in marks["exercises"] if row["status"] != "passed")
    problem_text = ", ".join(f"{count} {status}" for status, count in problems.items())
    if lost := without(marks):
        problem_text = f"without {lost.partition(' could')[0].lower()}, which could not be read"
    return f"  {one_line(marks['student'], WIDE):{WIDE}}  {points}  {problem_text}".rstrip()


def has_points(marks):
    """Return True if the grader did not fail, and at least one exercise could be read."""
    return marks["status"] != "grader_error" and any(r["status"] != "unreadable" for r in marks["exercises"])
