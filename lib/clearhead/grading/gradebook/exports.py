"""The tables of a term: a general one, and those that Canvas and Moodle import, with their own columns."""

import csv
import io
from datetime import datetime

from clearhead.checks import registry

from ..mark.marks import MANUAL
from ..write.grade_table import format_points, safe_cell
from . import manual_grades
from .apply_policy import GRADED, UNREADABLE

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_MOODLE = ["First name", "Last name", "ID number", "Email address"]
_WORKSHEET = [
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
]  # fmt: skip


def csv_table(titles, rows, separator=","):
    """Return a table as a string in CSV, whose cells are safe in spreadsheets."""
    text = io.StringIO(newline="")
    table = csv.writer(text, delimiter=separator, lineterminator="\n")
    table.writerows([[safe_cell(value) for value in row] for row in (titles, *rows)])
    return text.getvalue()


def for_spreadsheet(titles, rows, policy):
    """Return a table for spreadsheets, with the separator of the instructor's language.

    It begins with a byte order mark, because without one Excel does not recognise UTF-8. The tables for
    platforms have none, because their importers fail on it.
    """
    return "\ufeff" + csv_table(titles, rows, ";" if policy.decimal_comma else ",")


def gradebook_titles(sheets):
    """Return the column titles of the gradebook for these sheets."""
    totals = ["total", "max points", "needs review", "rules", "platform status"]
    return ["student", "id", "email", "section", "submission", *sheets, *totals]


def gradebook_row(record, policy):
    """Return the row of a person in the gradebook as a list of cells."""
    person, results = record.person, record.results.values()
    total, out_of = record.total(policy)
    to_review = [record.note] * bool(record.note)
    to_review += [
        f"{r.sheet}: {r.status}" for r in results if r.status not in (GRADED, manual_grades.NO_BONUS)
    ]
    to_review += [f"{r.sheet}: {words}" for r in results for words in r.to_review]
    to_review += record.to_review
    rules = [f"{r.sheet}: {words}" for r in results if (words := _rules_text(r))]
    platform = [person.status] * bool(person.status)
    platform += [f"{r.sheet}: late" for r in results if r.attempt and r.attempt.late]
    comma = policy.decimal_comma
    points = [format_points(result.points, comma) for result in results]
    identity = [person.name, person.id, person.email, person.section, " / ".join(record.submissions)]
    return [
        *identity,
        *points,
        format_points(total if out_of else None, comma),
        format_points(out_of, comma),
        "; ".join(to_review),
        " / ".join(rules),
        "; ".join(platform),
    ]


def _rules_text(result):
    """Return the rules that affected a result, with any extension of its deadline, as one string."""
    return " ".join(filter(None, [result.extension, *result.messages]))


def receipts(record, zone):
    """Yield a row for each hand-in of a person, with its file, its time, and whether it counts."""
    for result in record.results.values():
        for attempt in result.attempts:
            corrected = result.handed_in if attempt is result.attempt else None  # under [handed_in]
            time = _in(zone, corrected or attempt.time)
            counts = _counts(result) if attempt is result.attempt else ""
            identity = [record.person.name, record.person.id]
            late = "late" if attempt.late else ""
            yield [*identity, result.sheet, attempt.file, time, attempt.sha256, attempt.status, counts, late]


def _counts(result):
    """Return the words of a receipt on whether the chosen hand-in of a result counts, or why it does not."""
    if result.closed:
        return "too late"
    manual = [row for row in result.rows if row["rule"] == MANUAL]
    if result.attempt.status == GRADED or (result.points is not None and manual):
        return "counts"
    return {UNREADABLE: "cannot be read"}.get(result.attempt.status, "no mark yet")


def _in(zone, time):
    """Return a time in ISO 8601 in a time zone; a date is returned without conversion, and None as ""."""
    return (time.astimezone(zone) if isinstance(time, datetime) else time).isoformat() if time else ""


RECEIPT = ["student", "id", "sheet", "file", "time", "SHA-256", "status", "counts", "platform status"]


def assignment_name(number, policy):
    """Return the name of an assignment: the one in the policy, or else the one of its sheet."""
    if number in policy.manual:
        return policy.manual[number].title
    return policy.rule(number).name or f"Sheet {number}: {registry.sheet(number).title}"


def canvas_csv(records, most, policy):
    """Return the CSV that Canvas imports: one column per assignment, with its points in the first row."""
    blank = [""] * (len(_CANVAS) - 1)
    first = ["    Points Possible", *blank, *map(format_points, most.values())]
    rows = (
        [
            p.name,
            p.canvas,
            p.id,
            p.login,
            p.section,
            *(format_points(r.points) for r in record.results.values()),
        ]
        for record in records
        for p in [record.person]
    )
    return csv_table([*_CANVAS, *(assignment_name(n, policy) for n in most)], [first, *rows])


def moodle_csv(records, most, policy):
    """Return the CSV for the gradebook of Moodle, whose rows are identified by e-mail or id."""
    rows = (
        [*_first_and_last(p), p.id, p.email, *(format_points(r.points) for r in record.results.values())]
        for record in records
        for p in [record.person]
    )
    return csv_table([*_MOODLE, *(assignment_name(n, policy) for n in most)], rows)


def _first_and_last(person):
    """Return a person's first and last name; a name without these fields is divided at its comma."""
    if person.first or person.last:
        return person.first, person.last or person.name
    last, _, first = person.name.partition(",")
    return first.strip(), last.strip()


def moodle_worksheet(records, sheet, most, numbers):
    """Return Moodle's grading worksheet for one assignment, with the students who have a number in it.

    `numbers` gives the identifier of each of them, such as "Participant 4711", by the person's key.
    """
    rows = (
        [
            numbers[p.key],
            p.name,
            p.email,
            r.status,
            format_points(r.points),
            format_points(most),
            "Yes",
            "",
            "",
            _rules_text(r),
        ]
        for record in records
        if record.person.key in numbers
        for p, r in [(record.person, record.results[sheet])]
    )
    return csv_table(_WORKSHEET, rows)
