"""The feedback page of each student: marks, right answers, and what to fix, with all student text escaped."""

import re

from clearhead.checks import registry

from ..collect.untrusted_text import one_line
from .rendering import render

STATUS_WORDS = {
    "passed": "✓ passed",
    "failed": "✗ not right yet",
    "not_attempted": "○ not attempted",
    "error": "✗ an error",
    "timeout": "✗ took too long",
    "memory": "✗ took too much memory",
    "crashed": "✗ ended the process",
    "skipped": "○ skipped",
    "missing": "○ not found",
    "unreadable": "○ could not be read",
}
NOT_DONE = ("not_attempted", "unreadable")
COLOURS = {"passed": "right", "skipped": "none", "missing": "none"} | dict.fromkeys(NOT_DONE, "none")
_SECTION = re.compile(r"[Ss]ection '([^']+)'")


def page(marks):
    """Return the feedback page of one student as HTML, with the right answers first.

    Parameters
    ----------
    marks : dict
        The marks of a student. The key `book` may hold the address of the book, to which the page then links,
        and the key `result` may hold, by sheet, the result under the policy of a term.
    """
    rows, book = marks["exercises"], marks.get("book", "")
    right = [row for row in rows if row["status"] == "passed"]
    absent = [row for row in rows if row["status"] in NOT_DONE]
    return render(
        "feedback.html.j2",
        marks=marks,
        student=one_line(marks["student"], 200),
        sheets=_sheets(marks),
        right=right,
        absent=absent,
        others=[row for row in rows if row not in right and row not in absent],
        words=STATUS_WORDS,
        colours=COLOURS,
        read_again=lambda row: read_again(row, book),
    )


def _sheets(marks):
    """Return a dict for each sheet with its number, title and file, and its result under the policy."""
    files, result = marks.get("files", {}), marks.get("result", {})
    numbers = sorted({*result, *(row["id"][:2] for row in marks["exercises"])})
    graded_manually = {n for n in numbers if result.get(n, {}).get("title")}
    return [
        {"number": n, "title": registry.sheet(n).title, "file": files.get(n), "result": result.get(n)}
        for n in numbers
        if n not in graded_manually
    ]


def read_again(row, book=""):
    """Return where an exercise is explained, in words, with a link if the book's address is known.

    It is the section that a failed case or the exercise's hints name or, if they name none, the chapter.
    """
    number = row["id"][:2]
    if registry.is_own(number):
        return {"text": f"sheet {int(number)}, {registry.sheet(number).title}", "link": ""}
    hints = next((e.hints for e in registry.sheet(number).exercises if e.id == row["id"]), ())
    section = _SECTION.search(" ".join([*(case["hint"] for case in row["cases"]), *hints]))
    page = f"{book.rstrip('/')}/chapters/{registry.file_stem(number)}.html" if book else ""
    chapter = f"chapter {int(number)}, {registry.sheet(number).title}"
    if not section:
        return {"text": chapter, "link": page}
    anchor = re.sub(r"[^a-z0-9]+", "-", section[1].lower()).strip("-")
    return {"text": f"“{section[1]}” in {chapter}", "link": page and f"{page}#{anchor}"}
