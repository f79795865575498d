"""Find the submissions: a folder, notebook or archive for each student, in a folder or in one archive.

Nothing is unpacked to disk. An archive is read in memory, with limits, and only its notebooks.
"""

import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from clearhead.checks import registry

NOTEBOOK, ARCHIVE, CLASS = 30 << 20, 60 << 20, 4 << 30  # the most bytes of each
MEMBERS, DIRECTORY = 5000, 2 << 20
NOTEBOOKS = 50
_IGNORED = re.compile(r"^(\.|__MACOSX|__pycache__)")


class Refused(ValueError):
    """Raised for a file that is not read; its message is one sentence."""


@dataclass(frozen=True)
class File:
    """One notebook of a submission, not yet read."""

    path: str  # inside the submission
    source: object  # a Path, or a pair (archive, member)

    def read(self):
        """Return the bytes; raise Refused where they are too many, or cannot be had."""
        try:
            if isinstance(self.source, Path):
                return _read_file(self.source, NOTEBOOK)
            with _opened(self.source[0]) as archive:
                return _read_member(archive, archive.getinfo(self.source[1]), NOTEBOOK)
        except (
            OSError,
            KeyError,
            zipfile.BadZipFile,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            if isinstance(error, Refused):
                raise
            raise Refused(f"{self.path!r:.80} cannot be read ({type(error).__name__}).") from None


@dataclass(frozen=True)
class Submission:
    """What one student handed in."""

    name: str
    files: tuple = ()
    faults: tuple = ()  # what could not be read, in words

    def notebook_for(self, sheet, alone):
        """Return the notebook of a sheet, or None: the one that bears its name; the only one, if `alone`."""
        title = registry.file_stem(sheet)
        named = [file for file in self.files if title in PurePosixPath(file.path).name]
        found = named or (list(self.files) if alone else [])
        return min(found, key=lambda f: (f.path.count("/"), len(f.path), f.path), default=None)


def find(place):
    """Return the submissions in a folder or archive, ordered by name."""
    place = Path(place)
    if place.is_dir():
        entries = sorted(p for p in place.iterdir() if not _IGNORED.match(p.name))
        found = [_submission(entry) for entry in entries]
    elif zipfile.is_zipfile(place):
        found = _class_archive(place)
    else:
        raise Refused(f"{place} is neither a folder nor a zip archive of submissions.")
    found = [s for s in found if s.files or s.faults]
    names = [s.name for s in found]
    if len(set(names)) < len(names):
        raise Refused(f"Two submissions are called {max(names, key=names.count)!r:.80}: rename one of them.")
    return sorted(found, key=lambda s: s.name)


def _submission(entry):
    """Return the submission that is a notebook, an archive, or a folder of these."""
    if entry.is_symlink():
        return Submission(entry.name, faults=(f"{entry.name!r:.80} is a link, and links are not followed.",))
    if entry.is_dir():
        files, faults = [], []
        for path in sorted(entry.rglob("*")):
            parts = path.relative_to(entry).parts
            if path.is_symlink() or not path.is_file() or any(_IGNORED.match(part) for part in parts):
                continue
            inside = _files(path, "/".join(parts))
            files, faults = files + list(inside.files), faults + list(inside.faults)
        if len(files) > NOTEBOOKS:
            return Submission(entry.name, (), (f"More than {NOTEBOOKS} notebooks.",))
        return Submission(entry.name, tuple(files), tuple(faults) or (() if files else ("No notebook.",)))
    inside = _files(entry, entry.name)
    faults = inside.faults or (() if inside.files else ("Neither a notebook, nor a folder, nor an archive.",))
    return Submission(entry.stem or entry.name, inside.files, faults)


def _files(path, shown):
    """Return, as a Submission, the notebooks that one file is or holds."""
    if path.suffix.lower() == ".ipynb":
        return Submission("", (File(shown, path),))
    if path.suffix.lower() != ".zip":
        return Submission("")
    try:
        with _opened(path) as archive:
            members = [m for m in archive.infolist() if _wanted(m)]
            if len(members) > NOTEBOOKS:
                raise Refused(f"more than {NOTEBOOKS} notebooks")
            files = [File(m.filename, (path, m.filename)) for m in sorted(members, key=lambda m: m.filename)]
            return Submission("", tuple(files), () if files else (f"{shown!r:.80} holds no notebook.",))
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        why = str(error) if isinstance(error, Refused) else type(error).__name__
        return Submission("", (), (f"The archive {shown!r:.80} is not read: {why[:200]}.",))


def _class_archive(place):
    """Return the submissions in an archive of the whole class: its top folders and top files."""
    with _opened(place, CLASS, 64 << 20) as archive:
        groups = {}
        for member in archive.infolist():
            if _wanted(member):
                groups.setdefault(PurePosixPath(member.filename).parts[0], []).append(member.filename)
    found = []
    for top, members in groups.items():
        files = tuple(File(name.partition("/")[2] or name, (place, name)) for name in sorted(members))
        found.append(Submission(top.removesuffix(".ipynb"), files[:NOTEBOOKS]))
    return found


def _wanted(member):
    """Return True for a notebook whose place in an archive is a plain one."""
    name = PurePosixPath(member.filename)
    if member.is_dir() or name.suffix.lower() != ".ipynb" or any(_IGNORED.match(p) for p in name.parts):
        return False
    plain = not name.is_absolute() and ".." not in name.parts and "\\" not in member.filename
    kind = stat.S_IFMT(member.external_attr >> 16)
    return plain and kind in (0, stat.S_IFREG)


def _opened(path, most=ARCHIVE, directory=DIRECTORY):
    """Return an archive, opened, whose size and list of members are within the limits."""
    if path.is_symlink() or path.stat().st_size > most:
        raise Refused(f"it is a link, or larger than {most >> 20} megabytes")
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 66_000))
        end = file.read().rpartition(b"PK\x05\x06")[2]
    if len(end) < 18 or int.from_bytes(end[8:12], "little") > directory:
        raise Refused("it is broken, or has too many members")
    return zipfile.ZipFile(path)


def _read_member(archive, member, most):
    """Return the bytes of one member, whatever its header says of their number."""
    if member.flag_bits & 1:
        raise Refused("An archive with a password is not read.")
    with archive.open(member) as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise Refused(f"{member.filename!r:.80} is larger than {most >> 20} megabytes.")
    return raw


def _read_file(path, most):
    """Return the bytes of a plain file; of a link, a pipe or a device nothing is read."""
    if path.is_symlink() or not path.is_file():
        raise Refused(f"{path.name!r:.80} is not a plain file.")
    with path.open("rb") as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise Refused(f"{path.name!r:.80} is larger than {most >> 20} megabytes.")
    return raw


def sheets_in(submissions):
    """Return the numbers of the sheets that at least a third of the submissions have, by file name."""
    count = {
        number: sum(s.notebook_for(number, False) is not None for s in submissions)
        for number in registry.numbers()
    }
    return [number for number, found in count.items() if found and 3 * found >= len(submissions)]
