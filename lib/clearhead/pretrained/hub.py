"""Files of published models: where they lie, and how they are fetched when somebody asks for it."""

import hashlib
import http.client
import os
import re
import shutil
import tempfile
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

FILES = ("config.json", "model.safetensors")
HUB = "https://huggingface.co"


def cache_folder():
    """Return where downloads are kept.

    Returns
    -------
    folder : pathlib.Path
        The environment variable CLEARHEAD_CACHE, or `clearhead` in the user's folder for caches.
    """
    if named := os.environ.get("CLEARHEAD_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clearhead"


def locate(source, download=False, sha256=None, cache=None):
    """Return the folder that holds a model's two files, after fetching them if that is asked for.

    Parameters
    ----------
    source : str or path
        A folder, or a hub id such as "openai-community/gpt2".
    download : bool
        Whether files that are not in the cache may be fetched.
    sha256 : dict, optional
        File name -> the SHA-256 that it must have.
    cache : path, optional
        `cache_folder()` by default.

    Returns
    -------
    folder : pathlib.Path

    Raises
    ------
    FileNotFoundError
        Where a file is not there and may not be fetched.
    ValueError
        Where a checksum differs, or a hub id is malformed.
    ConnectionError
        Where a download does not succeed.
    """
    if unknown := set(sha256 or {}) - set(FILES):
        raise ValueError(f"Checksums are for {' and '.join(FILES)}, got one for {min(unknown)!r}.")
    folder = Path(source)
    if not folder.is_dir():
        folder = _fetched(str(source), download, sha256 or {}, cache or cache_folder())
    for name in FILES:
        if not (folder / name).is_file():
            raise FileNotFoundError(f"The folder {str(folder)!r} has no {name}: it must hold both {FILES}.")
        check_sum(folder / name, (sha256 or {}).get(name))
    return folder


def fetch(url, path, sha256=None):
    """Write what lies at an address into a file, which is there whole and checked or not at all.

    Parameters
    ----------
    url : str
    path : path
    sha256 : str, optional
        The checksum that the file must have.

    Raises
    ------
    ConnectionError
        Where nothing, or not all, arrives.
    ValueError
        Where the checksum differs.
    """
    with _whole(path) as part:
        try:
            with urllib.request.urlopen(url, timeout=30) as answer, open(part, "wb") as file:
                shutil.copyfileobj(answer, file)
                promised = answer.headers.get("Content-Length")
        except (OSError, http.client.HTTPException) as error:
            reason = error if isinstance(error, urllib.error.HTTPError) else getattr(error, "reason", error)
            raise ConnectionError(
                f"Could not download {url} ({reason}): are you online? A folder with both files does as well."
            ) from error
        if promised and int(promised) != (arrived := part.stat().st_size):
            raise ConnectionError(f"Only {arrived} of {promised} bytes of {url} arrived: try again.")
        check_sum(part, sha256, said=url)


def check_sum(path, sha256, said=None):
    """Raise where a file does not have a checksum.

    Parameters
    ----------
    path : path
    sha256 : str or None
        None asks for nothing.
    said : str, optional
        How the error calls the file.

    Raises
    ------
    ValueError
        With both checksums.
    """
    if sha256 is None:
        return
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256.lower():
        raise ValueError(f"{said or path} has SHA-256 {found}, not {sha256}: it is another file, or damaged.")


def write_whole(path, content):
    """Write bytes into a file, which is there whole or, if the writing breaks off, as it was before.

    Parameters
    ----------
    path : path
    content : bytes
    """
    with _whole(path) as part:
        part.write_bytes(content)


@contextmanager
def _whole(path):
    """Give a file to write into, beside the wanted one: it takes that one's place when all went well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _fetched(hub_id, download, sha256, cache):
    """Return the folder of the cache in which a model of the hub lies, its missing files fetched."""
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", hub_id):
        raise FileNotFoundError(f"There is no folder {hub_id!r}, and a hub id looks like 'owner/name'.")
    folder = Path(cache) / "hub" / hub_id.replace("/", "--")
    for name in FILES:
        if (folder / name).is_file():
            continue
        if not download:
            raise FileNotFoundError(
                f"There is no folder {hub_id!r} and no copy in the cache; to fetch it from the hub, say "
                "download=True."
            )
        address = os.environ.get("HF_ENDPOINT", HUB)
        fetch(f"{address}/{hub_id}/resolve/main/{name}", folder / name, sha256.get(name))
    return folder
