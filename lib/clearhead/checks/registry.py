"""Find a sheet by its number and an exercise by its id, importing no sheet that is not asked for."""

from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec

CHAPTERS = [
    "start_here",
    "vectorization",
    "embeddings",
    "before_attention",
    "soft_dictionary",
    "attention",
    "multi_head",
    "positions",
    "block",
    "masking_and_training",
    "decoding",
    "encoder_decoder",
    "scalability",
    "vision",
    "across_modalities",
    "capstone",
]
MODULES = {f"{number:02}": name for number, name in enumerate(CHAPTERS)}


class Unclear(ValueError):
    """Raised when what was asked for makes no sense; its message is one sentence for the student."""


def numbers():
    """Return the numbers of the sheets that exist, in order: ["00", "04", ...]."""
    return [n for n, name in MODULES.items() if find_spec(f"clearhead.checks.{name}")]


def sheet(number):
    """Return the sheet of that number, given as "05", "5" or 5."""
    wanted = str(number).split(".")[0].split("_")[0].zfill(2)
    if wanted not in numbers():
        raise Unclear(f"There is no sheet {number!r}; the sheets are {', '.join(numbers())}.")
    try:
        return import_module(f"clearhead.checks.{MODULES[wanted]}").SHEET
    except ModuleNotFoundError as error:
        raise Unclear(
            f"Sheet {wanted} needs {error.name}, which is not installed: pip install {error.name}"
        ) from None


def sheets():
    """Return every sheet, in order."""
    return [sheet(number) for number in numbers()]


def exercise(id):
    """Return the exercise of that id, or raise Unclear with the id that was probably meant."""
    if not isinstance(id, str):
        raise Unclear(
            f'The first argument is the exercise id in quotes, e.g. "05.attention_weights"; got {id!r:.60}.'
        )
    number = id.partition(".")[0]
    if number in numbers():
        for found in sheet(number).exercises:
            if found.id == id:
                return found
    raise Unclear(f"There is no exercise {id!r:.80}; {_meant(id, number)}")


def _meant(id, number):
    """Return the end of the sentence: the closest id, else the ids of the sheet, else the sheets."""
    near = sheet(number).exercises if number in numbers() else [e for s in sheets() for e in s.exercises]
    ids = {e.id: e.id for e in near} | {e.entry: e.id for e in near}
    close = get_close_matches(id, ids, 1, 0.6) or get_close_matches(id.split(".")[-1], ids, 1, 0.6)
    if close:
        return f"did you mean {ids[close[0]]!r}?"
    if number in numbers():
        return f"sheet {number} has {', '.join(e.id for e in near)}."
    return f"the sheets are {', '.join(numbers())}, and an id looks like '05.attention_weights'."
