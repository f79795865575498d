"""Preparations of the commands that grade: checks of the sandbox, pools of workers, and a progress bar."""

import sys
from contextlib import contextmanager, nullcontext

import click

from clearhead import files

from ..run import pools


def require_isolation(unsafe, dask):
    """Stop the command if students' code cannot be isolated; on a cluster, each worker checks this."""
    from clearhead.sandbox.isolation import problem
    from clearhead.sandbox.sandbox import SandboxError

    if unsafe:
        click.echo(
            "Warning: without a sandbox, a submission can do all that you can, such as change marks.",
            err=True,
        )
        return
    try:
        message = "" if dask else problem()
    except SandboxError as error:
        message = f"The grader itself failed, and nothing was graded. {error}"
    if message:
        raise click.ClickException(message)


def require_hidden_folders(submissions, out, unsafe):
    """Stop the command if submissions or marks are in a folder that every sandbox can read."""
    from clearhead.sandbox.bwrap_config import folder_visible_to_students

    for protected in () if unsafe else (submissions, out):
        if folder := folder_visible_to_students(protected):
            raise click.ClickException(
                f"{protected} is inside {folder}, which every submission can read to run Python. Move it."
            )


def warn_if_open_to_others(out):
    """Warn if other users can open the folder of the marks, and say what protects the marks."""
    if files.open_to_others(out):
        click.echo(
            f"{out} existed before, and other users of this machine can open it. What this command writes "
            "there is readable only by you, but its file names can be listed. To close the folder as well: "
            f"chmod 700 {out}",
            err=True,
        )


@contextmanager
def pool_for(dask, jobs):
    """Yield the pool of workers, and the number of submissions to send to it at a time."""
    if dask:
        with pools.dask_pool(dask) as (pool, threads):
            yield pool, 2 * threads
    else:
        with pools.local_pool(jobs) as pool:
            yield pool, jobs + 1


@contextmanager
def progress_bar(length):
    """Yield a function that advances a progress bar, which is shown only in a terminal."""
    shown = sys.stderr.isatty()
    made = click.progressbar(length=length, label="Marked", file=sys.stderr)
    with made if shown else nullcontext():
        yield (lambda: made.update(1)) if shown else (lambda: None)
