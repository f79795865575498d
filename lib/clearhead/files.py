"""Files that are there whole, or as they were before."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


def write_whole(path, data, mode=0o644):
    """Write a file, which is there whole or, if the writing breaks off, as it was before.

    Parameters
    ----------
    path : str or Path
        Its folder is made where it is not there.
    data : bytes, str or iterator of str
        Text is written as UTF-8, piece by piece where it comes in pieces.
    mode : int
        Who may read and write it.
    """
    path, pieces = Path(path), data if isinstance(data, Iterator) else [data]
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            for piece in pieces:
                file.write(piece.encode("utf-8") if isinstance(piece, str) else piece)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
