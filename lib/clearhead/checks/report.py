"""Reports on one sheet, written as a web page and as JSON, without overwriting older reports."""

import html
import json
import platform
import sys
from datetime import datetime
from pathlib import Path

from ..errors import UserError
from .progress import EMPTY_RECORD

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid; }
"""
COLUMNS = ("Exercise", "Difficulty", "Done", "Points", "Hints read", "Checks run", "Minutes", "Seed")


def write_report(sheet, records, folder=".", name=""):
    """Write a report on a learner's marks as a web page and as JSON, and return the two paths.

    Parameters
    ----------
    sheet : clearhead.checks.exercise.Sheet
        The sheet to report on.
    records : dict
        From the id of each exercise to its record, as `clearhead.checks.progress.records` returns it.
    folder : str or pathlib.Path
        Where to write; it must exist.
    name : str
        The learner's name, if the report should show it.
    """
    if not Path(folder).is_dir():
        raise UserError(f"There is no folder {str(folder)!r} to write the report to: create it first.")
    facts = gather(sheet, records, name)
    for number in range(1, 1000):
        stem = Path(folder) / f"clearhead-{sheet.number}-report{f'-{number}' if number > 1 else ''}"
        paths = stem.with_name(stem.name + ".html"), stem.with_name(stem.name + ".json")
        if not any(path.exists() for path in paths):
            break
    else:
        raise UserError(f"{str(folder)!r} already holds 999 reports: move some of them elsewhere.")
    try:
        for path, text in zip(paths, (page(facts), json.dumps(facts, indent=1) + "\n"), strict=True):
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise UserError(f"The report cannot be written to {str(folder)!r}: {error.strerror}.") from None
    return paths


def gather(sheet, records, name=""):
    """Return the contents of a report as a dict of plain data."""
    rows = []
    for exercise in sheet.exercises:
        record = EMPTY_RECORD | records.get(exercise.id, {})
        rows.append({"id": exercise.id, "title": exercise.title, "stars": exercise.stars} | record)
    versions = {"python": platform.python_version()} | {
        library: sys.modules[library].__version__
        for library in ("clearhead", "numpy", "torch")
        if library in sys.modules
    }
    return {
        "format": 1,
        "sheet": sheet.number,
        "title": sheet.title,
        "name": str(name)[:200],
        "made": datetime.now().astimezone().isoformat(timespec="seconds"),
        "done": sum(row["passed"] for row in rows),
        "of": len(rows),
        "exercises": rows,
        "versions": versions,
    }


def page(facts):
    """Return the report as one HTML page, in which all text is escaped."""
    title = html.escape(f"Sheet {facts['sheet']}: {facts['title']}")
    name_line = f"<p>{html.escape(facts['name'])}</p>" if facts["name"] else ""
    head = "".join(f'<th scope="col">{column}</th>' for column in COLUMNS)
    body = "\n".join(_row(row) for row in facts["exercises"])
    made_with = ", ".join(f"{library} {version}" for library, version in facts["versions"].items())
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{STYLE}</style></head>
<body><main>
<h1>{title}</h1>
{name_line}
<p>{facts["done"]} of {facts["of"]} exercises done.</p>
<div class="wide" tabindex="0" role="region" aria-label="Marks"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{body}
</tbody></table></div>
<p>Made on {html.escape(facts["made"])} with {html.escape(made_with)}.
The minutes are approximate, because a pause of more than ten minutes counts as ten. This report was made on
the learner's own machine, so it is information, not proof.</p>
</main></body></html>
"""


def _row(row):
    """Return the HTML of the table's row for one exercise."""
    attempted = bool(row["attempts"])
    cells = [
        "★" * row["stars"] + "☆" * (3 - row["stars"]),
        "yes" if row["passed"] else "no" if attempted else "not attempted",
        f"{row['points']} of {row['out_of']}" if attempted else "",
        row["hints"],
        row["attempts"],
        round(row["seconds"] / 60),
        "" if row["seed"] is None else row["seed"],
    ]
    data = "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells)
    return f'<tr><th scope="row">{html.escape(row["id"])}<br>{html.escape(row["title"])}</th>{data}</tr>'
