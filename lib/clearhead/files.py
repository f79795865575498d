"""Writing of files that are complete or unchanged, with the permissions that suit their readers."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700  # marks, names, secrets: only for the user who runs the command
FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def write_whole(path, data, mode=0o666):
    """Write a file so that it is complete or, if writing fails at any point, unchanged.

    The data is written to a temporary file in the same folder and flushed to the disk, and then the file is
    renamed. Therefore neither a full disk, nor a killed process, nor a power failure leaves half a file.

    Parameters
    ----------
    path : str or Path
        The file. Its folder is created if it does not exist, for this user only if the file is PRIVATE.
    data : bytes, str or iterator of str
        The contents. Text is written as UTF-8, and an iterator is written piece by piece.
    mode : int
        The permissions, from which the user's umask is taken away. PRIVATE is right for marks and names.

    Raises
    ------
    OSError
        If the file cannot be written; its `filename` is `path`.
    """
    path, pieces = Path(path), data if isinstance(data, Iterator) else [data]
    _make_folder(path.parent, 0o777 if mode & 0o077 else PRIVATE_FOLDER)
    new = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        _write(new, pieces, mode)
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def write_private(path, data):
    """Write a file completely or not at all, readable only by this user; new folders are private, too."""
    write_whole(path, data, PRIVATE)


def _make_folder(path, mode):
    """Create a folder and its missing parents with these permissions."""
    if not path.is_dir():
        _make_folder(path.parent, mode)
        path.mkdir(mode, exist_ok=True)


def _write(new, pieces, mode):
    """Write the pieces to a new file, and wait until they are on the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(new, flags, mode), "wb") as file:
        for piece in pieces:
            file.write(piece.encode("utf-8") if isinstance(piece, str) else piece)
        file.flush()
        os.fsync(file.fileno())


def private_folder(path):
    """Create a folder that only this user can open, or close this user's existing folder to others."""
    _make_folder(Path(path), PRIVATE_FOLDER)
    if open_to_others(path):
        with contextlib.suppress(PermissionError):  # somebody else owns it
            os.chmod(path, PRIVATE_FOLDER)


def open_to_others(path):
    """Return True if a folder exists, and other users of this machine may enter or list it."""
    path = Path(path)
    return os.name == "posix" and path.is_dir() and bool(path.stat().st_mode & 0o077)


def problem(error):
    """Return one or two sentences on an OSError: which file, why, and what to do next."""
    named = error.filename2 or error.filename
    place = f"{named}: " if named else ""
    if error.errno in FULL:
        return (
            f"{place}the disk is full. Every file that was written before is whole. Free some space, "
            "and run the same command again."
        )
    return f"{place}{error.strerror or type(error).__name__}."
