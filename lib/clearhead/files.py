"""Files that are there whole, or as they were before."""

import os
import tempfile
from pathlib import Path


def write_whole(path, data, mode=0o644):
    """Write a file, which is there whole or, if the writing breaks off, as it was before.

    Parameters
    ----------
    path : str or Path
        Its folder is made where it is not there.
    data : bytes or str
        Text is written as UTF-8.
    mode : int
        Who may read and write it.
    """
    path, data = Path(path), data.encode("utf-8") if isinstance(data, str) else data
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
