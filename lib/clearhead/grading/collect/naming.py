"""Assignment of submissions to persons by the part of a name that the learning platform wrote.

A student chooses the name of the file, and on some platforms the name that is displayed. The platform's own
part of an entry's name is therefore matched first, and what follows it never decides. A display name is kept
apart from the platform's number of the person, so that the list of the class can compare both.
"""

import re
import unicodedata
from dataclasses import astuple, dataclass, replace
from pathlib import PurePosixPath

from clearhead.checks import registry
from clearhead.errors import UserError

#: How exports name their entries, after lib/content_zipper.rb of Canvas and mod/assign/locallib.php of
#: Moodle; of two that match as often, the first is taken. In a name, the first match is the platform's,
#: because Moodle leaves no "_" in a displayed name, and Canvas no number between two of them.
SCHEMES = {
    "moodle": r"(?P<name>.*?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_.*)?",
    "canvas": r"(?:(?P<before>LATE_)?(?P<mask>anon_[A-Za-z0-9]+)|"
    r"(?P<name>.*?)(?P<late>_LATE)?_(?P<number>\d+))_(?:\d+_.+|text\.html|link\.html)",
}
_SURROGATE = re.compile("[\ud800-\udfff]")  # the substitute for a byte that is not UTF-8
NOT_UTF_8 = "Its name is not in UTF-8, so some of its letters may be wrong."
_NEXT = re.compile(r"(?=_([1-9]\d*)_([1-9]\d*)_.)")  # where another part of Canvas's could begin


@dataclass(frozen=True)
class Owner:
    """A person as named by an export of a platform."""

    name: str = ""  # as displayed: on some platforms a student may change it
    number: str = ""  # given by the platform or the institution, never by the student
    email: str = ""


@dataclass(frozen=True)
class Origin:
    """The owners of an entry, as far as the name of the entry reveals them."""

    student: str  # the name of its row in the tables
    platform: str = ""  # "canvas", "moodle", "gradescope", or "" where the name is all that is known
    owners: tuple = ()  # Owners: more than one only where the export itself lists several submitters
    others: tuple = ()  # Owners, by number, under other readings, which the list of a class may rule out
    late: bool = False  # whether the platform marked it as late
    note: str = ""  # why the name may be wrong

    def as_data(self):
        """Return platform, possible owners and note as plain data, for the list of submissions."""
        owners, others = ([list(astuple(owner)) for owner in each] for each in (self.owners, self.others))
        return {"platform": self.platform, "owners": owners, "others": others, "note": self.note}

    @staticmethod
    def from_data(student, data):
        """Return the Origin of a student from the data of `as_data`, or without owners from an empty dict."""
        owners, others = (tuple(Owner(*each) for each in data.get(key, ())) for key in ("owners", "others"))
        return Origin(student, data.get("platform", ""), owners, others, note=data.get("note", ""))


def owners_of_entries(entries, names="auto", metadata=""):
    """Return a dict from the name of each entry of an export to its Origin.

    Parameters
    ----------
    entries : dict
        From the name of each entry to whether it is a folder.
    names : str
        `canvas`, `moodle`, `gradescope`, or a regular expression whose group `name`, or first group, is the
        name. With `auto`, the platform that named most entries is taken, if it named at least half of them.
    metadata : str
        The text of Gradescope's submission_metadata.yml.

    Raises
    ------
    UserError
        If the regular expression or the metadata cannot be read.
    """
    plain = {e: e if is_folder else without_sheet(PurePosixPath(e).stem) for e, is_folder in entries.items()}
    found = {entry: Origin(name) for entry, name in plain.items()}
    if names == "gradescope":
        gradescope_owners = _gradescope(metadata)
        found |= {entry: gradescope_owners[entry] for entry in entries if entry in gradescope_owners}
    else:
        found |= _matched(entries, names)
    return _readable(found)


def without_sheet(name):
    """Return a name without the sheet's name and the copy's number at its end, unless nothing would be left.

    Other words and numbers after the name of the sheet may be those of a person, so they keep the whole name.
    """
    sheets = "|".join(map(registry.file_stem, registry.numbers()))
    found = re.search(rf"({sheets})([ _-]*(\(\d+\)|copy))*$", name, re.I)
    return name[: found.start()].rstrip(" _.-") or name if found else name


def _matched(entries, names):
    """Return a dict from the entries that match a naming scheme to their Origins."""
    if names not in ("auto", *SCHEMES):
        pattern = _pattern(names)
        matches = {entry: pattern.fullmatch(entry) for entry in entries}
        return {entry: Origin(_person(match)) for entry, match in matches.items() if match}
    tried = {}
    for platform in SCHEMES if names == "auto" else [names]:
        matches = {entry: re.fullmatch(SCHEMES[platform], entry, re.S) for entry in entries}
        tried[platform] = {entry: match for entry, match in matches.items() if match}
    platform = max(tried, key=lambda platform: len(tried[platform]))
    if names == "auto" and 2 * len(tried[platform]) < len(entries):
        return {}
    return {entry: _origin(platform, match) for entry, match in tried[platform].items()}


def _pattern(names):
    """Return an instructor's regular expression, compiled; raise UserError if it is not usable."""
    try:
        pattern = re.compile(names)
    except re.error as error:
        raise UserError(f"--names {names!r:.60} is not a regular expression: {error}.") from None
    if not pattern.groups:
        raise UserError(
            f"--names {names!r:.60} needs a group in brackets, which matches the name of a person."
        )
    return pattern


def _person(match):
    """Return the name of a person, made of the groups that an instructor's regular expression has matched."""
    found = match.groupdict()
    return "_".join(found[part] for part in ("name", "id", "mask") if found.get(part)) or match[1] or match[0]


def _origin(platform, match):
    """Return the Origin of an entry whose name matches the naming scheme of a platform."""
    found = match.groupdict()
    late = bool(found.get("late") or found.get("before"))
    if found.get("mask"):
        return Origin(found["mask"], platform, (Owner(found["mask"]),), late=late)
    owner = Owner(found["name"], found["number"])
    others = _other_readings(match) if platform == "canvas" else ()
    student = f"{owner.name}_{owner.number}" if not others else without_sheet(PurePosixPath(match[0]).stem)
    return Origin(student, platform, (owner,), others, late)


def _other_readings(match):
    """Return the Owners to whom an ambiguous file name from Canvas could belong instead.

    Canvas joins name, number, number of the file and name of the file by "_", and a name may end in "_4712".
    So "x_4712_4711_9_05.ipynb" may be that of "x" with number 4712, or that of "x_4712" with number 4711. A
    name of Canvas's consists of lower-case letters, digits and "_"; its numbers do not begin with 0; and the
    name of a sheet at the beginning of the file's name is no number of Canvas's.
    """
    entry, found = match[0], {}
    sheets = tuple(map(registry.file_stem, registry.numbers()))
    end = next((i for i, c in enumerate(entry) if not _of_a_name(c)), len(entry))  # of what could be a name
    for other in _NEXT.finditer(entry, match.start("number")):
        late = 5 * (entry[other.start() - 5 : other.start()] == "_LATE")
        if other.start() - late <= end and not entry.startswith(sheets, other.start(2)):
            found[other[1]] = Owner(number=other[1])
    return tuple(found.values())


def _of_a_name(c):
    """Return True if a character may be in a name that Canvas wrote, without capitals, spaces and signs."""
    kind = unicodedata.category(c)
    return c == c.lower() and (c.isalnum() or kind[0] == "M" or kind in ("Pc", "Cf"))  # "_" is a Pc


def _gradescope(metadata):
    """Return a dict from each folder of a Gradescope export to its Origin, with all listed submitters."""
    try:
        import yaml  # not needed for other platforms
    except ModuleNotFoundError:
        raise UserError("An export of Gradescope needs one more package: pip install pyyaml") from None
    try:
        entries = yaml.load(
            metadata, getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        )  # text, whatever the tags say
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise UserError(
            f"submission_metadata.yml is not valid YAML ({why:.120}): download the export again."
        ) from None
    found = {}
    for folder, record in entries.items() if isinstance(entries, dict) else ():
        listed = _part(record, "submitters")
        owners = [
            Owner(*(_text(_part(each, key)) for key in ("name", "sid", "email")))
            for each in (listed if isinstance(listed, list) else ())
        ]
        owners = tuple(owner for owner in owners if any(astuple(owner)))
        if owners and isinstance(folder, str):
            names = ", ".join(owner.name or owner.email or owner.number for owner in owners)
            found[folder] = Origin(f"{names} ({folder})", "gradescope", owners)
    return found


def _part(record, key):
    """Return a field of a Gradescope record, whose keys may be Ruby symbols, or None if it is missing."""
    return record.get(f":{key}", record.get(key)) if isinstance(record, dict) else None


def _text(value):
    """Return a YAML value as a string, or "" if it is null or not a string."""
    return value.strip() if isinstance(value, str) and value.strip() not in ("null", "~") else ""


def _readable(found):
    """Return the Origins with names in composed Unicode, in which names that were not UTF-8 stay distinct.

    A name that would look like another one gets its bytes appended. In composed form, a name is the same on a
    Mac, which decomposes letters, as on other systems.
    """
    raw = {origin.student for origin in found.values() if _SURROGATE.search(origin.student)}
    known = {origin.student for origin in found.values()} - raw
    shown = {student: unicodedata.normalize("NFC", student) for student in known}
    for student in sorted(raw):
        text = student.encode("utf-8", "replace").decode()
        if text in shown.values():
            text = f"{text} ({student.encode('utf-8', 'surrogateescape').hex()})"
        shown[student] = text
    return {
        entry: replace(origin, student=shown[origin.student], note=NOT_UTF_8 if origin.student in raw else "")
        for entry, origin in found.items()
    }
