"""The submissions of a class: a folder, notebook or archive per student, inside a folder or an archive.

Nothing is unpacked to disk: of an archive, only the notebooks are read, in memory and within limits. Each
entry at the top level belongs to a student and becomes a row of the table, with a fault if nothing in it can
be read.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from clearhead.checks import registry
from clearhead.errors import UserError

from . import naming
from .archives import ARCHIVE, MEMBERS, File, RemainingLimits, members_of

CLASS = 4 << 30  # the most bytes of the archive of a class
NOTEBOOKS = 50
DEPTH = 3  # of archives in archives of one submission
FAULTS = 10  # the most faults that are reported for one submission
METADATA = "submission_metadata.yml"  # in Gradescope's exports
_IGNORED = re.compile(rf"^(\.|__MACOSX$|__pycache__$|Thumbs\.db$|desktop\.ini$|{METADATA}$)", re.I)
NOTHING = "No notebook was handed in."


#: Files that students received and may hand in again, and files that `report()` writes; they are ignored.
_GIVEN = re.compile(
    r"(AGENTS\.md|README(\.md|\.txt)?|LICENSE(\.\w+)?|requirements\.txt|clearhead-.*\.whl|"
    r"clearhead-\d\d-report(-\d+)?\.(html|json))$",
    re.I,
)


@dataclass(frozen=True)
class Submission:
    """The files that one student handed in, and sentences on those that could not be read."""

    name: str
    files: tuple = ()  # notebooks, and scripts named after a sheet
    faults: tuple = ()  # what could not be read, in words
    others: tuple = ()  # the names of files of other kinds, and of those that could not be read
    origin: naming.Origin | None = None

    def notebook_for(self, sheet, alone):
        """Return the newest of the files that `copies_for` finds for a sheet, or None if there are none."""
        return max(self.copies_for(sheet, alone), key=_age, default=None)

    def copies_for(self, sheet, alone):
        """Return the files named after a sheet or, if there are none and `alone`, those without a sheet."""
        named = [file for file in self.files if names_sheet(file.path, sheet)]
        return named or (self.without_sheet_name() if alone else [])

    def without_sheet_name(self):
        """Return the notebooks whose names do not contain that of a sheet."""
        return [file for file in self.files if not sheets_of(file.path)]

    def attempts_for(self, sheet, alone, most):
        """Return the newest copies of a sheet, at most `most`, the most recent one first."""
        return sorted(self.copies_for(sheet, alone), key=_age, reverse=True)[:most]

    def unread(self, sheets):
        """Return the names of the files that are not read when these sheets are graded.

        A file with the name of another sheet is not listed, because it is meant for that sheet. If only one
        sheet is graded and no file has its name, one of the files without the name of a sheet is read.
        """
        alone = len(sheets) == 1
        read = {self.notebook_for(sheets[0], True)} if alone else set()
        return [*self.others, *(file.path for file in self.without_sheet_name() if file not in read)]

    def only_other_sheets(self, sheets):
        """Return the numbers of the sheets that were handed in, if none of the given sheets is among them.

        The list is empty if any file could be one of the given sheets.
        """
        if self.others or self.faults or self.without_sheet_name():
            return []
        found = {number for file in self.files for number in sheets_of(file.path)}
        return [] if found & set(sheets) else sorted(found)


def sheets_of(path):
    """Return the numbers of the sheets whose names occur in the name of a file."""
    return [number for number in registry.numbers() if names_sheet(path, number)]


def names_sheet(path, sheet):
    """Return True if the name of a file contains that of a sheet, in any case and with any separators.

    No digit may precede its number: in "ada_4711_905_attention.ipynb", 905 is a number of Canvas's.
    """
    name = re.sub(r"[ _-]+", "_", PurePosixPath(path).name.lower())
    return re.search(rf"(?<!\d){registry.file_stem(sheet)}", name) is not None


def _age(file):
    """Return a key that sorts files by their time, and "x" before "x (1)" if their times are equal.

    If a notebook and a script have the same time, because jupytext wrote both, the notebook counts as newer.
    """
    notebook = file.path.lower().endswith(".ipynb")
    return file.time, file.inner, notebook, -file.path.count("/"), len(file.path), file.path


def _is_notebook(path):
    """Return True if a file is a notebook, or a script that has the name of a sheet."""
    path = path.lower()
    named = path.endswith(".py") and any(names_sheet(path, number) for number in registry.numbers())
    return path.endswith(".ipynb") or named


def find_submissions(path, names="auto", besides=()):
    """Return the submissions in a folder or archive, ordered by name.

    Parameters
    ----------
    path : str or Path
        A folder, or a zip archive.
    names : str
        The naming scheme of the entries: `auto`, `canvas`, `moodle`, `gradescope`, or a regular expression.
    besides : collection of Path
        Files and folders there that are not submissions, such as the folder of the marks.
    """
    path = Path(path)
    if path.is_dir():
        files = _in_folder(path, [other for other in besides if Path(other).resolve() != path.resolve()])
    else:
        try:
            files = members_of(File(path.name, (path,)), CLASS, 100 * MEMBERS)
        except Exception as error:
            why = f"is neither a folder nor a whole zip archive of submissions ({error!r:.100})"
            raise UserError(f"{path} {why}.") from None
    files, groups = _stepped_in(files, flat=not path.is_dir()), {}
    for file in files:
        top, _, inner = file.path.partition("/")
        groups.setdefault(top, []).append((inner or top, file))
    metadata_files = [file for file in files if file.path == METADATA]
    metadata = metadata_files[0].read(ARCHIVE).decode("utf-8", "replace") if metadata_files else ""
    tops = {top: all("/" in file.path for _, file in parts) for top, parts in groups.items()}
    people, origins = {}, {}
    tops = {top: is_folder for top, is_folder in tops.items() if not _IGNORED.match(top)}
    for top, origin in naming.owners_of_entries(tops, names, metadata).items():
        if not top.isascii() and any(file.unreadable_name for _, file in groups[top]):
            origin = replace(origin, note=naming.NOT_UTF_8)
        parts = [(shown, replace(file, late=origin.late)) for shown, file in groups[top]]
        people.setdefault(origin.student, []).extend(parts)
        known = origins.setdefault(origin.student, origin)
        origins[origin.student] = origin if origin.note and not known.note else known
    return [_submission(origins[name], people[name]) for name in sorted(people)]


def _submission(origin, parts):
    """Return the Submission of one student, with the files of all entries that belong to the student."""
    notebooks, faults, others, broken = [], [origin.note] * bool(origin.note), [], []
    left = RemainingLimits()
    for shown, file in parts:
        if any(map(_IGNORED.match, shown.split("/"))) or file.path.endswith("/"):
            continue
        _sort(replace(file, path=shown), left, notebooks, faults, others, broken)
    if len(notebooks) > NOTEBOOKS:
        faults, broken = [f"There are more than {NOTEBOOKS} notebooks."], [file.path for file in notebooks]
        notebooks = []
    elif not notebooks and others:
        faults.append(f"There is no notebook, but {', '.join(f'{other!r:.60}' for other in others[:5])}.")
    elif not notebooks and not broken:
        faults.append(NOTHING)
    return Submission(origin.student, tuple(notebooks), tuple(faults[:FAULTS]), (*others, *broken), origin)


def _sort(file, left, notebooks, faults, others, broken, depth=DEPTH):
    """Add a file, or each file in an archive, to the list of notebooks, of other files, or of broken ones."""
    name = PurePosixPath(file.path).name
    if file.fault:
        faults.append(f"{file.path!r:.80} {file.fault}")
        broken.append(file.path)
    elif _is_notebook(file.path):
        notebooks.append(file)
    elif name.lower().endswith(".zip") and depth:
        try:
            left.take(archives=depth < DEPTH)
            found = [*_handed_in(file, left)]
        except Exception as error:
            why = str(error) if isinstance(error, UserError) else type(error).__name__
            faults.append(f"The archive {file.path!r:.80} was not read: {why[:200]}.")
            broken.append(file.path)
            return
        num_notebooks, num_others = len(notebooks), len(others) + len(broken)
        for inner in found:
            _sort(inner, left, notebooks, faults, others, broken, depth - 1)
        if len(notebooks) == num_notebooks:
            faults.append(f"The archive {file.path!r:.80} contains no notebook.")
            broken += [file.path] * (num_others == len(others) + len(broken))
    elif not _GIVEN.match(name):
        others.append(file.path)


def _handed_in(file, left):
    """Yield the files in the archive of a student.

    They get the time of the archive, because the student's own tool wrote the times inside.
    """
    inside = [f for f in members_of(file, ARCHIVE, MEMBERS, left) if not f.path.endswith("/")]
    inside = [f for f in inside if not any(map(_IGNORED.match, PurePosixPath(f.path).parts))]
    if sum(_is_notebook(f.path) for f in inside) > NOTEBOOKS:
        raise UserError(f"more than {NOTEBOOKS} notebooks")
    for found in inside:
        fault = found.fault and f"in {file.path!r:.80} {found.fault}"
        yield replace(found, time=file.time, inner=found.inner or found.time, late=file.late, fault=fault)


def _in_folder(folder, besides):
    """Return a File for each file and folder below a folder, without those in `besides`."""
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
                found.append(File(shown, (path,), fault="is not a regular file."))
        except OSError as error:
            found.append(File(shown, (path,), fault=f"cannot be read ({type(error).__name__})."))
    return found


def _stepped_in(files, flat):
    """Return the files of a class relative to the one folder that contains them all, if there is one.

    A folder with a single entry, or with notebooks named after sheets, is that of a student, so the files are
    returned unchanged. The same holds for a folder with other notebooks, unless `flat` says that notebooks
    without folders may be those of a class, as in an archive.
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


def count_by_sheet(submissions):
    """Return a dict from the number of each sheet to the number of submissions with a file named after it."""
    count = {n: sum(bool(s.copies_for(n, False)) for s in submissions) for n in registry.numbers()}
    return {number: found for number, found in count.items() if found}


def sheets_of_class(submissions):
    """Return the numbers of the sheets that at least a third of the class handed in, by file names."""
    return [number for number, found in count_by_sheet(submissions).items() if 3 * found >= len(submissions)]
