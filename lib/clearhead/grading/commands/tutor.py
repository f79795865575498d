"""The command `clearhead tutor`, which serves one sheet to an assistant over MCP."""

from pathlib import Path

import click

from clearhead.errors import UserError


@click.command()
@click.argument("notebook", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False),
    help="The rules of your course.  [default: policy.toml beside the notebook, if there is one]",
)
@click.option(
    "--log",
    "log_file",
    type=click.Path(dir_okay=False),
    help="The file in which questions and answers are recorded, on this machine only.  "
    "[default: beside your progress]",
)
@click.option(
    "--unsafe-no-sandbox",
    "unsafe",
    is_flag=True,
    help="Run your code without a sandbox, where none can be built. Only for code that you have read.",
)
def tutor(notebook, policy, log_file, unsafe):
    """Serve the sheet NOTEBOOK to an assistant, which then can help you without having the answers.

    It is a server of the Model Context Protocol over standard input and output: you do not start it yourself,
    but name this command in the settings of your assistant.
    """
    from clearhead.checks import registry
    from clearhead.sandbox.isolation import problem
    from clearhead.sandbox.sandbox import SandboxError

    from ..gradebook import policy_file
    from ..gradebook.policy import Policy
    from ..tutor.log import Log, default_path
    from ..tutor.server import make_server
    from ..tutor.sheet import Tutor, sheet_of
    from ..tutor.trying import read_notebook

    notebook = Path(notebook).resolve()
    beside = notebook.with_name("policy.toml")
    policy = policy or (beside if beside.is_file() else None)
    try:
        rules = policy_file.read(policy) if policy else Policy()
        number = sheet_of(read_notebook(notebook), notebook.name)
        log = Log(log_file or default_path(registry.file_stem(number)))
        closed = "" if unsafe else problem()
        server = make_server(Tutor(notebook, log, rules.tutor, not unsafe, closed and _closed(closed)))
    except (UserError, SandboxError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(
        f"The tutor serves sheet {number}. What is asked and answered is recorded only on this "
        f"machine, in {log.path}.",
        err=True,
    )
    server.run("stdio")


def _closed(problem):
    """Return a message that says why answers cannot be checked here, and what works without it."""
    return (
        "The tutor cannot run your code here, because this machine has no sandbox for it: "
        f"{problem.splitlines()[0]} Run the check in your notebook instead. Statements, hints, "
        "sections, examples "
        "and questions work without it."
    )
