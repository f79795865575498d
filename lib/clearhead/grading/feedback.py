"""A page for each student: marks, what went wrong, what to look at. All text of the student's is escaped."""

import html

from .marks import clean

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; }
th, td { border-bottom: 1px solid #767676; vertical-align: top } td { overflow-wrap: anywhere }
code { white-space: pre-wrap } th { overflow-wrap: break-word }
@media (max-width: 40rem) { th, td { padding: .3rem .2rem; font-size: .875rem } h2 { font-size: 1.1rem } }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark } }
"""
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


def page(marks):
    """Return the page of one student."""
    title = html.escape(f"Feedback for {clean(marks['student'], 200)}")
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{STYLE}</style></head>
<body><main>
<h1>{title}</h1>
{_summary(marks)}
{"".join(_section(row) for row in marks["exercises"])}
{_notes(marks["notes"])}
</main></body></html>
"""


def _summary(marks):
    """Return the points, or a word that there are none yet."""
    if marks["status"] == "unreadable":
        told = "<p><strong>Not everything that you handed in can be read</strong>: see the notes below.</p>"
        return told + (
            f"<p>{marks['points']} of {marks['out_of']} points so far.</p>" if marks["points"] else ""
        )
    if marks["status"] != "graded":
        return "<p>This submission is not graded yet: the grader had a fault of its own.</p>"
    return f"<p><strong>{marks['points']} of {marks['out_of']} points.</strong></p>"


def _section(row):
    """Return one exercise with its cases."""
    said = f"<p>{html.escape(row['says'])}</p>" if row["says"] else ""
    cases = "".join(_case(case) for case in row["cases"])
    return f"""<h2>{html.escape(row["id"])}: {html.escape(row["title"])}</h2>
<p>{html.escape(IN_WORDS.get(row["status"], row["status"]))}, {row["points"]} of {row["out_of"]} points</p>
{said}<table>
<thead><tr><th scope="col">case</th><th scope="col">result</th><th scope="col">what happened</th></tr></thead>
<tbody>{cases}</tbody></table>
"""


def _case(case):
    """Return one case as a row."""
    told = " ".join(text for text in (case["says"], case["look"]) if text)
    line = f"<br><code>{html.escape(case['line'])}</code>" if case["line"] else ""
    result = html.escape(IN_WORDS.get(case["status"], case["status"]))
    name = html.escape(case["name"])
    told = html.escape(told) + line
    return f'<tr><th scope="row">{name}</th><td>{result}</td><td>{told}</td></tr>'


def _notes(notes):
    """Return what was noted about the notebook."""
    if not notes:
        return ""
    items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return f"<h2>Notes on the notebook</h2><ul>{items}</ul>"
