"""The list of a class, as a CSV of any platform: who is in it, and whose a submission is."""

import hashlib
import hmac
import re
import unicodedata
from dataclasses import astuple, dataclass, replace

from clearhead.grading.naming import without_sheet

from . import tables
from .tables import Unclear

#: What each column may be called, in lower case; the first that is there is taken.
COLUMNS = {
    "name": ("name", "full name", "student", "student name"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "id": ("sis user id", "sid", "student id", "id number", "student number", "number", "id"),
    "email": ("email", "e-mail", "email address", "e-mail address", "mail"),
    "login": ("sis login id", "login", "username", "user name"),
    "moodle": ("identifier",),
    "section": ("section", "sections", "group"),
}
_NO_PERSON = re.compile(r"(points possible|student, test)\s*", re.I)  # rows of Canvas's own
_NO_NAME = re.compile(
    r"(muted|manual posting.*)?", re.I
)  # in a row of Canvas's own, of assignments not posted


@dataclass(frozen=True)
class Person:
    """One person of a class; what the list does not tell is ""."""

    name: str
    id: str = ""
    email: str = ""
    login: str = ""
    canvas: str = ""  # the number that Canvas gives
    moodle: str = ""  # such as "Participant 4711"
    section: str = ""
    first: str = ""
    last: str = ""
    veil: str = ""  # the id that stands in place of the name where that must not be seen

    @property
    def names(self):
        """Return all that this person is called by, the surest first."""
        found = [self.id, self.email, self.login, self.canvas, self.moodle, self.moodle.rpartition(" ")[2]]
        found += [self.email.partition("@")[0], self.login.partition("@")[0], self.veil, self.name]
        found += [f"{self.first} {self.last}", f"{self.last} {self.first}"]
        last, comma, first = self.name.partition(",")
        if not comma:
            first, _, last = self.name.rpartition(" ")
        found += [f"{first.strip()} {last.strip()}", f"{last.strip()} {first.strip()}"]
        return [name for name in dict.fromkeys(name.strip() for name in found) if name]

    @property
    def key(self):
        """Return what tells this person from all others."""
        return self.id or self.email or self.login or self.name


def read(path):
    """Return the persons in a CSV file, in its order, and what is to be told of it; or raise Unclear."""
    titles, rows = tables.read(path)
    columns = {what: next((t for t in known if t in titles), None) for what, known in COLUMNS.items()}
    if any(title.startswith("sis ") for title in titles) and "id" in titles:
        columns["canvas"] = "id"
        columns["id"] = None if columns["id"] == "id" else columns["id"]
    if not any(columns[what] for what in ("name", "last", "email", "id")):
        told = ", ".join(map(repr, titles[:8]))
        raise Unclear(f"{path}: no column is called name, id or email; there are {told}.")
    found, notes = {}, []
    for line, row in rows:
        person = _person(row, columns)
        if all(map(_NO_NAME.fullmatch, row.values())):
            continue
        if not person.name:
            raise Unclear(f"{path}, line {line}: there is neither a name nor an id nor an e-mail in it.")
        if _NO_PERSON.fullmatch(person.name):
            continue
        if astuple(person) in found:
            notes.append(f"{path}, line {line}: {person.name!r} stands there twice, and is counted once.")
        found.setdefault(astuple(person), (line, person))
    _each_once(path, found.values())
    return [person for _, person in found.values()], notes


def _person(row, columns):
    """Return the person in one row."""
    told = {what: row[column] for what, column in columns.items() if column}
    both = f"{told.get('first', '')} {told.get('last', '')}".strip()
    known = (told.get("name"), both, told.get("email"), told.get("id"))
    return Person(**told | {"name": next(filter(None, known), "")})


def _each_once(path, found):
    """Refuse a list in which two persons have one id, e-mail or login, or cannot be told apart."""
    for what in ("id", "email", "login", "canvas", "moodle", "key"):
        seen = {}
        for line, person in found:
            if not (value := getattr(person, what).casefold()):
                continue
            if value in seen:
                shown = "name, with nothing else to tell them apart," if what == "key" else what
                told = f"two persons have the {shown} {getattr(person, what)!r}"
                raise Unclear(f"{path}, lines {seen[value]} and {line}: {told}.")
            seen[value] = line


def veiled(person, secret):
    """Return a person with an id that says nothing of it, and is the same in every run with one secret."""
    key = person.key.casefold().encode("utf-8", "surrogateescape")
    return replace(person, veil="s" + hmac.new(secret.encode(), key, hashlib.sha256).hexdigest()[:10])


def plain(name):
    """Return a name without case, accents, spaces and signs, so that one can be found in another."""
    name = unicodedata.normalize("NFKD", name.encode("utf-8", "replace").decode()).casefold()
    return re.sub(r"[^\w@]|_", "", name)


def owners(persons, submissions):
    """Return a dict from each submission's name to those it fits; it is sure only where that is one person.

    It fits by a whole name, id or e-mail, without the sheet and the number that were added to it; the number
    tells persons of one name apart. Where names are joined by ", ", as in a group of Gradescope's, it belongs
    to all of them, and the value is a tuple.
    """
    known = {}
    for person in persons:
        for name in {plain(name) for name in person.names} - {""}:
            known.setdefault(name, {})[person.key] = person
    return {name: _fits(name, known) for name in submissions}


def _fits(name, known):
    """Return those whom a submission's name fits."""
    short = without_sheet(re.sub(r" \(submission_\d+\)$", "", name))
    if found := known.get(plain(short)):
        return [*found.values()]
    without, _, number = short.rpartition("_")
    parts = [known[plain(p)] for p in (without, number) if number.isdigit() and plain(p) in known]
    if parts:
        both = [key for key in parts[0] if all(key in part for part in parts)]
        return [parts[0][key] for key in both] or [
            *{k: p for part in parts for k, p in part.items()}.values()
        ]
    group = [known.get(plain(part), {}) for part in short.split(", ")]
    if len(group) > 1 and all(len(found) == 1 for found in group):
        return tuple(person for found in group for person in found.values())
    return []
