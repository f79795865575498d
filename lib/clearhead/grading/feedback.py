"""A page for each student: marks, what is right, what to look at. All text of the student's is escaped."""

import html
import re

from clearhead.checks import registry

from .marks import clean

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; }
th, td { border-bottom: 1px solid #767676; vertical-align: top } td { overflow-wrap: anywhere }
code { white-space: pre-wrap } th { overflow-wrap: break-word }
@media (max-width: 40rem) { th, td { padding: .3rem .2rem; font-size: .875rem } h2, h3 { font-size: 1.1rem } }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark } }
"""
_CODE = re.compile(r"`([^`\n]+)`")
HEAD = "".join(f'<th scope="col">{name}</th>' for name in ("case", "result", "what happened"))
IN_WORDS = {
    "passed": "✓ passed",
    "failed": "✗ not right yet",
    "not begun": "○ not begun",
    "error": "✗ an error",
    "timeout": "✗ took too long",
    "memory": "✗ took too much memory",
    "crashed": "✗ ended the process",
    "not tried": "○ not tried",
    "missing": "○ not found",
    "unreadable": "○ could not be read",
}


NOT_THERE = ("not begun", "unreadable")


def page(marks):
    """Return the page of one student: what is right comes first."""
    title = _text(f"Feedback for {clean(marks['student'], 200)}")
    rows = marks["exercises"]
    right = [row for row in rows if row["status"] == "passed"]
    absent = [row for row in rows if row["status"] in NOT_THERE]
    others = [row for row in rows if row not in right and row not in absent]
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{STYLE}</style></head>
<body><main>
<h1>{title}</h1>
{_sheets(marks)}
{_summary(marks)}
{_list("Right", map(_line, right))}
{_list("Notes on the notebook", map(_text, marks["notes"]))}
{"<h2>To look at</h2>" if others else ""}
{"".join(map(_section, others))}
{_list("Not there yet", map(_line, absent))}
</main></body></html>
"""


def _text(text):
    """Return a text of whomever as text of a page; what stands between ` is code."""
    return _CODE.sub(r"<code>\1</code>", html.escape(str(text)))


def _sheets(marks):
    """Return the titles of the sheets, and the file that was marked for each."""
    lines = []
    for number in sorted({row["id"][:2] for row in marks["exercises"]}):
        file = marks.get("files", {}).get(number)
        told = f": <code>{_text(file['name'])}</code>, SHA-256 {_text(file['sha256'][:12])}…" if file else ""
        lines.append(f"<p>Sheet {_text(number)}, {_text(registry.sheet(number).title)}{told}</p>")
    return "\n".join(lines)


def _summary(marks):
    """Return the points, or a word that there are none yet."""
    if marks["status"] == "unreadable":
        told = "<p><strong>Not everything that you handed in can be read</strong>: see the notes below.</p>"
        return told + (
            f"<p>{marks['points']} of {marks['out_of']} points so far.</p>" if marks["points"] else ""
        )
    if marks["status"] == "unprotected":
        return (
            "<p>Tried without isolation: an answer may have given itself these points. They are no marks.</p>"
        )
    if marks["status"] != "graded":
        return "<p>This submission is not graded yet: the grader had a fault of its own.</p>"
    return f"<p><strong>{marks['points']} of {marks['out_of']} points.</strong></p>"


def _list(title, items):
    """Return a list with its title, or nothing for nothing."""
    items = "".join(f"<li>{item}</li>" for item in items)
    return f"<h2>{title}</h2><ul>{items}</ul>" if items else ""


def _line(row):
    """Return one exercise as a line."""
    said = f". {row['says']}" if row["says"] else ""
    return f"{_title(row)}: {_result(row)}, {_points(row)}{_text(said)}"


def _title(row):
    return f"{_text(row['id'])}: {_text(row['title'])}"


def _result(row):
    return _text(IN_WORDS.get(row["status"], row["status"]))


def _points(row):
    return f"{row['points']} of {row['out_of']} points"


def _section(row):
    """Return one exercise with its cases: those that pass in one sentence, then the others in a table."""
    passed = [case["name"] for case in row["cases"] if case["status"] == "passed"]
    right = f"<p>✓ Right already: {_text('; '.join(passed))}.</p>" if passed else ""
    said = f"<p>{_text(row['says'])}</p>" if row["says"] else ""
    cases = [case for case in row["cases"] if case["status"] != "passed"]
    body = "".join(map(_case, cases)) if any(case["says"] for case in cases) else ""
    table = f"<table>\n<thead><tr>{HEAD}</tr></thead>\n<tbody>{body}</tbody></table>" if body else ""
    return f"<h3>{_title(row)}</h3>\n<p>{_result(row)}, {_points(row)}</p>\n{right}{said}{table}\n"


def _case(case):
    """Return one case as a row."""
    told = " ".join(text for text in (case["says"], case["look"]) if text)
    line = f"<br><code>{_text(case['line'])}</code>" if case["line"] else ""
    cells = f"<td>{_result(case)}</td><td>{_text(told)}{line}</td>"
    return f'<tr><th scope="row">{_text(case["name"])}</th>{cells}</tr>'
