"""The command `python -m clearhead FOLDER`, which writes the sheets of exercises, without answers."""

import sys
from pathlib import Path

USAGE = """\
python -m clearhead FOLDER

writes the sheets of exercises into a folder, as notebooks without answers. A notebook in which you have
worked is never overwritten; a newer one is put beside it. The command `clearhead` grades a class."""


def main(arguments):
    """Write the notebooks, print what to do next, and return the exit status."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(USAGE)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    from clearhead.authoring.build_exercises import write_exercises

    folder = Path(arguments[0])
    try:
        said = write_exercises(folder)
    except OSError as error:
        print(f"The notebooks could not be written to {folder}: {error.strerror}.", file=sys.stderr)
        return 1
    print(*(said or [f"Every notebook in {folder} is up to date."]), sep="\n")
    print(f'Open them with `jupyter lab "{folder}"`, and begin with 00_start_here.ipynb.')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
