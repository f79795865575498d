"""The files of a gradebook: its table, a page for each student, receipts, exports, and a list of changes."""

import json
from dataclasses import replace

from clearhead.errors import UserError
from clearhead.files import write_private

from ..mark.marks import MANUAL
from ..run import store
from ..write import feedback
from ..write.grade_table import format_points
from . import exports, manual_grades
from .apply_policy import GRADED, UNREADABLE
from .policy import format_time
from .roster import Person

NAMES = ["anonymous id", "student", "id", "email", "submission"]
FEW = 5
#: The files that a platform could import by mistake if they were left from an earlier run.
IMPORTED = ("canvas.csv", "moodle.csv", "moodle-worksheet*.csv")
CHANGES = ["student", "sheet", "before", "after"]


def write(gradebook, out, names=None, book=""):
    """Write a gradebook to a folder, and return what has changed since it was last written.

    Parameters
    ----------
    gradebook : Gradebook
        The records of the class.
    out : Path
        The folder.
    names : Path, optional
        If it is given, ids replace the names, no table for a platform is written, and this file gets the
        table that says to whom each id belongs.
    book : str
        The address of the book, for links.
    """
    rows, receipts, records, mapping, now, called, pages = [], [], [], [], {}, {}, {}
    means = class_means(gradebook)
    for record in gradebook.records(anonymous=bool(names)):
        person, key = record.person, record.person.key
        if names:
            mapping.append(
                [person.pseudonymous_id, person.name, person.id, person.email, " / ".join(record.submissions)]
            )
            record, key = _pseudonymized(record, gradebook.policy.zone), person.pseudonymous_id
        rows.append(exports.gradebook_row(record, gradebook.policy))
        receipts += exports.receipts(record, gradebook.policy.zone)
        called[key] = key if key == record.person.name else f"{record.person.name} ({key})"
        now[key] = {number: result.points for number, result in record.results.items()}
        if any(result.attempts or result.messages for result in record.results.values()):
            pages[key] = out / "feedback" / f"{store.file_name(key)}.html"
            write_private(pages[key], feedback.page(_page(record, gradebook, means) | {"book": book}))
        if gradebook.has_roster and not names and not record.note:  # without their rows, which are large
            slim = {n: replace(r, rows=(), attempt=None, attempts=()) for n, r in record.results.items()}
            records.append(replace(record, results=slim))
    if len(now) < len(rows):
        raise UserError(
            "Two persons have one id: give the list of the class a column id with different ones."
        )
    leftovers = {*(out / "feedback").glob("*.html")} - {*pages.values()}
    sheets = gradebook.columns
    table = exports.for_spreadsheet(exports.gradebook_titles(sheets), rows, gradebook.policy)
    write_private(out / "gradebook.csv", table)
    write_private(out / "receipts.csv", exports.for_spreadsheet(exports.RECEIPT, receipts, gradebook.policy))
    if mapping:
        write_private(names, exports.for_spreadsheet(NAMES, mapping, gradebook.policy))
    imported = []
    if records:
        most = {number: gradebook.max_points(number) for number in sheets}
        write_private(out / "canvas.csv", exports.canvas_csv(records, most, gradebook.policy))
        write_private(out / "moodle.csv", exports.moodle_csv(records, most, gradebook.policy))
        imported += ["canvas.csv", "moodle.csv"]
        for sheet, numbers in gradebook.worksheets.items():
            only = len(gradebook.out_of) == 1
            imported.append("moodle-worksheet.csv" if only else f"moodle-worksheet-{sheet}.csv")
            table = exports.moodle_worksheet(records, sheet, most[sheet], numbers)
            write_private(out / imported[-1], table)
    leftovers |= {p for name in IMPORTED for p in out.glob(name) if p.name not in imported}
    if names:  # a page with a name in it has no place in this folder, and can be made again
        for path in leftovers:
            path.unlink()
    elif note := store.archive_leftovers(out, leftovers):
        gradebook.notes.append(note)
    changed = _changes(out / "gradebook.json", now, called, gradebook.policy.decimal_comma)
    write_private(out / "gradebook.json", store.as_json(now))
    write_private(out / "changes.csv", exports.for_spreadsheet(CHANGES, changed, gradebook.policy))
    return changed


def _pseudonymized(record, zone):
    """Return a record without anything that identifies the student.

    These are names, names of files, notes that quote them, the time of the day, which a platform shows
    beside the name, and an extension, which few have.
    """
    results = {}
    for number, result in record.results.items():
        attempts = tuple(
            replace(
                a, file="", sha256="", notes=(), late=False, time=a.time and a.time.astimezone(zone).date()
            )
            for a in result.attempts
        )
        index = result.attempts.index(result.attempt) if result.attempt else None
        attempt = None if index is None else attempts[index]
        result = replace(result, handed_in=None, due=None, extension="")
        results[number] = replace(result, attempt=attempt, attempts=attempts)
    note = "This hand-in fits nobody, or more than one, in the list." if record.note else ""
    to_review = ("the files or the platform: see the table with names",) * bool(record.to_review)
    person = Person(record.person.pseudonymous_id)
    return replace(record, person=person, submissions=(), results=results, note=note, to_review=to_review)


def _changes(path, now, called, comma):
    """Return a row for each result that differs from the last run's: student, sheet, before, after."""
    try:
        before = json.loads(path.read_text())
    except (OSError, ValueError):
        return []
    changed = []
    for key in sorted({*before, *now}) if before else []:
        old, new = before.get(key, {}), now.get(key, {})
        for number in sorted({*old, *new}):
            if old.get(number) != new.get(number):
                both = [
                    format_points(marks[number], comma) if number in marks else "none" for marks in (old, new)
                ]
                changed.append([called.get(key, key), number, *(each or "no mark" for each in both)])
    return changed


def class_means(gradebook):
    """Return a sentence about the class mean for each sheet that at least FEW students handed in.

    With fewer hand-ins, the mean would reveal to a student the marks of the others.
    """
    points = {}
    for record in gradebook.records():
        for result in record.results.values():
            if result.attempts and result.points is not None:
                points.setdefault(result.sheet, []).append(result.points)
    sentence = "Mean of the class: {:.1f} of {} points, over {} students who handed in."
    return {
        number: sentence.format(
            sum(found) / len(found), format_points(gradebook.max_points(number)), len(found)
        )
        for number, found in points.items()
        if len(found) >= FEW and gradebook.max_points(number)
    }


def when(result, zone):
    """Return a sentence that says when a sheet was handed in and was due, in the course's time zone."""
    parts = []
    if result.handed_in:
        parts.append(f"handed in on {format_time(result.handed_in.astimezone(zone))}")
    if result.due:
        extended = ", with your extension," if result.extension else ""
        parts.append(f"due{extended} on {format_time(result.due.astimezone(zone))}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]} (time zone {zone})." if text else ""


def _weighed(weight):
    """Return a tuple with the sentence on the weight of a sheet, which is empty if the weight is 1."""
    return () if weight == 1 else (f"It counts {weight:g} times in the total.",)


def _page(record, gradebook, means):
    """Return the data for a person's feedback page: the marks that count, and the rules that gave them."""
    results = [r for r in record.results.values() if r.attempts or r.messages]
    statuses = {result.status for result in results if result.points is None}
    status = next((s for s in ("grader_error", "unprotected", UNREADABLE) if s in statuses), GRADED)
    policy = gradebook.policy
    total, out_of = record.total(policy)
    counted = [a for r in results if (a := r.attempt)]
    return {
        "student": record.person.name,
        "status": status,
        "points": format_points(total),
        "max_points": format_points(out_of),
        "exercises": [
            row
            for r in results
            for row in r.rows
            if r.status in (GRADED, UNREADABLE, manual_grades.WAITING) or row["rule"] == MANUAL
        ],
        "notes": [*dict.fromkeys(note for attempt in counted for note in attempt.notes)],
        "files": {
            r.sheet: {"name": a.file, "sha256": a.sha256, "time": a.time.isoformat() if a.time else ""}
            for r in results
            if (a := r.attempt) and a.sha256
        },
        "manual_grades": [
            {"message": mark.message, "comment": mark.words}
            for r in record.results.values()
            for mark in r.manual
        ],
        "result": {
            r.sheet: {
                "status": r.status,
                "points": format_points(r.points),
                "max_points": format_points(r.out_of),
                "earned": format_points(r.earned),
                "when": when(r, policy.zone),
                "mean": means.get(r.sheet, ""),
                "title": exports.assignment_name(r.sheet, policy) if r.sheet in policy.manual else "",
                "messages": (
                    *filter(None, [r.extension]),
                    *r.messages,
                    *_weighed(policy.rule(r.sheet).weight),
                ),
            }
            for r in record.results.values()
        },
    }
