"""Tell whose an entry of a class is, from its name: folders, and the names that learning platforms give."""

import re
from pathlib import PurePosixPath

from clearhead.checks import registry

SCHEMES = {
    "canvas": r"(?:(?:LATE_)?(?P<mask>anon_[A-Za-z0-9]+)|(?P<name>.+?)(?:_LATE)?_(?P<id>\d+))"
    r"_(?:\d+_.+|text\.html|link\.html)",
    "moodle": r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_.*)?",
}


class Unclear(ValueError):
    """Raised for a way of naming that is none; its message is one sentence."""


def people(entries, names="auto", metadata=""):
    """Return a dict from each entry to the name of the person that it belongs to.

    Parameters
    ----------
    entries : dict
        From the name of each entry to whether it is a folder.
    names : str
        `canvas`, `moodle`, `gradescope`, or a regular expression whose group `name`, or first group, is the
        name. `auto` is canvas or moodle where at least half of the entries are called so.
    metadata : str
        The text of Gradescope's submission_metadata.yml.
    """
    plain = {e: e if is_folder else without_sheet(PurePosixPath(e).stem) for e, is_folder in entries.items()}
    if names == "gradescope":
        told = _gradescope(metadata)
        return {entry: told.get(entry, name) for entry, name in plain.items()}
    found = {}
    for pattern in SCHEMES.values() if names == "auto" else [_pattern(names)]:
        matched = {entry: match for entry in entries if (match := re.fullmatch(pattern, entry))}
        if names != "auto" or 2 * len(matched) >= len(entries):
            found |= {entry: _person(match) for entry, match in matched.items()}
    return plain | found


def without_sheet(name):
    """Return a name without the sheet at its end, and the number of a copy; a sheet alone stays.

    Other words and numbers after the sheet may be a person's, so they stay, with all that stands before.
    """
    sheets = "|".join(map(registry.file_stem, registry.numbers()))
    return re.sub(rf"(?<=.)[ _.-]*({sheets})([ _-]*(\(\d+\)|copy))*$", "", name, flags=re.I) or name


def _pattern(names):
    """Return the regular expression of a way of naming."""
    try:
        pattern = re.compile(SCHEMES.get(names, names))
    except re.error as error:
        raise Unclear(f"--names {names!r:.60} is no regular expression: {error}.") from None
    if not pattern.groups:
        raise Unclear(f"--names {names!r:.60} needs a group in brackets, which matches the name of a person.")
    return pattern


def _person(match):
    """Return the name that a match found, with the number that tells people of one name apart."""
    found = match.groupdict()
    return "_".join(found[part] for part in ("name", "id", "mask") if found.get(part)) or match[1] or match[0]


def _gradescope(metadata):
    """Return a dict from each folder of an export to the names of those who handed it in, and the folder."""
    found = {}
    for block in re.split(r"(?m)^(?=\S)", metadata):
        folder, *lines = block.splitlines() or [""]
        names = [
            m[1] for line in lines if (m := re.fullmatch(r"\s*(?:- )?:?name: *[\"']?(.+?)[\"']? *", line))
        ]
        if names:
            folder = folder.rstrip(": ")
            found[folder] = f"{', '.join(names)} ({folder})"
    return found
