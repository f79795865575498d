"""The registry of sheets and exercises, which imports the exercises of a sheet when they are first needed.

A sheet is a folder of `clearhead.sheets`, and an exercise is a module of that folder that defines EXERCISE.
"""

import os
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ..errors import UserError
from .exercise import Sheet
from .former_ids import present_id
from .sheet_text import read_sheet


@cache
def packages():
    """Return a dict from the number of each sheet to its package, in order.

    No exercise is imported for this.
    """
    sheets = import_module("clearhead.sheets")
    folders = [sheets.__path__[0], *map(_folder, sheets.__path__[1:])]
    names = [found.name for folder in folders for found in iter_modules([folder]) if found.ispkg]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"Two folders of sheets are called {twice[0]!r}: rename your own.")
    numbered = {}
    for package in (module for module in _inside(sheets) if hasattr(module, "__path__")):
        number = _read(package).number
        if number in numbered:
            both = f"{numbered[number].__name__} and {package.__name__}"
            raise UserError(f"Two sheets have the number {number}, {both}: give your own another one.")
        numbered[number] = package
    return dict(sorted(numbered.items()))


def _folder(path):
    """Return the path of a folder of sheets, or raise UserError if the folder does not exist."""
    if not Path(path).is_dir():
        raise UserError(f"There is no folder {path}, which CLEARHEAD_SHEETS or --sheets names.")
    return str(path)


def add(folder):
    """Add a folder with an instructor's own sheets, for this process and for those that it starts later."""
    sheets, path = import_module("clearhead.sheets"), str(Path(folder).resolve())
    if path not in sheets.__path__:
        sheets.__path__.append(path)
        kept = os.environ.get("CLEARHEAD_SHEETS")
        os.environ["CLEARHEAD_SHEETS"] = f"{kept}{os.pathsep}{path}" if kept else path
        packages.cache_clear()
    packages()


def own_folders():
    """Return the folders with an instructor's own sheets."""
    return [Path(folder) for folder in import_module("clearhead.sheets").__path__[1:]]


def is_own(number):
    """Return True if a sheet is an instructor's own, so that no chapter of the book belongs to it."""
    return Path(packages()[number].__file__).parents[1] in own_folders()


def description(number):
    """Return the SheetText of the sheet with this number."""
    return _read(packages()[number])


def _read(package):
    """Return the SheetText of the sheet in a package."""
    return read_sheet(Path(package.__file__).parent)


def _inside(package):
    """Import and return the modules in the folder of a package."""
    return [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]


def numbers():
    """Return the numbers of the sheets, in order: ["00", "01", ...]."""
    return list(packages())


def file_stem(number):
    """Return the name of a sheet's notebook without its ending, such as "05_attention"."""
    return f"{number}_{packages()[number].__name__.rpartition('.')[2]}"


def sheet(number):
    """Return the Sheet with this number, which may be given as "05", "5" or 5."""
    number_wanted = str(number).split(".")[0].split("_")[0].zfill(2)
    if number_wanted not in packages():
        raise UserError(f"There is no sheet {number!r}; the sheets are {', '.join(numbers())}.")
    try:
        return _sheet(packages()[number_wanted])
    except ModuleNotFoundError as error:
        raise UserError(
            f"Sheet {number_wanted} needs {error.name}, which is not installed: pip install {error.name}"
        ) from None


@cache
def _sheet(package):
    """Return the Sheet of a package, with its exercises in the order in which `sheet.md` links to them."""
    described = _read(package)
    described.require_complete()
    modules = {module.__name__.rpartition(".")[2]: module for module in _inside(package)}
    for stem in described.by_stem:
        if not hasattr(modules[stem], "EXERCISE"):
            raise UserError(
                f"{modules[stem].__file__} makes no exercise: it must end with "
                "`EXERCISE = exercise_from_text(__file__, cases)`."
            )
    exercises = tuple(modules[stem].EXERCISE for stem in described.by_stem)
    return Sheet(described.number, described.title, exercises)


def sheets():
    """Return every sheet, in order."""
    return [sheet(number) for number in numbers()]


def exercise(id):
    """Return the Exercise with a present or former id, or raise UserError with a suggestion."""
    if not isinstance(id, str):
        raise UserError(
            f'The first argument is the exercise id in quotes, e.g. "05.attention_weights"; got {id!r:.60}.'
        )
    number, _, answer_name = id.partition(".")
    number = number.zfill(2)  # "5.sharpen" is "05.sharpen", as sheet 5 is 05
    if number in numbers():
        exercise_id = present_id(f"{number}.{answer_name}")
        for found in sheet(number).exercises:
            if found.id == exercise_id:
                return found
    raise UserError(f"There is no exercise {id!r:.80}; {_suggestion(id, number)}")


def _suggestion(id, number):
    """Return the end of an error message: the most similar id, the ids of the sheet, or all sheets."""
    near = sheet(number).exercises if number in numbers() else [e for s in sheets() for e in s.exercises]
    ids = {e.id: e.id for e in near} | {e.answer_name: e.id for e in near}
    close = get_close_matches(id, ids, 1, 0.6) or get_close_matches(id.split(".")[-1], ids, 1, 0.6)
    if close:
        return f"did you mean {ids[close[0]]!r}?"
    if number in numbers():
        return f"sheet {number} has {', '.join(e.id for e in near)}."
    return f"the sheets are {', '.join(numbers())}, and an id looks like '05.attention_weights'."
