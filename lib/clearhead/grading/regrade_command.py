"""The command `clearhead regrade`: mark one student or one exercise again, and say what changed."""

import hashlib
import json
import os
from pathlib import Path

import click

from clearhead.checks import registry

from . import batch, collecting, marks, naming, pools, ready
from .insight import writing
from .term import roster
from .term.tables import Unclear
from .term_command import an_address, settled, term_files, with_files


@click.command("regrade")
@click.argument("submissions", type=click.Path(exists=True))
@click.option("--out", default="grades", show_default=True, type=click.Path(file_okay=False, exists=True))
@click.option("--student", "students", multiple=True, help="By the name in the table, or in the list.")
@click.option("--exercise", "ids", multiple=True, help="Such as 05.sharpen; default: all of them.")
@click.option("-j", "--jobs", default=os.cpu_count, show_default="all", type=click.IntRange(1))
@click.option("--names", default="auto", show_default=True, help="As for clearhead grade.")
@click.option("--book", default="", metavar="ADDRESS", callback=an_address, help="Where your book is.")
@with_files
def regrade(submissions, out, students, ids, jobs, names, book, anonymous, **given):
    """Mark again, with the settings and the secret of the marks in OUT: a student, an exercise, or both.

    All other marks stay. Each mark that changes is shown, before and after.
    """
    out = Path(out)
    if not (students or ids):
        raise click.UsageError("Say --student NAME, or --exercise ID, or both. For all: clearhead grade.")
    try:
        settings = _settings(out)
        wanted = [registry.exercise(id).id for id in ids]
        if lacking := [id for id in wanted if id[:2] not in settings["sheets"]]:
            raise Unclear(
                f"{lacking[0]} is of a sheet that was not graded: {', '.join(settings['sheets'])} were."
            )
        ready.isolated_or_stop(not settings["isolated"], "")
        ready.hidden_or_stop(Path(submissions), out, not settings["isolated"])
        files = term_files([out], given)
        kept = (path.read_text() for path in out.glob("marks/*.json"))
        settings["every"] = "policy" in files or any('"earlier": {' in text for text in kept)
        found = collecting.find(submissions, names, [out])
        chosen = _chosen(found, students, files)
    except (ValueError, registry.Unclear) as error:
        raise click.ClickException(str(error)) from None
    ready.tell_if_open(out)
    run = batch.Batch(out, settings, book=book)
    part = batch.Batch(
        out, settings | {"sheets": sorted({id[:2] for id in wanted}) or settings["sheets"]}, book=book
    )
    count = 0
    with ready.pool_for("", min(jobs, len(chosen))) as (pool, width):
        for new, _ in pools.hand_out(map(part.order, chosen), pool, width):
            count += _put(run, part.with_files(new), wanted)
    click.echo(f"{len(chosen)} marked again, {count} with another mark.")
    known = [s for s in found if run.place(s.name).exists()]
    if count := len(found) - len(known):
        click.echo(f"{count} have no marks yet: clearhead grade --resume marks them.", err=True)
    run.export(known, None)
    writing.write(run.marks_of(known), known, settings, out)
    if files or anonymous:
        settled([out], None, files, anonymous, book)


def _settings(out):
    """Return the settings that the marks in a folder were made with, and their secret."""
    place = next(iter(sorted(out.glob("marks/*.json"))), None)
    made = json.loads(place.read_text()).get("made_with") if place else None
    if not made or not (out / "secret_seed.txt").exists():
        raise Unclear(f"There are no marks in {out}, or not their secret: clearhead grade makes both.")
    secret = batch.secret_of(out, "")
    if hashlib.sha256(secret.encode()).hexdigest()[:16] != made["secret"]:
        raise Unclear(f"The marks in {out} were made with another secret than that in secret_seed.txt.")
    return {k: v for k, v in made.items() if k != "clearhead"} | {"secret": secret}


def _chosen(found, students, files):
    """Return the submissions of these students; all of them for none."""
    if not students:
        return found
    persons = roster.read(files["roster"])[0] if "roster" in files else []
    owners = roster.owners(persons, [submission.name for submission in found])
    called = {s.name: {s.name, *(name for person in owners[s.name] for name in person.names)} for s in found}
    for student in students:
        if not any(student in names for names in called.values()):
            raise naming.Unclear(
                f"Nothing of {student!r:.60} was handed in: there are {', '.join(called)[:300]}."
            )
    return [s for s in found if called[s.name] & {*students}]


def _put(run, new, ids):
    """Put new marks in place of those of a student, and say what changed; return whether anything did."""
    student, place = new["student"], run.place(new["student"])
    old = json.loads(place.read_text()) if place.exists() else {"exercises": [], "points": None}
    if new["status"] == "grader_error":
        click.echo(f"  {marks.clean(student, 60)} is not marked again: {' '.join(new['notes'])}", err=True)
        return False
    if ids and place.exists():
        new = merged(old, new, ids)
    run.keep(new)
    before, after = ({row["id"]: row["points"] for row in each["exercises"]} for each in (old, new))
    changed = [id for id in after if before.get(id) != after[id]]
    told = ", ".join(f"{id} {before.get(id, 'none')} -> {after[id]}" for id in changed)
    if changed:
        click.echo(f"  {marks.clean(student, 60)}: {old['points']} -> {new['points']} points: {told}")
    return bool(changed)


def merged(old, new, ids):
    """Return a student's marks with new ones for some exercises; of a file that changed, for all of it.

    `old` are marks of all sheets, `new` of those of the exercises.
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
    made |= {"points": sum(row["points"] for row in rows), "out_of": sum(row["out_of"] for row in rows)}
    unreadable = any(row["status"] == "unreadable" for row in rows)
    made["status"] = "unreadable" if unreadable else new["status"].replace("unreadable", "graded")
    changed = {} if all(same.values()) else {"sha256": ""}  # so that --resume marks it whole
    return made | ({"earlier": earlier} if earlier else {}) | changed


def _replaced(old, new, taken):
    """Return marks with the rows of another of these ids."""
    rows = {row["id"]: row for row in new["exercises"] if row["id"] in taken}
    return old | {"exercises": [rows.get(row["id"], row) for row in old["exercises"]]}
