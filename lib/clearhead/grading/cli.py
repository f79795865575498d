"""The command `clearhead`, whose subcommands make and grade sheets, build gradebooks, and verify code."""

from errno import EPIPE
from pathlib import Path

try:
    import click
except ModuleNotFoundError:
    raise SystemExit("The command needs one more package: pip install 'clearhead[grading]'") from None

from clearhead import files
from clearhead.chat_command import chat
from clearhead.errors import UserError

from .commands.grade import grade
from .commands.gradebook import gradebook
from .commands.regrade import regrade
from .commands.tutor import tutor


class Commands(click.Group):
    """A group of commands that reports in a sentence why a file could not be written or read."""

    def invoke(self, context):
        """Run a command, and report a full disk or a missing permission without a traceback."""
        try:
            return super().invoke(context)
        except OSError as error:
            if error.errno == EPIPE or not (error.filename or error.errno in files.FULL):
                raise
            raise click.ClickException(files.problem(error)) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="clearhead")
@click.option(
    "--sheets",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="A folder with your own sheets, which every command uses besides those of the book.",
)
def main(sheets):
    """Make, check, release and grade the exercises of the book."""

    from clearhead.checks import registry

    try:
        for folder in sheets:
            registry.add(folder)
    except UserError as error:
        raise click.ClickException(str(error)) from None


@main.command("build-exercises")
@click.option("--check", is_flag=True, help="Write nothing; fail if a notebook is not up to date.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False),
    help="The repository.  [default: the one around this folder]",
)
def build_exercises(check, root):
    """Make the notebooks in solutions/ and exercises/ from the Markdown of the sheets.

    A notebook in which somebody has worked is never overwritten.
    """
    from clearhead.authoring.build_exercises import build, stale

    root = root or _root()
    try:
        said = stale(root) if check else build(root)
    except UserError as error:
        raise click.ClickException(str(error)) from None
    for line in said:
        click.echo(line, err=check)
    if not said:
        click.echo("Every notebook is up to date with the Markdown of its sheet.")
    if check and said:
        raise click.exceptions.Exit(1)


@main.command()
@click.argument("ids", nargs=-1, required=True, metavar="EXERCISE...")
@click.option("--seconds", default=60.0, show_default=True, help="The time limit for each exercise.")
def audit(ids, seconds):
    """Change the answer to an exercise in many small ways, and report how its check judges each version.

    The report lists changed answers that pass although they are wrong, and those for which the check has no
    explanation. EXERCISE is an id such as 05.qkv, or the number of a sheet.
    """
    from clearhead.authoring.audit import audit as audited
    from clearhead.checks import registry

    try:
        for id in ids:
            for exercise in [registry.exercise(id)] if "." in id else registry.sheet(id).exercises:
                for line in audited(exercise, seconds).lines():
                    click.echo(line)
    except UserError as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False), metavar="[ADAPTER]")
@click.option("--list", "listed", is_flag=True, help="Show all entry points with their signatures.")
@click.option("--only", multiple=True, metavar="NAME", help="Verify only this entry point.")
@click.option("--seed", type=int, help="The first seed that draws the cases.  [default: a new one]")
@click.option(
    "--seeds", default=3, show_default=True, type=click.IntRange(1), help="How many seeds are tried."
)
@click.option("--seconds", default=20.0, show_default=True, help="The time limit for each case.")
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False), help="Write JUnit XML, too.")
def verify(file, listed, only, seed, seeds, seconds, junit):
    """Verify your own transformer code with the cases and the known mistakes of the exercises.

    ADAPTER is a Python file that names your functions, such as `softmax = my_module.softmax`. The exit status
    is 0 if all of them hold, 1 if one is wrong, and 2 if the file cannot be used.
    """
    from clearhead.verify import command

    try:
        if listed:
            click.echo(command.listing())
            return
        if not file:
            raise click.UsageError("Name an adapter file, or use --list to see what it may contain.")
        said, passed = command.verify_file(file, only, seed, seeds, seconds, junit)
    except UserError as error:
        raise click.UsageError(str(error)) from None
    click.echo(said)
    if not passed:
        raise click.exceptions.Exit(1)


def _root():
    """Return the nearest folder, from the current one upwards, that contains a folder `solutions`."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / "solutions").is_dir():
            return folder
    raise click.ClickException(
        "There is no folder solutions/ here or above: name the repository with --root."
    )


@main.command("release")
@click.option("--out", default="class_edition", show_default=True, help="The new folder to write to.")
@click.option("--no-book", is_flag=True, help="Make only the sheets and the library to install.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False),
    help="The repository.  [default: the one around this folder]",
)
def release(out, no_book, root):
    """Make the class edition: exercises, library and book without solutions."""
    from clearhead.authoring.release import release as make

    try:
        make(root or _root(), out, not no_book, click.echo)
    except UserError as error:
        raise click.ClickException(str(error)) from None


main.add_command(chat)
main.add_command(grade)
main.add_command(regrade)
main.add_command(gradebook)
main.add_command(tutor)
