"""Tables of a term: one for every program, and those that Canvas and Moodle import, in their own columns."""

import csv
import io

from clearhead.checks import registry

from ..exporting import cell
from .settling import GRADED

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_MOODLE = ["First name", "Last name", "ID number", "Email address"]
_WORKSHEET = [
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
]  # fmt: skip


def number(points):
    """Return points as they stand in a cell; "" where somebody must look."""
    return "" if points is None else f"{points:g}"


def as_table(titles, rows, mark=""):
    """Return a table as CSV; a `mark` of byte order tells Excel that it is UTF-8; importers trip on it."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerows([[cell(value) for value in row] for row in (titles, *rows)])
    return mark + text.getvalue()


def term_titles(sheets):
    """Return the columns of the table of a term."""
    told = ["total", "out of", "needs a look", "rules"]
    return ["student", "id", "email", "section", "handed in as", *sheets, *told]


def term_row(record, policy):
    """Return the row of a person in the table of a term."""
    person, results = record.person, record.results.values()
    total, out_of = record.total(policy)
    look = [record.note] * bool(record.note)
    look += [f"{r.sheet}: {r.status}" for r in results if r.status != GRADED]
    rules = [f"{r.sheet}: {' '.join(r.says)}" for r in results if r.says]
    points = [number(result.points) for result in results]
    who = [person.name, person.id, person.email, person.section, " / ".join(record.submissions)]
    return [
        *who,
        *points,
        number(total if out_of else None),
        number(out_of),
        "; ".join(look),
        " / ".join(rules),
    ]


def receipts(record):
    """Yield a row for each hand-in of a person: which file came when, and which counts."""
    for result in record.results.values():
        for attempt in result.attempts:
            time = attempt.time.isoformat() if attempt.time else ""
            counts = "counts" if attempt is result.attempt else ""
            who = [record.person.name, record.person.id]
            yield [*who, result.sheet, attempt.file, time, attempt.sha256, attempt.status, counts]


RECEIPT = ["student", "id", "sheet", "file", "time", "SHA-256", "status", "counts"]


def assignment(number, policy):
    """Return what an assignment is called: as the rules say, else by its sheet."""
    return policy.rule(number).name or f"Sheet {number}: {registry.sheet(number).title}"


def canvas(records, most, policy):
    """Return the CSV that Canvas imports: a column an assignment; its first row has the points of each."""
    blank = [""] * (len(_CANVAS) - 1)
    first = ["    Points Possible", *blank, *map(number, most.values())]
    rows = (
        [p.name, p.canvas, p.id, p.login, p.section, *(number(r.points) for r in record.results.values())]
        for record in records
        for p in [record.person]
    )
    return as_table([*_CANVAS, *(assignment(n, policy) for n in most)], [first, *rows])


def moodle(records, most, policy):
    """Return the CSV for the gradebook of Moodle, where e-mail or id tells whose a row is."""
    rows = (
        [p.first, p.last or p.name, p.id, p.email, *(number(r.points) for r in record.results.values())]
        for record in records
        for p in [record.person]
    )
    return as_table([*_MOODLE, *(assignment(n, policy) for n in most)], rows)


def worksheet(records, sheet, most):
    """Return the grading worksheet of one assignment of Moodle, for those whose identifier is known."""
    rows = (
        [
            p.moodle,
            p.name,
            p.email,
            r.status,
            number(r.points),
            number(most),
            "Yes",
            "",
            "",
            " ".join(r.says),
        ]
        for record in records
        if record.person.moodle
        for p, r in [(record.person, record.results[sheet])]
    )
    return as_table(_WORKSHEET, rows)
