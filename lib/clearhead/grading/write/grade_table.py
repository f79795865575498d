"""The marks of a class as CSV and JSON. What the grader could not mark never becomes a zero."""

import csv
import io
import re
import textwrap

from ..collect.untrusted_text import one_line
from ..run.store import as_json

#: What makes a spreadsheet take a text for a formula, at its start or where a cell could be split once more:
#: those that OWASP lists, their full width forms, and two that start programs. Tab and return never get here.
_FORMULA = re.compile(r"""((?:^|[;,"])['"\s]*)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])""")


def as_json_list(items):
    """Yield the JSON of a list, item by item, as `as_json` would write it as a whole."""
    before = "[\n"
    for item in items:
        yield before + textwrap.indent(as_json(item).rstrip("\n"), " ")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


MOST = 30_000  # letters of a cell: Excel takes 32,767


def safe_cell(value):
    """Return a value for a spreadsheet: a string that would be a formula gets a ' in front.

    A text that is longer than a spreadsheet takes ends with a whole word and three points.
    """
    if not isinstance(value, str):
        return value
    text = one_line(value, MOST + 1)
    if len(text) > MOST:
        text = f"{text[:MOST].rpartition(' ')[0] or text[:MOST]} …"
    return _FORMULA.sub(r"\1'", text)


def format_points(points, comma=False):
    """Return points as a string with at most two decimals; "" if there are none."""
    if points is None:
        return ""
    return f"{points:.2f}".rstrip("0").rstrip(".").replace(".", "," if comma else ".")


def out_of(marks):
    """Return the maximal points of everything that was read."""
    return sum(row["max_points"] for row in marks["exercises"] if row["status"] != "unreadable")


def without(marks):
    """Return the sentence about sheets that could not be read although others could; "" if all could."""
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

    What the grader could not mark, what could not be read and what ran unprotected has no marks, not zeros.
    It begins with a byte order mark: without one, Excel takes UTF-8 for something else, and names suffer.
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
