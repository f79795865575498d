"""What the commands that mark need first: a safe place for students' code, workers, and a bar on a screen."""

import sys
from contextlib import contextmanager, nullcontext

import click

from clearhead import files

from ..run import pools


def require_isolation(unsafe, dask):
    """Stop where students' code cannot be isolated here; on a cluster each worker finds out for itself."""
    from clearhead.sandbox.isolation import problem
    from clearhead.sandbox.sandbox import SandboxError

    if unsafe:
        click.echo(
            "Warning: without a sandbox, every submission can do all that you can, such as give marks.",
            err=True,
        )
        return
    try:
        said = "" if dask else problem()
    except SandboxError as error:
        said = f"The grader has a fault of its own; nothing was graded. {error}"
    if said:
        raise click.ClickException(said)


def require_hidden_folders(submissions, out, unsafe):
    """Stop where the class or its marks lie in a folder of Python or the system: all sandboxes show it."""
    from clearhead.sandbox.bwrap_config import folder_visible_to_students

    for place in () if unsafe else (submissions, out):
        if folder := folder_visible_to_students(place):
            raise click.ClickException(
                f"{place} lies in {folder}, which every submission can read to run Python. Move it elsewhere."
            )


def warn_if_open_to_others(out):
    """Say so where other users can open the folder that the marks go to, and what protects the marks."""
    if files.open_to_others(out):
        click.echo(
            f"{out} existed before, and other users of this machine can open it. What this command writes "
            "there is readable only by you, but its file names can be listed. To close the folder as well: "
            f"chmod 700 {out}",
            err=True,
        )


@contextmanager
def pool_for(dask, jobs):
    """Yield where to run, and how many submissions to hand out at a time."""
    if dask:
        with pools.dask_pool(dask) as (pool, threads):
            yield pool, 2 * threads
    else:
        with pools.local_pool(jobs) as pool:
            yield pool, jobs + 1


@contextmanager
def progress_bar(length):
    """Yield a function that moves a progress bar on; on a screen alone."""
    shown = sys.stderr.isatty()
    made = click.progressbar(length=length, label="Marked", file=sys.stderr)
    with made if shown else nullcontext():
        yield (lambda: made.update(1)) if shown else (lambda: None)
