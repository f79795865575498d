"""The files of published models: their paths, and how they are downloaded on request."""

import hashlib
import os
from pathlib import Path

FILES = ("config.json", "model.safetensors")


def locate(source, download=False, sha256=None, cache=None):
    """Return the folder that holds the two files of a model, after downloading them if this is allowed.

    Parameters
    ----------
    source : str or path
        A folder, or a hub id such as "openai-community/gpt2".
    download : bool
        Whether files that are not in the cache may be downloaded.
    sha256 : dict, optional
        File name -> the SHA-256 that it must have.
    cache : path, optional
        The folder for downloads; by default the cache of the package huggingface_hub.

    Returns
    -------
    folder : pathlib.Path

    Raises
    ------
    FileNotFoundError
        If a file is missing and may not be downloaded, or if a hub id is malformed.
    ValueError
        If a checksum differs; a file that was just downloaded is then deleted.
    ConnectionError
        If a download fails.
    ImportError
        If a hub id is given, but the package huggingface_hub is not installed.
    """
    sha256 = sha256 or {}
    if unknown := set(sha256) - set(FILES):
        raise ValueError(f"Checksums are for {' and '.join(FILES)}, got one for {min(unknown)!r}.")
    if not Path(source).is_dir():
        paths = [_fetched(str(source), name, download, sha256.get(name), cache) for name in FILES]
        return paths[0].parent
    for name in FILES:
        if not (path := Path(source) / name).is_file():
            raise FileNotFoundError(f"The folder {str(source)!r} has no {name}: it must hold both {FILES}.")
        check_sum(path, sha256.get(name))
    return Path(source)


def check_sum(path, sha256):
    """Raise an error if a file does not have the expected checksum.

    Parameters
    ----------
    path : path
    sha256 : str or None
        The expected checksum, or None if any file is accepted.

    Raises
    ------
    ValueError
        If the checksums differ; the message has both.
    """
    if sha256 is None:
        return
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256.lower():
        raise ValueError(f"{path} has SHA-256 {found}, not {sha256}: it is another file, or damaged.")


def _fetched(hub_id, name, download, sha256, cache):
    """Return the path of a file of the hub in the cache, after downloading it if allowed, and verify it."""
    hub = _huggingface_hub()
    try:
        path = hub.try_to_load_from_cache(hub_id, name, cache_dir=cache)  # asks no network
    except hub.errors.HFValidationError:
        raise FileNotFoundError(
            f"There is no folder {hub_id!r}, and a hub id looks like 'owner/name'."
        ) from None
    if isinstance(path, str):
        check_sum(path, sha256)
        return Path(path)
    if not download:
        raise FileNotFoundError(
            f"There is no folder {hub_id!r} and no copy in the cache; to fetch it from the hub, say "
            "download=True."
        )
    return _download(hub_id, name, sha256, cache)


def _download(hub_id, name, sha256, cache):
    """Download a file of the hub, and return its path; delete it if its checksum differs."""
    hub, endpoint = _huggingface_hub(), os.environ.get("HF_ENDPOINT")
    try:
        path = Path(hub.hf_hub_download(hub_id, name, cache_dir=cache, token=False, endpoint=endpoint))
    except (OSError, RuntimeError, hub.errors.EntryNotFoundError, hub.errors.HTTPError) as error:
        raise ConnectionError(
            f"Could not download {name} of {hub_id} ({error}): are you online? A folder with both files does "
            "as well."
        ) from error
    try:
        check_sum(path, sha256)
    except ValueError:
        path.resolve().unlink()
        path.unlink(missing_ok=True)
        raise
    return path


def _huggingface_hub():
    try:
        import huggingface_hub.errors
    except ImportError:
        raise ImportError("The hub needs another package: pip install 'clearhead[pretrained]'.") from None
    return huggingface_hub
