"""The command `clearhead gradebook`, which applies the policy to existing marks."""

import os
from pathlib import Path

import click

from clearhead.errors import UserError
from clearhead.files import private_folder

from ..collect.untrusted_text import one_line
from ..gradebook import aggregate, output
from ..run import batch
from . import preflight

EXIT_ENTRIES_IGNORED = 3  # the exit status where a manual grade or a rule was ignored
SECRET, SHOWN = "secret_seed.txt", 60  # the most changes that are printed; the file lists all of them
_FILE = click.Path(exists=True, dir_okay=False)
#: The option of the commands that run answers.
jobs_option = click.option(
    "-j",
    "--jobs",
    default=os.cpu_count,
    show_default="all",
    type=click.IntRange(1),
    help="The number of workers.",
)


def book_address(_context, _option, address):
    """Return the address of the book; raise BadParameter for one that a browser could run as code."""
    if address and not address.startswith(("https://", "http://", "file://")):
        raise click.BadParameter(f"An address begins with https://, http:// or file://; got {address!r:.60}.")
    return address


def gradebook_options(command):
    """Add the options that name the files of a gradebook, each of which has a default name."""
    options = {
        "roster": "The list of the class, a CSV file.",
        "policy": "The rules of the term, a TOML file: deadlines, lateness, extensions, waived exercises.",
        "manual_grades": "Marks and comments that people gave, a CSV file.",
        "comments": "The bank of comments, a TOML file.",
    }
    pseudonyms = "Write ids instead of names, into OUT/anonymous; OUT/names.csv lists who they are."
    command = click.option("--anonymous", is_flag=True, help=pseudonyms)(command)
    for name, what in reversed(options.items()):
        beside = f"{what}  [default: {aggregate.FILES[name]} beside the marks, if it exists]"
        command = click.option(f"--{name.replace('_', '-')}", name, type=_FILE, help=beside)(command)
    return command


def gradebook_files(folders, given):
    """Return the paths of the files of a gradebook; raise ClickException if a file is not valid."""
    try:
        files = aggregate.find_files(folders[0], given)
        aggregate.read_files(files)
    except UserError as error:
        raise click.ClickException(str(error)) from None
    return files


def write_gradebook(folders, out, files, anonymous, book=""):
    """Write the gradebook, and print what was used, what needs attention, and what has changed.

    Return the exit status: 0, or 3 if a manual grade or a rule was ignored, because it makes no sense or
    does not name exactly one person. All others count.
    """
    first = Path(folders[0])
    ours, out = not out, Path(out) if out else first / ("anonymous" if anonymous else "gradebook")
    try:
        secret = batch.load_or_create_secret(first, "") if anonymous or (first / SECRET).exists() else ""
        gradebook = aggregate.Gradebook(folders, files, secret)
        if not ours:
            preflight.warn_if_open_to_others(out)
        for folder in (out, out / "feedback") if ours else (out / "feedback",):
            private_folder(folder)
        changed = output.write(gradebook, out, first / "names.csv" if anonymous else None, book)
    except ValueError as error:  # a UserError says it in complete sentences
        raise click.ClickException(str(error)) from None
    used = ", ".join(f"{what.replace('_', ' ')} {path}" for what, path in files.items())
    sheets = ", ".join(gradebook.out_of)
    persons = len(gradebook.people)
    click.echo(f"Gradebook of {persons} students for sheet {sheets}, with {used or 'no further files'}:")
    for line in gradebook.notes:
        click.echo(f"  {one_line(line, 400)}", err=True)
    for student, sheet, before, after in changed[:SHOWN]:
        click.echo(f"  {one_line(student, 60)}, sheet {sheet}: {before} -> {after}")
    if len(changed) > SHOWN:
        click.echo(f"  and {len(changed) - SHOWN} more changes, in changes.csv.")
    click.echo(f"  Written to {out}: gradebook.csv, receipts.csv, changes.csv, and feedback/ to send.")
    if count := len(gradebook.ignored_entries):
        message = (
            f"{count} {'entries' if count > 1 else 'entry'} in your files {'were' if count > 1 else 'was'} "
        )
        message += "ignored, so what is said there DOES NOT COUNT: see above, and correct"
        click.echo(f"{message} {'them' if count > 1 else 'it'}.", err=True)
    return EXIT_ENTRIES_IGNORED if gradebook.ignored_entries else 0


@click.command("gradebook")
@click.argument("folders", metavar="MARKS...", nargs=-1, required=True, type=click.Path(exists=True))
@click.option(
    "--out", type=click.Path(file_okay=False), help="The folder to write to.  [default: MARKS/gradebook]"
)
@click.option(
    "--book", default="", metavar="ADDRESS", callback=book_address, help="The address of your book."
)
@gradebook_options
def gradebook(folders, out, book, anonymous, **given):
    """Apply the policy to the folders MARKS that `clearhead grade` wrote, and build the gradebook.

    No notebook is run, because the gradebook depends only on marks, times and rules. To move a deadline,
    waive an exercise or add a manual grade, change the file and run this command again.

    The exit status is 0, or 3 if a manual grade or a rule was ignored, because it makes no sense, or names
    nobody or two people. Everything else counts.
    """
    files = gradebook_files(folders, given)
    raise click.exceptions.Exit(write_gradebook(folders, out, files, anonymous, book))
