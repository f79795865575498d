"""The command `clearhead grade`, which writes marks and prints a summary."""

from pathlib import Path

import click

from ..collect import class_folder
from ..run import batch, store
from ..write import class_report
from ..write.outputs import Outputs
from . import preflight, summary
from .gradebook import book_address, gradebook_files, gradebook_options, jobs_option, write_gradebook

MANY = 40  # the most students of whom each gets a line of the summary


@click.command("grade")
@click.argument("submissions", required=False, type=click.Path(exists=True))
@click.option(
    "--out",
    default="grades",
    show_default=True,
    type=click.Path(file_okay=False),
    help="The folder to write to.",
)
@click.option(
    "--sheet",
    "sheets",
    multiple=True,
    help="A sheet to grade, such as 05.  [default: found from the file names]",
)
@jobs_option
@click.option("--resume", is_flag=True, help="Keep marks whose files and settings have not changed.")
@click.option(
    "--shard", default="", metavar="I/N", help="Grade only part I of N; all parts need the same secret."
)
@click.option("--dask", default="", metavar="ADDRESS", help="Grade on a Dask cluster.")
@click.option(
    "--seed", default="", help="The secret of the hidden cases.  [default: the one in OUT/secret_seed.txt]"
)
@click.option(
    "--names",
    default="auto",
    show_default=True,
    help="How to read student IDs from file names: canvas, moodle, gradescope, or a regular expression with "
    "the name in parentheses.",
)
@click.option(
    "--timeout",
    default=5.0,
    show_default=True,
    callback=lambda context, option, seconds: _some_time(seconds),
    help="The CPU seconds for each case and each cell.",
)
@click.option(
    "--memory",
    default=2048,
    show_default=True,
    type=click.IntRange(256),
    help="The memory for each submission, in MB.",
)
@click.option(
    "--partial",
    is_flag=True,
    help="Give points for each hidden case that passes, not only for whole exercises.",
)
@click.option(
    "--follow-through",
    "cap",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, 100),
    help="The percentage of points for an answer that is right when its helper is replaced by a right one.",
)
@click.option(
    "--budget",
    default=60.0,
    show_default=True,
    type=click.FloatRange(5, 36000),
    help="The wall-clock seconds for each sheet of each student.",
)
@click.option(
    "--book",
    default="",
    metavar="ADDRESS",
    callback=book_address,
    help="The address of your book, so that the feedback links to what to read again.",
)
@click.option("--example", is_flag=True, help="Write ten sample submissions, and grade them.")
@gradebook_options
@click.option(
    "--unsafe-no-sandbox",
    "unsafe",
    is_flag=True,
    help="Run code without protection. Never use this for students' code.",
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
    anonymous,
    **given,
):
    """Mark every notebook in SUBMISSIONS with hidden cases, each in its own sandbox.

    SUBMISSIONS is a folder or a zip archive with a notebook, a folder or an archive for each student. The
    marks are written to OUT: grades.csv, grades.json, feedback/ with a page for each student, and gradescope/
    with a results.json for each student.

    An exercise earns its points if all its cases pass. The same files and the same secret give the same
    marks, byte for byte. A notebook that cannot be read has the status `unreadable` and no marks.

    The exit status is 0 if everything was marked. It is 3 if a submission could not be marked (its status is
    then grader_error, which is never exported as a zero), or if a manual grade was ignored. It is 1 or 2 if
    nothing was done.

    With a roster, a policy or manual grades, the gradebook is written to OUT/gradebook: see clearhead
    gradebook.
    """
    out = Path(out)
    if example:
        from .example import write_submissions

        submissions, sheets = write_submissions(out / "submissions"), sheets or ("05",)
    if submissions is None:
        raise click.UsageError("Name the folder of the submissions, or use --example.")
    preflight.require_isolation(unsafe, dask)
    try:
        preflight.require_hidden_folders(Path(submissions), out, unsafe)
        found = class_folder.find_submissions(submissions, names, [out] if not example else ())
        chosen = batch.partition(found, shard)
        settings = {
            "sheets": batch.sheets_to_grade(sheets, found),
            "secret": batch.load_or_create_secret(out, seed, shard),
            "seconds": timeout,
            "megabytes": memory,
            "partial": partial,
            "cap": cap / 100,
            "budget": budget,
            "isolated": not unsafe,
        }
        if files := gradebook_files([out], given):  # before an hour of marking
            settings |= {"every": True} if "policy" in files else {}
    except ValueError as error:  # a UserError says it in complete sentences
        raise click.ClickException(str(error)) from None
    numbers = ", ".join(settings["sheets"])
    click.echo(f"{len(chosen)} submissions of sheet {numbers}.")
    for number, count in {} if sheets else class_folder.count_by_sheet(found).items():
        if number not in settings["sheets"]:
            message = f"Sheet {number} is not graded, because only {count} of {len(found)} handed it in."
            click.echo(f"{message} To grade it as well, add --sheet {number} and the other sheets.", err=True)
    preflight.warn_if_open_to_others(out)
    outputs = Outputs(out, book)
    run = batch.Batch(out, settings, resume, outputs.write_student)
    run.write_submission_list(found, finished=False)
    part = f".shard-{shard.replace('/', '-of-')}" if shard else ""
    if count := run.count_replaced(chosen):
        click.echo(
            f"{count} marks of an earlier run are replaced; to keep those that did not change, use --resume."
        )
    if count := run.count_with_other_secret(chosen):
        message = (
            f"Marks made with another secret cannot be kept, so {count} submissions are graded again. To keep"
        )
        click.echo(
            f"{message} these marks, stop now, and use the secret with which they were made.", err=True
        )
    with (
        preflight.pool_for(dask, min(jobs, len(chosen) or 1)) as (pool, width),
        preflight.progress_bar(len(chosen)) as tick,
    ):
        run.grade(chosen, pool, width, tick, part)
    if not shard:
        run.write_submission_list(found, finished=True)
    outputs.write_tables(run, chosen, part)
    if not shard:
        _, leftovers = class_report.write(run.marks_of(chosen), chosen, settings, out)
        if message := store.archive_leftovers(out, [*outputs.leftovers(found), *leftovers]):
            click.echo(message, err=True)
    status = summary.print_summary(run.marks_of(chosen), out, len(chosen) <= MANY)
    if not shard and (files or anonymous):
        status = write_gradebook([out], None, files, anonymous, book) or status
    raise click.exceptions.Exit(status)


def _some_time(seconds):
    """Return a time limit in seconds; raise BadParameter if it is not from 0.1 to 3600."""
    if not 0.1 <= seconds <= 3600:
        raise click.BadParameter(f"The time limit must be 0.1 to 3600 seconds; got {seconds:g}.")
    return seconds
