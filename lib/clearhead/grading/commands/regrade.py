"""The command `clearhead regrade`, which marks a student or an exercise again and keeps a record of it."""

import csv
import hashlib
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import click

from clearhead.checks import registry
from clearhead.errors import UserError

from ..collect import class_folder, naming
from ..collect.untrusted_text import one_line
from ..gradebook import roster
from ..run import batch, pools, store
from ..write import class_report
from ..write.grade_table import safe_cell
from ..write.outputs import Outputs
from . import preflight
from .gradebook import book_address, gradebook_files, gradebook_options, jobs_option, write_gradebook

LOG = "appeals.csv"
COLUMNS = ["time", "student", "exercises", "reason", "before", "after", "changed", "SHA-256 of the files"]
SHOWN = 60  # the most lines for students whose marks did not change


@click.command("regrade")
@click.argument("submissions", type=click.Path(exists=True))
@click.option(
    "--out",
    default="grades",
    show_default=True,
    type=click.Path(file_okay=False, exists=True),
    help="The folder with the marks.",
)
@click.option(
    "--student", "students", multiple=True, help="A student, by the name in grades.csv or in the roster."
)
@click.option("--exercise", "ids", multiple=True, help="An exercise, such as 05.sharpen.  [default: all]")
@click.option("--reason", default="", help="The reason, for the record in OUT/appeals.csv.")
@jobs_option
@click.option(
    "--names",
    default="auto",
    show_default=True,
    help="How to read student IDs from file names, as for clearhead grade.",
)
@click.option(
    "--book", default="", metavar="ADDRESS", callback=book_address, help="The address of your book."
)
@gradebook_options
def regrade(submissions, out, students, ids, reason, jobs, names, book, anonymous, **given):
    """Mark a student, an exercise, or both again, with the settings and the secret of the marks in OUT.

    All other marks stay. The old and the new marks of each student are printed, and recorded in
    OUT/appeals.csv with the time and the reason. That file grows with each run and is never overwritten.
    """
    out = Path(out)
    if not (students or ids):
        raise click.UsageError(
            "Give --student NAME, --exercise ID, or both. To mark everything again, use clearhead grade."
        )
    try:
        settings = _settings(out)
        exercise_ids = [registry.exercise(id).id for id in ids]
        if missing := [id for id in exercise_ids if id[:2] not in settings["sheets"]]:
            raise UserError(
                f"The sheet of {missing[0]} was not graded; graded sheets: {', '.join(settings['sheets'])}."
            )
        preflight.require_isolation(not settings["isolated"], "")
        preflight.require_hidden_folders(Path(submissions), out, not settings["isolated"])
        files = gradebook_files([out], given)
        kept = (path.read_text() for path in out.glob("marks/*.json"))
        settings["every"] = "policy" in files or any('"earlier": {' in text for text in kept)
        found = class_folder.find_submissions(submissions, names, [out])
        chosen = _chosen(found, students, files)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    preflight.warn_if_open_to_others(out)
    outputs = Outputs(out, book)
    run = batch.Batch(out, settings, publish=outputs.write_student)
    part = batch.Batch(out, settings, only={id[:2] for id in exercise_ids})
    record, now = [], datetime.now(UTC).isoformat(timespec="seconds")
    with preflight.pool_for("", min(jobs, len(chosen))) as (pool, width):
        for new, _ in pools.dispatch(map(part.task, chosen), pool, width):
            line = _put(run, part.with_files(new), exercise_ids)
            record.append([now, line[0], " ".join(exercise_ids) or "all", reason, *line[1:]])
            log(out / LOG, record[-1:])
    count = _tell(record)
    click.echo(f"{len(chosen)} marked again, {count} of them with new points. The record is in {out / LOG}.")
    known = [s for s in found if run.place(s.name).exists()]
    if count := len(found) - len(known):
        click.echo(f"{count} have no marks yet: to mark them, use clearhead grade --resume.", err=True)
    run.extend_submission_list(chosen)
    outputs.write_tables(run, known)
    class_report.write(run.marks_of(known), known, settings, out)
    if files or anonymous:
        raise click.exceptions.Exit(write_gradebook([out], None, files, anonymous, book))


def _settings(out):
    """Return the settings and the secret with which the marks in a folder were made."""
    path = next(iter(sorted(out.glob("marks/*.json"))), None)
    made = json.loads(path.read_text()).get("made_with") if path else None
    if not made or not (out / "secret_seed.txt").exists():
        raise UserError(
            f"{out} lacks marks, or the secret with which they were made: clearhead grade writes both."
        )
    secret = batch.load_or_create_secret(out, "")
    if hashlib.sha256(secret.encode()).hexdigest()[:16] != made["secret"]:
        raise UserError(f"The marks in {out} were made with another secret than the one in secret_seed.txt.")
    return {k: v for k, v in made.items() if k != "clearhead"} | {"secret": secret}


def _chosen(found, students, files):
    """Return the submissions of these students, or all submissions if no student is given."""
    if not students:
        return found
    persons = roster.read(files["roster"])[0] if "roster" in files else []
    origins = {s.name: s.origin or naming.Origin(s.name) for s in found}
    fits, lookup = roster.owners(persons, origins), roster.Lookup(persons)
    bare = roster.Lookup(roster.Person(submission.name) for submission in found)
    chosen = set()
    for student in students:
        called = lookup.called(student)
        if len(called) > 1:
            both = " and ".join(person.key for person in called)
            raise UserError(f"{len(called)} people are called {student!r:.60}. Write {both} instead.")
        keys = {person.key for person in called}
        held = {name for name, fit in fits.items() if keys & {person.key for person in fit.persons}}
        held = held or {person.name for person in bare.called(student)}
        if not held:
            among = ", ".join([s.name for s in found][:20])
            raise UserError(f"There is no submission of {student!r:.60}; there are {among:.300}.")
        chosen |= held
    return [s for s in found if s.name in chosen]


def _put(run, new, ids):
    """Replace a student's marks by new ones, and return the entries of the student in the record.

    These are the student, the points before and after, the exercises that changed, and the files.
    """
    student, path = new["student"], run.place(new["student"])
    old = store.load_marks(path) if path.exists() else {"exercises": [], "points": None}
    if new["status"] == "grader_error":
        reason = f"not marked again: {one_line(' '.join(new['notes']), 1000)}"
        click.echo(f"  {one_line(student, 60)} is {reason}", err=True)
        return [student, old.get("points"), old.get("points"), reason, ""]
    if ids and path.exists():
        new = merged(old, new, ids)
    run.save(new)
    before, after = ({row["id"]: row["points"] for row in each["exercises"]} for each in (old, new))
    changed = [f"{id} {before.get(id, 'none')} -> {after[id]}" for id in after if before.get(id) != after[id]]
    hashes = " ".join(file["sha256"] for _, file in sorted(new["files"].items()) if file["sha256"])
    return [student, old.get("points"), new["points"], ", ".join(changed), hashes]


def _tell(record):
    """Print the old and the new points of each student, and return how many students have changes."""
    same = 0
    for _, student, _, _, before, after, changed, _ in record:
        same += not changed
        if changed or same <= SHOWN:
            change = f": {changed}" if changed else ", no change"
            click.echo(f"  {one_line(student, 60)}: {before} -> {after} points{change}")
    if same > SHOWN:
        click.echo(f"  and {same - SHOWN} more without a change.")
    return len(record) - same


def log(path, rows):
    """Append rows to the record of appeals, without changing anything that is already in it."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with open(descriptor, "r+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if not size:
            table.writerow(COLUMNS)
        elif file.seek(size - 1) is not None and file.read(1) != b"\n":
            text.write("\n")  # an editor left the last line open
        table.writerows([[safe_cell(value) for value in row] for row in rows])
        file.write((b"" if size else b"\xef\xbb\xbf") + text.getvalue().encode("utf-8", "replace"))


def merged(old, new, ids):
    """Return a student's marks with new ones for some exercises, and for all those of a changed file.

    `old` are the marks of all sheets, and `new` those of the sheets to which the exercises `ids` belong.
    """
    same = {
        n: told["sha256"] == old.get("files", {}).get(n, {}).get("sha256") for n, told in new["files"].items()
    }
    taken = {row["id"] for row in new["exercises"] if row["id"] in ids or not same.get(row["id"][:2], True)}
    earlier = dict(old.get("earlier", {}))
    for number, attempts in new.get("earlier", {}).items():
        if len(attempts) == len(earlier.get(number, [])) and same[number]:
            attempts = [_replaced(a, b, taken) for a, b in zip(earlier[number], attempts, strict=True)]
        earlier[number] = attempts
    rows = _replaced(old, new, taken)["exercises"]
    made = old | {"exercises": rows, "files": old.get("files", {}) | new["files"]}
    made |= {
        "points": sum(row["points"] for row in rows),
        "max_points": sum(row["max_points"] for row in rows),
    }
    unreadable = any(row["status"] == "unreadable" for row in rows)
    made["status"] = "unreadable" if unreadable else new["status"].replace("unreadable", "graded")
    if new.get("unread"):
        made["unread"] = new["unread"]
    changed = {} if all(same.values()) else {"sha256": ""}  # so that --resume marks it whole
    return made | ({"earlier": earlier} if earlier else {}) | changed


def _replaced(old, new, taken):
    """Return the marks `old` with the rows of the exercises `taken` from the marks `new`."""
    rows = {row["id"]: row for row in new["exercises"] if row["id"] in taken}
    return old | {"exercises": [rows.get(row["id"], row) for row in old["exercises"]]}
