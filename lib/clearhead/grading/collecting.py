"""Find the submissions: a folder, notebook or archive for each student, in a folder or in one archive.

Nothing is unpacked to disk. An archive is read in memory, with limits, and only its notebooks. Whatever
lies at the top belongs to somebody: it is a row of the table, with a fault where nothing can be read.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from clearhead.checks import registry

from . import naming, scripts
from .archives import ARCHIVE, MEMBERS, File, Refused, members_of

CLASS = 4 << 30  # the most bytes of the archive of a class
NOTEBOOKS = 50
METADATA = "submission_metadata.yml"  # in Gradescope's exports
_IGNORED = re.compile(rf"^(\.|__MACOSX$|__pycache__$|Thumbs\.db$|desktop\.ini$|{METADATA}$)", re.I)
NOTHING = "Nothing was handed in that can be read: no notebook."


@dataclass(frozen=True)
class Submission:
    """What one student handed in."""

    name: str
    files: tuple = ()  # notebooks, and scripts named after a sheet
    faults: tuple = ()  # what could not be read, in words

    def notebook_for(self, sheet, alone):
        """Return the notebook of a sheet, or None: the newest that bears its name; any one, if `alone`."""
        return max(self.copies_for(sheet, alone), key=_age, default=None)

    def copies_for(self, sheet, alone):
        """Return all notebooks that may be meant for a sheet."""
        title = registry.file_stem(sheet)
        named = [file for file in self.files if title in PurePosixPath(file.path).name]
        return named or (list(self.files) if alone else [])

    def attempts_for(self, sheet, alone, most):
        """Return the newest copies of a sheet, the newest first."""
        return sorted(self.copies_for(sheet, alone), key=_age, reverse=True)[:most]


def _age(file):
    """Return what grows with the time of a file; of two with one time, "x (1)" came after "x".

    Of a notebook and a script of one time, which jupytext writes together, the notebook is the newer.
    """
    notebook = file.path.lower().endswith(".ipynb")
    return file.time, notebook, -file.path.count("/"), len(file.path), file.path


def _is_notebook(path):
    """Return whether a file is a notebook, or a script that bears the name of a sheet."""
    sheets = map(registry.file_stem, registry.numbers())
    return path.lower().endswith(".ipynb") or scripts.is_script(path, sheets)


def find(place, names="auto", besides=()):
    """Return the submissions in a folder or archive, ordered by name.

    Parameters
    ----------
    place : str or Path
        A folder, or a zip archive.
    names : str
        How entries are called: `auto`, `canvas`, `moodle`, `gradescope`, or a regular expression.
    besides : collection of Path
        What lies there and is no submission, such as the folder of the marks.
    """
    place = Path(place)
    if place.is_dir():
        files = _in_folder(place, [other for other in besides if Path(other).resolve() != place.resolve()])
    else:
        try:
            files = members_of(File(place.name, (place,)), CLASS, 100 * MEMBERS)
        except Exception as error:
            why = f"is neither a folder nor a whole zip archive of submissions ({error!r:.100})"
            raise Refused(f"{place} {why}.") from None
    files, groups = _stepped_in(files, flat=not place.is_dir()), {}
    for file in files:
        top, _, inner = file.path.partition("/")
        groups.setdefault(top, []).append((inner or top, file))
    told = [file for file in files if file.path == METADATA]
    said = told[0].read(ARCHIVE).decode("utf-8", "replace") if told else ""
    tops = {top: all("/" in file.path for _, file in parts) for top, parts in groups.items()}
    people = {}
    tops = {top: is_folder for top, is_folder in tops.items() if not _IGNORED.match(top)}
    for top, name in naming.people(tops, names, said).items():
        people.setdefault(name, []).extend(groups[top])
    return [_submission(name, people[name]) for name in sorted(people)]


def _submission(name, parts):
    """Return what one student handed in, from the files of all entries of that name."""
    notebooks, faults, others = [], [], []
    for shown, file in parts:
        if any(map(_IGNORED.match, shown.split("/"))) or file.path.endswith("/"):
            continue
        suffix = PurePosixPath(shown).suffix.lower()
        if file.fault:
            faults.append(f"{shown!r:.80} {file.fault}")
        elif _is_notebook(shown):
            notebooks.append(File(shown, file.source, file.time))
        elif suffix == ".zip":
            found, fault = _handed_in(file, shown)
            notebooks += found
            faults += fault
        else:
            others.append(shown)
    if len(notebooks) > NOTEBOOKS:
        return Submission(name, (), (f"More than {NOTEBOOKS} notebooks.",))
    if not notebooks and others:
        faults.append(f"There is no notebook, but {', '.join(f'{other!r:.60}' for other in others[:5])}.")
    return Submission(name, tuple(notebooks), tuple(faults) or (() if notebooks else (NOTHING,)))


def _handed_in(file, shown):
    """Return the notebooks in a student's archive, and a list of what is wrong with it."""
    try:
        inside = [f for f in members_of(file, ARCHIVE, MEMBERS) if _is_notebook(f.path)]
        wanted = [f for f in inside if not any(map(_IGNORED.match, PurePosixPath(f.path).parts))]
        found = [f for f in wanted if not f.fault]
        faults = [f"{f.path!r:.80} in {shown!r:.80} {f.fault}" for f in wanted if f.fault]
        if len(found) > NOTEBOOKS:
            raise Refused(f"more than {NOTEBOOKS} notebooks")
        return found, faults[:3] or ([] if found else [f"The archive {shown!r:.80} holds no notebook."])
    except Exception as error:
        why = str(error) if isinstance(error, Refused) else type(error).__name__
        return [], [f"The archive {shown!r:.80} is not read: {why[:200]}."]


def _in_folder(folder, besides):
    """Return every file below a folder, and its own folders, which may be empty."""
    found = []
    besides = {Path(other).resolve() for other in besides}
    for path in sorted(folder.rglob("*")):
        shown = path.relative_to(folder).as_posix()
        if besides and besides & {path.resolve(), *path.resolve().parents}:
            continue
        try:
            if path.is_symlink():
                found.append(File(shown, (path,), fault="is a link, and links are not followed."))
            elif path.is_dir():
                found.append(File(f"{shown}/", (path,)))
            elif path.is_file():
                found.append(File(shown, (path,), path.stat().st_mtime // 2))
            else:
                found.append(File(shown, (path,), fault="is not a plain file."))
        except OSError as error:
            found.append(File(shown, (path,), fault=f"cannot be read ({type(error).__name__})."))
    return found


def _stepped_in(files, flat):
    """Return the files of a class as seen from the one folder that holds them all, where there is one.

    A folder that holds one thing alone, or notebooks named after sheets, is that of a student; one with other
    notebooks, too, unless a class may be `flat`, as in an archive.
    """
    tops = {file.path.partition("/")[0] for file in files}
    tops = {top for top in tops if not _IGNORED.match(top)}
    if len(tops) != 1 or not all("/" in file.path for file in files if not _IGNORED.match(file.path)):
        return files
    top = f"{tops.pop()}/"
    inner = [replace(f, path=f.path[len(top) :]) for f in files if f.path.startswith(top) and f.path != top]
    entries = {file.path.partition("/")[0] for file in inner}
    notebooks = [name for name in entries if name.lower().endswith(".ipynb")]
    sheets = tuple(registry.file_stem(number) for number in registry.numbers())
    if len(entries) < 2 or (notebooks and not flat) or any(name.startswith(sheets) for name in notebooks):
        return files
    return _stepped_in(inner, flat)


def handed_in(submissions):
    """Return a dict from the number of each sheet to how many submissions have it, by file name."""
    count = {n: sum(bool(s.copies_for(n, False)) for s in submissions) for n in registry.numbers()}
    return {number: found for number, found in count.items() if found}


def sheets_in(submissions):
    """Return the numbers of the sheets that at least a third of the submissions have, by file name."""
    return [number for number, found in handed_in(submissions).items() if 3 * found >= len(submissions)]
