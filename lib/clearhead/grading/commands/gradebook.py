"""The command `clearhead term`: from marks that were kept to what counts. Nothing is marked again."""

from pathlib import Path

import click

from clearhead.errors import UserError
from clearhead.files import private_folder

from ..collect.untrusted_text import one_line
from ..gradebook import aggregate, output
from ..run import batch
from . import preflight

LEFT_ASIDE = 3  # the exit status where a mark by hand or a rule was left aside
SECRET, SHOWN = "secret_seed.txt", 60  # changes in the terminal; the file has all
_FILE = click.Path(exists=True, dir_okay=False)


def an_address(_context, _option, address):
    """Return the address of the book; refuse what a browser could run."""
    if address and not address.startswith(("https://", "http://", "file://")):
        raise click.BadParameter(f"an address begins with https://, http:// or file://; got {address!r:.60}.")
    return address


def with_files(command):
    """Add the options that name the files of a term; each has a name under which it is found without."""
    told = {
        "roster": "The list of the class, as CSV.",
        "policy": "The rules of the term: deadlines, lateness, extensions, what is void.",
        "by_hand": "Marks and comments by hand, as CSV.",
        "comments": "The bank of comments, as TOML.",
    }
    veil = "Ids in place of names, to OUT/anonymous; OUT/names.csv says whose they are."
    command = click.option("--anonymous", is_flag=True, help=veil)(command)
    for name, what in reversed(told.items()):
        beside = f"{what} Default: {aggregate.FILES[name]} beside the marks, where it is there."
        command = click.option(f"--{name.replace('_', '-')}", name, type=_FILE, help=beside)(command)
    return command


def term_files(folders, given):
    """Return where the files of a term are; stop where one of them is not understood."""
    files = aggregate.files_of(folders[0], given)
    try:
        aggregate.rules_of(files)
    except UserError as error:
        raise click.ClickException(str(error)) from None
    return files


def settled(folders, out, files, anonymous, book=""):
    """Write what counts, and say what was used, what needs a look, and what has changed.

    Return the exit status: 0, or 3 if a mark by hand or a rule was left aside, because it makes no sense or
    names no one person. All others count.
    """
    first = Path(folders[0])
    ours, out = not out, Path(out) if out else first / ("anonymous" if anonymous else "term")
    try:
        secret = batch.secret_of(first, "") if anonymous or (first / SECRET).exists() else ""
        term = aggregate.Term(folders, files, secret)
        if not ours:
            preflight.tell_if_open(out)
        for folder in (out, out / "feedback") if ours else (out / "feedback",):
            private_folder(folder)
        changed = output.write(term, out, first / "names.csv" if anonymous else None, book)
    except ValueError as error:  # a UserError says it in complete sentences
        raise click.ClickException(str(error)) from None
    used = ", ".join(f"{what.replace('_', ' ')} {path}" for what, path in files.items())
    sheets = ", ".join(term.out_of)
    click.echo(f"What counts, of {len(term.people)} persons and sheet {sheets}, by {used or 'no rules'}:")
    for line in term.told:
        click.echo(f"  {one_line(line, 400)}", err=True)
    for student, sheet, before, after in changed[:SHOWN]:
        click.echo(f"  {one_line(student, 60)}, sheet {sheet}: {before} -> {after}")
    if len(changed) > SHOWN:
        click.echo(f"  and {len(changed) - SHOWN} more changes, in changes.csv.")
    click.echo(f"  In {out}: term.csv, receipts.csv, changes.csv, and feedback/ to send.")
    if count := len(term.left_aside):
        told = (
            f"{count} {'entries' if count > 1 else 'entry'} in your files {'were' if count > 1 else 'was'} "
        )
        told += "left aside, so what is said there DOES NOT COUNT: see above, and correct"
        click.echo(f"{told} {'them' if count > 1 else 'it'}.", err=True)
    return LEFT_ASIDE if term.left_aside else 0


@click.command("term")
@click.argument("folders", metavar="MARKS...", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--out", type=click.Path(file_okay=False), help="Where to write; default: MARKS/term.")
@click.option("--book", default="", metavar="ADDRESS", callback=an_address, help="Where your book is.")
@with_files
def term(folders, out, book, anonymous, **given):
    """Say what counts: one table of all sheets, from the folders MARKS that `clearhead grade` wrote.

    Marks, rules and times go in, what counts comes out, and no notebook is run. So a deadline that moves, an
    exercise that is void, or a mark by hand is a change of a file, and this command once more.

    Exit status: 0, or 3 if a mark by hand or a rule was left aside, because it makes no sense or names nobody
    or two people. Everything else counts.
    """
    raise click.exceptions.Exit(settled(folders, out, term_files(folders, given), anonymous, book))
