"""The command `clearhead chat`, with which one can talk to SmolLM2 in a terminal."""

try:
    import click
except ModuleNotFoundError:
    raise SystemExit("The command needs one more package: pip install click") from None
import numpy as np


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="clearhead")
def students():
    """Run the `clearhead` command of the students' library, which cannot grade."""


@students.command()
@click.option("--length", default=200, show_default=True, help="The maximal number of tokens per answer.")
@click.option(
    "--temperature",
    default=0.0,
    show_default=True,
    help="The temperature; 0 always takes the most likely token.",
)
@click.option("--seed", default=0, show_default=True, help="The seed for sampling.")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False),
    help="A GGUF file.  [default: the one that the package brings]",
)
def chat(length, temperature, seed, path):
    """Chat with SmolLM2, a language model that runs on this machine in NumPy. An empty line ends the chat."""
    from clearhead.pretrained import smollm

    try:
        model = smollm.load(path)
    except (FileNotFoundError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{model}\nIt is small, and can be wrong. An empty line ends.")
    messages, rng = [], np.random.default_rng(seed)
    while question := click.prompt("\nyou", default="", show_default=False).strip():
        messages.append(("user", question))
        messages.append(("assistant", _answer(model, smollm.chat_prompt(messages), length, temperature, rng)))


def _answer(model, prompt, length, temperature, rng):
    """Generate an answer and print it meanwhile; return the whole answer."""
    ids, said = [], ""
    for token in model.generate(model.tokens.encode(prompt), length, temperature, rng):
        ids.append(token)
        text = model.tokens.decode(ids)
        if not text.endswith("�"):  # a character that is not complete yet
            click.echo(text[len(said) :], nl=False)
            said = text
    click.echo()
    return said
