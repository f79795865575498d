"""Reading of untrusted files and archives in memory, within limits and without unpacking them to disk."""

import bz2
import copy
import lzma
import stat
import zipfile
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path, PurePosixPath
from zlib import crc32

from clearhead.errors import UserError

NOTEBOOK, ARCHIVE = 30 << 20, 60 << 20  # the most bytes of each
MEMBERS = 5000


@dataclass(frozen=True)
class File:
    """One file of a submission, whose contents have not been read yet."""

    path: str  # inside the submission
    source: tuple  # a Path, and then the names of archive members, each inside the one before it
    time: float = 0  # when it was last changed, in steps of two seconds, as archives know it
    fault: str = ""  # why it cannot be read
    inner: float = 0  # the time in the student's own archive, which orders copies but proves nothing
    late: bool = False  # whether the platform marked it as late
    unreadable_name: bool = False  # whether the encoding of its name is unknown

    def read(self, most=NOTEBOOK):
        """Return the bytes of the file; raise UserError if it is larger than `most` or cannot be read."""
        outermost, *members = self.source
        try:
            if not members:
                return _read_file(outermost, most)
            size, time = outermost.stat().st_size, outermost.stat().st_mtime_ns
            archive = _open_once(outermost, size, time)
            if len(members) > 1:
                archive = _open_inner(outermost, size, time, tuple(members[:-1]))
            return _read_member(archive, members[-1], most)
        except UserError:
            raise
        except Exception as error:  # a damaged archive can raise anything
            raise UserError(f"{self.path!r:.80} cannot be read ({type(error).__name__}).") from None


@lru_cache(maxsize=1)  # the list of a large class takes long to read, and each of its files asks for it
def _open_once(path, _size, _time):
    """Return an opened archive, which is cached until another archive is opened or its file changes."""
    return zipfile.ZipFile(path)


@lru_cache(maxsize=2)  # an archive in an archive is inflated once for all of its files, and not for each
def _open_inner(path, size, time, members):
    """Return an opened archive that lies inside another one; `members` are the names that lead to it."""
    outside = _open_inner(path, size, time, members[:-1]) if members[:-1] else _open_once(path, size, time)
    return zipfile.ZipFile(BytesIO(_read_member(outside, members[-1], ARCHIVE)))


@dataclass
class RemainingLimits:
    """The numbers of archives and bytes that one submission may still use in archives inside archives."""

    archives: int = 5  # inside other archives; archives that were handed in directly do not count
    inflated: int = 2 * ARCHIVE  # bytes of archives that lie in others

    def take(self, archives=0, inflated=0):
        """Subtract archives and bytes from the limits; raise UserError if a limit is exceeded."""
        self.archives, self.inflated = self.archives - archives, self.inflated - inflated
        if self.archives < 0:
            most = RemainingLimits.archives
            raise UserError(f"the submission has more than {most} archives inside other archives")
        if self.inflated < 0:
            most = RemainingLimits.inflated >> 20
            raise UserError(f"the archives inside other archives have more than {most} megabytes together")


def members_of(file, most, members, left=None):
    """Return a File for each member of an archive; a member with an unsafe path has a fault.

    The size of an archive inside another one is subtracted from the limits `left`, if these are given.
    """
    if len(file.source) == 1:
        outermost = file.source[0]
    else:
        raw = file.read(most)
        if left:
            left.take(inflated=len(raw))
        outermost = BytesIO(raw)
    found = []
    with _opened(outermost, most, members) as archive:
        for member in archive.infolist():
            name, unreadable_name = _name(member)
            path = PurePosixPath(name.replace("\\", "/"))  # as some old tools of Windows write
            plain = path.parts and not path.is_absolute() and ".." not in path.parts
            regular = stat.S_IFMT(member.external_attr >> 16) in (0, stat.S_IFREG) or member.is_dir()
            fault = "" if plain and regular else "has no plain place in its archive."
            inner = " ".join(part for part in path.parts if part.strip("./"))
            shown = path.as_posix() + "/" * member.is_dir() if plain else inner or "?"
            source = (*file.source, member.filename)
            found.append(File(shown, source, _time(member), fault, unreadable_name=unreadable_name))
    return found


def _name(member):
    """Return the name of a member as Unicode, and whether its encoding is uncertain.

    Many tools write names in UTF-8 without the flag that says so, and then `zipfile` takes them for those of
    an IBM PC. A name in another encoding may be given once more, in UTF-8, in Info-ZIP's extra field 0x7075.
    """
    if member.flag_bits & 0x800 or member.filename.isascii():
        return member.filename, False
    try:
        raw, extra = member.filename.encode("cp437"), member.extra
        while len(extra) >= 4:
            kind, size = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
            stored_name, extra = extra[4 : 4 + size], extra[4 + size :]
            if kind == 0x7075 and int.from_bytes(stored_name[1:5], "little") == crc32(raw):
                return stored_name[5:].decode("utf-8"), False
        return raw.decode("utf-8"), False
    except UnicodeError:
        return member.filename, True


def _time(member):
    """Return the time of the last change of a member, in the unit of `File.time`, or 0 if it is unknown."""
    try:
        return datetime(*member.date_time).timestamp() // 2
    except (ValueError, OverflowError, OSError):
        return 0


def _opened(source, most=ARCHIVE, members=MEMBERS):
    """Return an opened archive; raise UserError if its size or its list of members exceeds the limits."""
    if isinstance(source, Path):
        if source.is_symlink() or source.stat().st_size > most:
            raise UserError(f"it is a link or larger than {most >> 20} megabytes")
        with source.open("rb") as file:
            file.seek(max(0, source.stat().st_size - 66_000))
            tail = file.read()
    else:
        tail = source.getvalue()[-66_000:]
    before, _, end = tail.rpartition(b"PK\x05\x06")
    large = members <= MEMBERS and b"PK\x06\x07" in before[-20:]  # the list may be longer than stated
    if len(end) < 18 or large or int.from_bytes(end[8:12], "little") > 400 * members:
        raise UserError("it is broken, or has too many members")
    archive = zipfile.ZipFile(source)
    if len(archive.infolist()) > members:
        raise UserError("it has too many members")
    return archive


def _read_member(archive, name, most):
    """Return the bytes of one member; raise UserError if there are more than `most` of them."""
    member = archive.getinfo(name)
    if member.flag_bits & 1:
        raise UserError("Archives with a password cannot be read.")
    if member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with archive.open(member) as file:
            raw = file.read(most + 1)
    else:
        raw = _inflated(archive, member, most + 1)
    if len(raw) > most:
        raise UserError(_too_large(name, most))
    return raw


def _inflated(archive, member, most):
    """Return at most `most` bytes of a member that is compressed by bzip2 or LZMA.

    `zipfile` would inflate everything that it has read at once, and four kilobytes of bzip2 can contain four
    gigabytes.
    """
    packed = copy.copy(member)  # the same member, taken as bytes that are not compressed
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, member.compress_size
    del packed.CRC
    parts, left = [], most
    with archive.open(packed) as file:
        decompressor = _decompressor(member, file, most)
        while left and not decompressor.eof:
            chunk = file.read(1 << 16) if decompressor.needs_input else b""
            if not chunk and decompressor.needs_input:
                break
            parts.append(decompressor.decompress(chunk, left))
            left -= len(parts[-1])
    raw = b"".join(parts)
    if left and (len(raw), crc32(raw)) != (member.file_size, member.CRC):
        raise zipfile.BadZipFile("the checksum is wrong")
    return raw


def _decompressor(member, file, most):
    """Return a decompressor for a member; for LZMA, first read the header at the beginning of `file`."""
    if member.compress_type == zipfile.ZIP_BZIP2:
        return bz2.BZ2Decompressor()
    if member.compress_type != zipfile.ZIP_LZMA:
        raise UserError(
            f"{member.filename!r:.80} is compressed by a rare method: save it as an ordinary zip archive."
        )
    properties = file.read(int.from_bytes(file.read(4)[2:], "little"))
    code, size = properties[0], int.from_bytes(properties[1:5], "little")
    filters = {"lc": code % 9, "lp": code // 9 % 5, "pb": code // 45, "dict_size": min(size, max(most, 4096))}
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1} | filters])


def _read_file(path, most):
    """Return the bytes of a regular file; raise UserError for a link, a pipe, a device or a large file."""
    if path.is_symlink() or not path.is_file():
        raise UserError(f"{path.name!r:.80} is not a regular file.")
    with path.open("rb") as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise UserError(_too_large(path.name, most))
    return raw


def _too_large(name, most):
    message = f"{name!r:.80} is larger than {most >> 20} megabytes"
    return f"{message}: clear the outputs of the notebook and hand it in again."
