"""The command `clearhead grade`: options in, marks and a summary out."""

import os
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click

from . import batch, collecting, pools, summary
from .insight import writing

MANY = 40  # a line for each student, up to so many


@click.command("grade")
@click.argument("submissions", required=False, type=click.Path(exists=True))
@click.option(
    "--out", default="grades", show_default=True, type=click.Path(file_okay=False), help="Where to write."
)
@click.option(
    "--sheet", "sheets", multiple=True, help="A sheet to grade, such as 05; default: by file names."
)
@click.option(
    "-j", "--jobs", default=os.cpu_count, show_default="all", type=click.IntRange(1), help="Workers."
)
@click.option("--resume", is_flag=True, help="Keep the marks of files and settings that did not change.")
@click.option("--shard", default="", metavar="I/N", help="Grade part I of N; all parts need one secret.")
@click.option("--dask", default="", metavar="ADDRESS", help="Grade on a Dask cluster.")
@click.option(
    "--seed", default="", help="The secret of the hidden cases; default: kept in OUT/secret_seed.txt."
)
@click.option(
    "--names",
    default="auto",
    show_default=True,
    help="Whose an entry is: canvas, moodle, gradescope, or a regular expression with the name in brackets.",
)
@click.option(
    "--timeout",
    default=5.0,
    show_default=True,
    callback=lambda context, option, seconds: _some_time(seconds),
    help="CPU seconds for a case or a cell.",
)
@click.option("--memory", default=2048, show_default=True, type=click.IntRange(256), help="MB a submission.")
@click.option("--partial", is_flag=True, help="Points for each case that passes, not for whole exercises.")
@click.option(
    "--follow-through",
    "cap",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, 100),
    help="Per cent of its points for an answer that is right given a right helper; 0 for none.",
)
@click.option(
    "--budget",
    default=60.0,
    show_default=True,
    type=click.FloatRange(5, 36000),
    help="Seconds by the clock for one sheet of one student.",
)
@click.option(
    "--book",
    default="",
    metavar="ADDRESS",
    callback=lambda context, option, address: _an_address(address),
    help="Where your book is: feedback then links to what to read again.",
)
@click.option("--example", is_flag=True, help="Write ten sample submissions, and grade them.")
@click.option(
    "--unsafe-no-sandbox", "unsafe", is_flag=True, help="Run code unprotected. Never for students' code."
)
def grade(
    submissions,
    out,
    sheets,
    jobs,
    resume,
    shard,
    dask,
    seed,
    names,
    timeout,
    memory,
    partial,
    cap,
    budget,
    book,
    example,
    unsafe,
):
    """Mark every notebook in SUBMISSIONS, each in a sandbox, against hidden cases.

    SUBMISSIONS is a folder, or one zip archive, with a notebook, folder or archive for each student. The
    marks go to OUT: grades.csv, grades.json, pages for students in feedback/, results.json in gradescope/.

    An exercise gives its points when all its cases pass. The same files and the same secret give the same
    marks, byte for byte. What cannot be read has the status `unreadable` and no marks. Exit status: 0 all
    marked, 3 some submission could not be marked (grader_error, never exported as a zero), 1 or 2 nothing
    was done.
    """
    out = Path(out)
    if example:
        from .example import write_submissions

        submissions, sheets = write_submissions(out / "submissions"), sheets or ("05",)
    if submissions is None:
        raise click.UsageError("Name the folder of the submissions, or say --example.")
    _isolated_or_stop(unsafe, dask)
    try:
        _hidden_or_stop(Path(submissions), out, unsafe)
        found = collecting.find(submissions, names, [out] if not example else ())
        chosen = batch.shared_out(found, shard)
        settings = {
            "sheets": batch.known_sheets(sheets, found),
            "secret": batch.secret_of(out, seed, shard),
            "seconds": timeout,
            "megabytes": memory,
            "partial": partial,
            "cap": cap / 100,
            "budget": budget,
            "isolated": not unsafe,
        }
    except ValueError as error:  # Refused, Stopped, Unclear: all say it in one sentence
        raise click.ClickException(str(error)) from None
    numbers = ", ".join(settings["sheets"])
    click.echo(f"{len(chosen)} submissions of sheet {numbers}.")
    for number, count in {} if sheets else collecting.handed_in(found).items():
        if number not in settings["sheets"]:
            told = (
                f"Sheet {number} is not graded: only {count} of {len(found)} handed it in. To grade it, too"
            )
            click.echo(f"{told}, say --sheet {number} beside the others.", err=True)
    run = batch.Batch(out, settings, resume, book)
    if count := run.replaced(chosen):
        click.echo(
            f"{count} marks of an earlier run are made anew; to keep what did not change, say --resume."
        )
    if count := run.of_another_secret(chosen):
        told = f"Marks made with another secret cannot be kept: {count} submissions are graded again. To keep"
        click.echo(f"{told} them, stop, and run with the secret that made them.", err=True)
    with _pool(dask, min(jobs, len(chosen) or 1)) as (pool, width), _bar(len(chosen)) as tick:
        timings = run.grade(chosen, pool, width, tick)
    run.export(chosen, timings, f".shard-{shard.replace('/', '-of-')}" if shard else "")
    if not shard:
        writing.write(run.marks_of(chosen), chosen, settings, out)
    raise click.exceptions.Exit(summary.tell(run.marks_of(chosen), out, len(chosen) <= MANY))


def _isolated_or_stop(unsafe, dask):
    """Stop where students' code cannot be isolated here; on a cluster each worker finds out for itself."""
    from clearhead.sandbox.isolation import trouble
    from clearhead.sandbox.sandbox import Broken

    if unsafe:
        click.echo(
            "Warning: without a sandbox, every submission can do all that you can, such as give marks.",
            err=True,
        )
        return
    try:
        said = "" if dask else trouble()
    except Broken as error:
        said = f"The grader has a fault of its own; nothing was graded. {error}"
    if said:
        raise click.ClickException(said)


def _some_time(seconds):
    """Return the time limit; refuse one in which no answer can be right."""
    if not 0.1 <= seconds <= 3600:
        raise click.BadParameter(f"an answer needs from 0.1 to 3600 seconds; got {seconds:g}.")
    return seconds


def _an_address(address):
    """Return the address of the book; refuse what a browser could run."""
    if address and not address.startswith(("https://", "http://", "file://")):
        raise click.BadParameter(f"an address begins with https://, http:// or file://; got {address!r:.60}.")
    return address


def _hidden_or_stop(submissions, out, unsafe):
    """Stop where the class or its marks lie in a folder of Python's or the system's: every room shows it."""
    from clearhead.sandbox.room import shown_to_students

    for place in () if unsafe else (submissions, out):
        if folder := shown_to_students(place):
            raise click.ClickException(
                f"{place} lies in {folder}, which every submission can read to run Python. Move it elsewhere."
            )


@contextmanager
def _pool(dask, jobs):
    """Yield where to run, and how many submissions to hand out at a time."""
    if dask:
        from .cluster import dask_pool

        with dask_pool(dask) as (pool, threads):
            yield pool, 2 * threads
    else:
        with pools.local_pool(jobs) as pool:
            yield pool, jobs + 1


@contextmanager
def _bar(length):
    """Yield a function that moves a progress bar on; on a screen alone."""
    shown = sys.stderr.isatty()
    bar = click.progressbar(length=length, label="Marked", file=sys.stderr)
    with bar if shown else nullcontext() as bar:
        yield (lambda: bar.update(1)) if shown else (lambda: None)
