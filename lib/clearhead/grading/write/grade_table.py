"""The marks of a class as CSV and JSON, in which a submission that could not be marked is never a zero."""

import csv
import io
import re
import textwrap

from ..collect.untrusted_text import one_line
from ..run.store import as_json

#: The characters that make a spreadsheet read a text as a formula, at its beginning or where a cell could be
#: split again: those that OWASP lists, their full-width forms, and two that start programs. Tabs and carriage
#: returns are removed before.
_FORMULA = re.compile(r"""((?:^|[;,"])['"\s]*)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])""")


def as_json_list(items):
    """Yield the JSON of a list in pieces, which together equal what `as_json` returns for the list."""
    before = "[\n"
    for item in items:
        yield before + textwrap.indent(as_json(item).rstrip("\n"), " ")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


MOST = 30_000  # characters of a cell; Excel's limit is 32,767


def safe_cell(value):
    """Return a value that is safe in a spreadsheet, with a ' before a string that would be a formula.

    A text that is too long for a spreadsheet is cut after a whole word and ends with an ellipsis.
    """
    if not isinstance(value, str):
        return value
    text = one_line(value, MOST + 1)
    if len(text) > MOST:
        text = f"{text[:MOST].rpartition(' ')[0] or text[:MOST]} …"
    return _FORMULA.sub(r"\1'", text)


def format_points(points, comma=False):
    """Return points as a string with at most two decimals, or "" for None."""
    if points is None:
        return ""
    return f"{points:.2f}".rstrip("0").rstrip(".").replace(".", "," if comma else ".")


def out_of(marks):
    """Return the maximal points of all exercises that could be read."""
    return sum(row["max_points"] for row in marks["exercises"] if row["status"] != "unreadable")


def without(marks):
    """Return a sentence on sheets that could not be read although others could, or "" if there are none."""
    rows = marks["exercises"]
    lost, read = (
        sorted({row["id"][:2] for row in rows if (row["status"] == "unreadable") is unreadable})
        for unreadable in (True, False)
    )
    lost = [number for number in lost if number not in read]
    if not lost or not read:
        return ""
    return f"Sheet {' and '.join(lost)} could not be read, so only sheet {' and '.join(read)} counts."


def as_csv(all_marks, ids):
    """Return a table with a row for each student and a column for each exercise.

    Submissions that could not be marked or read, or that ran unprotected, have empty cells instead of zeros.
    The table begins with a byte order mark, because without one Excel does not recognise UTF-8, and garbles
    the letters of names.
    """
    text = io.StringIO("\ufeff", newline="")
    text.seek(1)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["student", "status", "points", "max points", *ids, "files", "notes"])
    for marks in all_marks:
        points = {row["id"]: row["points"] for row in marks["exercises"] if row["status"] != "unreadable"}
        points = {} if marks["status"] == "unprotected" else points
        total, notes = marks["points"] if points else "", marks["notes"][:5]
        row = [marks["student"], marks["status"], total, marks.get("max_points", "")]
        if total != "" and (lost := without(marks)):
            row[3], notes = out_of(marks), [lost, *notes][:5]
        files = [file["name"] for _, file in sorted(marks.get("files", {}).items())]
        row += [points.get(id, "") for id in ids] + [" / ".join(files), " / ".join(notes)]
        table.writerow([safe_cell(value) for value in row])
    return text.getvalue()
