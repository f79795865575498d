"""The list of a class, as a CSV of any platform: who is in it, and whose a submission is."""

import csv
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from .policy_file import Unclear

#: What each column may be called, in lower case; the first that is there is taken.
COLUMNS = {
    "name": ("name", "full name", "student", "student name"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "id": ("sis user id", "sid", "student id", "id number", "student number", "number", "id"),
    "email": ("email", "e-mail", "email address", "e-mail address"),
    "login": ("sis login id", "login", "username", "user name"),
    "canvas": ("id",),
    "section": ("section", "sections", "group"),
}
_NO_PERSON = re.compile(r"\s*points possible|^\s*student, test$", re.I)


@dataclass(frozen=True)
class Person:
    """One person of a class; what the list does not tell is ""."""

    name: str
    id: str = ""
    email: str = ""
    login: str = ""
    canvas: str = ""  # the number that Canvas gives
    section: str = ""
    first: str = ""
    last: str = ""

    @property
    def names(self):
        """Return all that this person is called by, the surest first."""
        both = {f"{self.first} {self.last}".strip(), f"{self.last}{self.first}"}
        if "," in self.name:
            last, _, first = self.name.partition(",")
            both |= {f"{first.strip()} {last.strip()}", f"{last}{first}"}
        else:
            first, _, last = self.name.rpartition(" ")
            both |= {f"{last}{first}"}
        found = [self.id, self.email, self.login, self.canvas, self.email.partition("@")[0], self.name]
        return [name for name in [*found, *sorted(both)] if name]


def read(path):
    """Return the persons in a CSV file, in its order; raise Unclear where it is no list of persons."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Unclear(f"{path} cannot be read as UTF-8 ({type(error).__name__}).") from None
    try:
        dialect = csv.Sniffer().sniff(text.splitlines()[0], ",;\t")
    except (csv.Error, IndexError):
        dialect = csv.excel
    rows = csv.DictReader(text.splitlines(), dialect=dialect)
    titles = {(title or "").strip().lower(): title for title in rows.fieldnames or []}
    columns = {what: next((titles[t] for t in known if t in titles), None) for what, known in COLUMNS.items()}
    if not (columns["name"] or columns["last"] or columns["email"] or columns["id"]):
        told = ", ".join(map(repr, list(titles)[:8]))
        raise Unclear(f"{path}: no column is called name, id or email; there are {told}.")
    found = [_person(row, columns) for row in rows]
    found = [person for person in found if person.name and not _NO_PERSON.search(person.name)]
    _each_once(path, found)
    return found


def _person(row, columns):
    """Return the person in one row."""
    told = {what: (row.get(column) or "").strip() for what, column in columns.items() if column}
    told["name"] = (
        told.get("name")
        or f"{told.get('first', '')} {told.get('last', '')}".strip()
        or told.get("email")
        or told.get("id", "")
    )
    return Person(**told)


def _each_once(path, persons):
    """Refuse a list in which two persons have one id or one e-mail."""
    for what in ("id", "email"):
        seen = set()
        for person in persons:
            value = getattr(person, what).lower()
            if value and value in seen:
                raise Unclear(f"{path}: two persons have the {what} {value!r}.")
            seen.add(value)


def plain(name):
    """Return a name without case, accents, spaces and signs, so that one can find it in another."""
    name = unicodedata.normalize("NFKD", name.encode("utf-8", "replace").decode()).casefold()
    return re.sub(r"[^\w@]|_", "", name)


def owners(persons, submissions):
    """Return a dict from each submission's name to its persons: one, several for a group, none where unknown.

    A name is found whole, without the number that a platform adds, or by that number. What would fit two
    persons fits none.
    """
    known = {}
    for person in persons:
        for name in {plain(name) for name in person.names} - {""}:
            known.setdefault(name, []).append(person)
    known = {name: found[0] for name, found in known.items() if len(found) == 1}
    return {name: _owners(name, known) for name in submissions}


def _owners(name, known):
    """Return the persons that one submission belongs to."""
    short = re.sub(r" \((submission_\d+)\)$", "", name)
    without, _, number = short.rpartition("_")
    numbered = [number, without] if number.isdigit() else []
    for part in (short, *numbered, *(p.partition("-")[2] for p in numbered)):
        if part and (person := known.get(plain(part))):
            return [person]
    group = [known.get(plain(part)) for part in short.split(", ")]
    return group if len(group) > 1 and all(group) else []
