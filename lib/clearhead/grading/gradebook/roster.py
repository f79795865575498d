"""The roster of a class, read from a CSV file of any platform, and the owners of submissions."""

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from dataclasses import astuple, dataclass, replace

from clearhead.errors import UserError

from ..collect.naming import Origin, Owner, without_sheet
from . import csv_reader

#: The titles that each column may have, in several languages; the first one that the file has is used. Case,
#: accents, spaces and punctuation do not matter.
COLUMNS = {
    "name": (
        "name", "full name", "student", "student name", "display name", "vollständiger name",
        "name, vorname", "nachname, vorname", "teilnehmer", "studierende", "studierender", "nom complet",
        "nom et prénom", "nom, prénom", "étudiant", "nombre completo", "apellidos y nombre",
        "apellidos, nombre", "estudiante", "alumno", "nome completo", "nome e cognome", "cognome e nome",
        "studente", "estudante", "aluno", "volledige naam", "naam", "namn", "navn", "imię i nazwisko",
    ),
    "first": (
        "first name", "firstname", "given name", "forename", "vorname", "vornamen", "rufname", "prénom",
        "prénoms", "nombre de pila", "primeiro nome", "voornaam", "roepnaam", "förnamn", "fornavn", "imię",
    ),
    "last": (
        "last name", "lastname", "surname", "family name", "nachname", "familienname", "zuname",
        "nom de famille", "apellidos", "apellido", "apellido(s)", "cognome", "sobrenome", "apelido",
        "achternaam", "familienaam", "efternamn", "etternavn", "efternavn", "nazwisko",
    ),
    "id": (
        "sis user id", "sid", "student id", "id number", "student number", "number", "id", "student no",
        "matriculation number", "matrikelnummer", "matrikel-nr.", "matr.-nr.", "matrnr", "matrikel",
        "id-nummer", "studierendennummer", "numéro d'étudiant", "numéro étudiant", "n° étudiant",
        "num étudiant", "numéro d'identification", "matricule", "número de identificación", "número de id",
        "número de matrícula", "número de estudiante", "matrícula", "expediente", "dni",
        "numero di matricola", "matricola", "codice id", "número de estudante", "número de aluno",
        "nº de aluno", "número de identificação", "studentnummer", "studienummer", "numer albumu",
    ),
    "email": (
        "email", "email address", "mail", "mail address", "e-mail-adresse", "mailadresse", "adresse e-mail",
        "adresse mail", "adresse de courriel", "adresse électronique", "courriel", "correo",
        "correo electrónico", "dirección de correo", "dirección de correo electrónico", "indirizzo email",
        "indirizzo di posta elettronica", "posta elettronica", "endereço de email", "endereço de e-mail",
        "correio eletrónico", "e-mailadres", "e-postadress", "e-postadresse", "adres e-mail",
    ),
    "login": (
        "sis login id", "login", "username", "user name", "login id", "benutzername", "anmeldename",
        "nutzername", "kennung", "identifiant", "nom d'utilisateur", "nombre de usuario", "usuario",
        "nome utente", "nome de usuário", "nome de utilizador", "utilizador", "gebruikersnaam",
        "användarnamn", "brukernavn", "brugernavn",
    ),
    "moodle": (
        "identifier", "id. number of the participant",
    ),
    "section": (
        "section", "sections", "group", "groups", "gruppe", "gruppen", "übungsgruppe", "groupe", "groupes",
        "grupo", "grupos", "gruppo", "gruppi", "turma", "sezione", "groep", "groepen", "grupp",
    ),
    "status": (
        "status",
    ),
}  # fmt: skip
#: Titles of the column of given names if there is one of family names, and otherwise of whole names.
_FIRST_OR_WHOLE = ("nombre", "nombre(s)", "nome")
#: Titles of the column of family names if there is one of given names, and otherwise of whole names.
_LAST_OR_WHOLE = ("nom",)
SHOWN = 6  # titles of columns that a message lists
LONGEST = 20  # words of a name; longer names are only found with their words in the same order
_NO_PERSON = re.compile(r"(points possible|student, test)\s*", re.I)  # rows of Canvas's own
_NO_NAME = re.compile(
    r"(muted|manual posting.*)?", re.I
)  # in a row of Canvas's own, of assignments not posted
#: The columns of a roster that may hold the numbers of each platform, its own column first.
NUMBERS = {
    "canvas": ("canvas", "id", "login"),
    "moodle": ("moodle", "id", "login"),
    "gradescope": ("id", "login", "canvas"),
    "": ("id", "login", "canvas", "moodle"),  # a name with a number at its end
}
OWN = {("canvas", "canvas"), ("moodle", "moodle")}  # these columns hold only the platform's own numbers


@dataclass(frozen=True)
class Person:
    """One person of a class; fields that the roster lacks are ""."""

    name: str
    id: str = ""
    email: str = ""
    login: str = ""
    canvas: str = ""  # the number that Canvas gives
    moodle: str = ""  # such as "Participant 4711"
    section: str = ""
    first: str = ""
    last: str = ""
    status: str = ""  # what the platform says of the submission, such as "Submitted for grading"
    pseudonymous_id: str = ""  # the id that replaces the name in anonymous tables
    also: tuple = ()  # the names of this person in the instructor's files
    distinction: str = ""  # the platform's number, where nothing else distinguishes people of one name

    @property
    def names(self):
        """Return all names of this person, the most certain first."""
        found = [*self.identifiers, *self.also, self.name]
        found += [f"{self.first} {self.last}", f"{self.last} {self.first}"]
        last, comma, first = self.name.partition(",")
        if not comma:
            first, _, last = self.name.rpartition(" ")
        found += [f"{first.strip()} {last.strip()}", f"{last.strip()} {first.strip()}"]
        return [name for name in dict.fromkeys(name.strip() for name in found) if name]

    @property
    def identifiers(self):
        """Return the ids and addresses of this person, which should be unique in a roster."""
        found = [self.id, self.email, self.login, self.canvas, self.moodle, self.moodle.rpartition(" ")[2]]
        found += [self.email.partition("@")[0], self.login.partition("@")[0], self.pseudonymous_id]
        return [*dict.fromkeys(filter(None, found))]

    @property
    def key(self):
        """Return the key that distinguishes this person from all others."""
        return self.id or self.email or self.login or self.distinction or self.name

    @property
    def shown(self):
        """Return the name with the key, for messages."""
        return self.name if self.key == self.name else f"{self.name} ({self.key})"


def read(path):
    """Return the persons in a CSV file, in its order, and notes on the file; or raise UserError."""
    titles, rows = csv_reader.read(path)
    columns = _columns(titles, rows)
    if not any(columns[what] for what in ("name", "first", "last", "email", "id")):
        titles_found = ", ".join(map(repr, titles[:8]))
        known = "; ".join(f"{what}: {', '.join(COLUMNS[what])}" for what in ("name", "last", "id", "email"))
        titles_found = f"{path}: no column is called name, id or email; there are {titles_found}."
        raise UserError(f"{titles_found} Give one of the columns a known title. {known}.")
    found, notes = {}, []
    for line, row in rows:
        person = _person(row, columns)
        if all(map(_NO_NAME.fullmatch, row.values())):
            continue
        if not person.name:
            raise UserError(f"{path}, line {line}: it has neither a name nor an id nor an e-mail address.")
        if _NO_PERSON.fullmatch(person.name):
            continue
        if astuple(person) in found:
            notes.append(f"{path}, line {line}: {person.name!r} is there twice, and counts once.")
        found.setdefault(astuple(person), (line, person))
    persons = _distinguished(found.values())
    _each_once(path, persons)
    if unused := _unused(titles, columns):
        shown = ", ".join(map(repr, unused[:SHOWN])) + ", ..." * (len(unused) > SHOWN)
        used = ", ".join(f"{title!r} ({what})" for what, title in columns.items() if title)
        notes.append(f"{path}: columns with unknown titles are not used: {shown}. The used ones are {used}.")
    return [person for _, person in persons], notes


def assignments(path):
    """Return the assignment titles of a roster that is an export of Canvas, or [] for any other roster."""
    titles = csv_reader.titles(path)
    known = [title.lower() for title in titles]
    if not _from_canvas(known):
        return []
    return titles[known.index("section") + 1 :] if "section" in known else []


def _from_canvas(titles):
    """Return True if the titles are those of an export of the Canvas gradebook."""
    return "id" in titles and any(title.startswith("sis ") for title in titles)


def _unused(titles, columns):
    """Return the unknown titles of a roster, or [] if it is an export of a platform."""
    if _from_canvas(titles) or columns["moodle"]:
        return []
    used = {*filter(None, columns.values()), "role"}  # of Gradescope's roster
    return [title for title in titles if title and title not in used]


def _columns(titles, rows):
    """Return a dict from each field of a Person to the title of its column, or None if there is none."""
    by_key = {_title(title): title for title in reversed(titles)}
    found = {
        what: next((by_key[key] for key in map(_title, known) if key in by_key), None)
        for what, known in COLUMNS.items()
    }
    if _from_canvas(titles):
        found["canvas"] = "id"
        found["id"] = None if found["id"] == "id" else found["id"]
    for what, other, either in (("first", "last", _FIRST_OR_WHOLE), ("last", "first", _LAST_OR_WHOLE)):
        column = next((by_key[key] for key in map(_title, either) if key in by_key), None)
        if column and not found[what]:
            found[what if found[other] else "name"] = column
    if found["name"] and found["first"] and not found["last"]:  # the whole name, or the family's only?
        pairs = [(_words(row[found["name"]]), _words(row[found["first"]])) for _, row in rows]
        if not all({*first} <= {*name} for name, first in pairs):
            found["last"], found["name"] = found["name"], None
    return found


def _title(title):
    """Return a title in lower case, without accents, spaces and punctuation."""
    return "".join(filter(str.isalnum, bare(_folded(title))))


def _person(row, columns):
    """Return the Person in one row."""
    values = {what: row[column] for what, column in columns.items() if column}
    both = f"{values.get('first', '')} {values.get('last', '')}".strip()
    known = (values.get("name"), both, values.get("email"), values.get("id"))
    return Person(**values | {"name": next(filter(None, known), "")})


def with_numbers_of(persons, worksheet):
    """Return the persons of a class with the numbers that another worksheet of Moodle gives them.

    Moodle numbers its participants anew in every assignment. A person is recognised by the id, the e-mail
    address or the login, or else by a name that is there once in both lists; a person who is not in the
    worksheet has no number.
    """
    numbers = {}
    for what in ("id", "email", "login", "name"):
        ours, theirs = _by_value(persons, what), _by_value(worksheet, what)
        for value in ours.keys() & theirs.keys():
            if len(ours[value]) == len(theirs[value]) == 1:
                numbers.setdefault(ours[value][0].key, theirs[value][0].moodle)
    return [replace(person, moodle=numbers.get(person.key, "")) for person in persons]


def _by_value(persons, what):
    """Return a dict from each folded id, address, login or name to the persons who have it."""
    found = {}
    for person in persons:
        value = getattr(person, what)
        if value := " ".join(sorted(_words(value))) if what == "name" else _folded(value).strip():
            found.setdefault(value, []).append(person)
    return found


def _distinguished(found):
    """Return pairs of line and person; persons with equal keys get the platform's numbers in addition."""
    times = Counter(person.key.casefold() for _, person in found)
    return [
        (line, replace(person, distinction=person.canvas or person.moodle))
        if times[person.key.casefold()] > 1
        else (line, person)
        for line, person in found
    ]


def _each_once(path, found):
    """Raise UserError if two persons share an id, e-mail or login, or cannot be distinguished."""
    for what in ("id", "email", "login", "canvas", "moodle", "key"):
        seen = {}
        for line, person in found:
            if not (value := getattr(person, what).casefold()):
                continue
            if value in seen:
                shown = "name, with nothing else to tell them apart," if what == "key" else what
                message = f"two people have the {shown} {getattr(person, what)!r}"
                raise UserError(f"{path}, lines {seen[value]} and {line}: {message}.")
            seen[value] = line


def with_pseudonymous_id(person, secret):
    """Return a person with a pseudonymous id, which is the same in all runs with the same secret."""
    key = person.key.casefold().encode("utf-8", "surrogateescape")
    digest = hmac.new(secret.encode(), key, hashlib.sha256).hexdigest()
    return replace(person, pseudonymous_id=f"s{digest[:10]}")


# names -----------------------------------------------------------------------------------------------------


def _folded(text):
    """Return a string without differences of case, width and composition; "ı" and "İ" become "i"."""
    text = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode()).casefold()
    return unicodedata.normalize("NFKC", text.replace("i\u0307", "i").replace("ı", "i"))


def bare(text):
    """Return a folded string without the accents of Latin letters.

    Marks of other scripts stay: in Hindi, Thai or Arabic they are vowels, and another vowel is another name.
    """
    kept, latin = [], False
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.combining(character) or unicodedata.category(character).startswith("M"):
            kept += [] if latin else [character]
        else:
            latin = unicodedata.name(character, "").startswith("LATIN")
            kept.append(_PLAIN.get(character, character))
    return unicodedata.normalize("NFC", "".join(kept))


_PLAIN = {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"}


#: Characters that the name of a file cannot have on some system. Tools and people that save "Kim A/S" as a
#: file leave them out, or write a space, "-" or "_" instead.
_NOT_IN_FILES = re.compile(r'[/\\:*?"<>|]')


def _forms(name):
    """Return the lists of words of a name: as written, and without the characters that files cannot have."""
    return [words for text in (name, _NOT_IN_FILES.sub(" ", name)) if (words := _words(text))]


def _words(name):
    """Return the folded words of a name: letters, digits and the marks that combine with them."""
    words = re.split(r"[\s,;_.\-\u2010-\u2015\u00b7\u30fb]+", _folded(name))
    words = ("".join(c for c in word if c.isalnum() or unicodedata.category(c)[0] == "M") for word in words)
    return [word for word in words if word]


class Lookup:
    """A lookup of persons by id, address or name.

    The words of a name may be rotated, as in "Lovelace, Ada", and apostrophes may be missing. A name that is
    written without any accents matches one with accents, but names with different accents do not match.
    """

    def __init__(self, persons):
        self._texts, self._marks, self._exact, self._bare = {}, {}, {}, {}
        for person in persons:
            for text in person.names:
                self._texts.setdefault(text, {})[person.key] = person
            for mark in person.identifiers:
                self._marks.setdefault(_folded(mark).strip(), {})[person.key] = person
            for words in (
                form for name in (person.name, f"{person.first} {person.last}") for form in _forms(name)
            ):
                for turn in range(len(words) if len(words) <= LONGEST else 1):
                    turned = words[turn:] + words[:turn]
                    for form in {(True, "".join(turned)), (False, " ".join(turned))}:
                        self._exact.setdefault(form, {})[person.key] = person
                        self._bare.setdefault((form[0], bare(form[1])), {})[form[1], person.key] = person

    def identified(self, text):
        """Return a dict, by key, of the persons with this id or address."""
        return self._marks.get(_folded(text).strip(), {})

    def named(self, name, glued=False):
        """Return a dict, by key, of the persons with this name; `glued` names from Canvas have no spaces."""
        forms = [(glued or len(words) == 1, words) for words in _forms(name)]
        forms = [(whole, ("" if whole else " ").join(words)) for whole, words in forms]
        if found := next(filter(None, map(self._exact.get, forms)), None):
            return found
        for whole, form in forms:
            near = self._bare.get((whole, bare(form)), {})
            if found := {k: person for (other, k), person in near.items() if bare(form) in (form, other)}:
                return found
        return {}

    def called(self, text):
        """Return the persons with this id, address or name; exact matches take precedence."""
        found = self._texts.get(text.strip()) or self.identified(text) | self.named(text)
        return [*found.values()]


# owners ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnerMatch:
    """The persons whom a submission matches; it belongs to them if there is no note."""

    persons: tuple = ()
    note: str = ""


def owners(persons, origins):
    """Return a dict from each submission to its OwnerMatch.

    Parameters
    ----------
    persons : list of Person
        The list of the class.
    origins : dict or collection
        From the name of each submission to its Origin, or a collection of only the names.

    A submission of which only the name is known matches by a whole id, address or name. If a platform named
    it, the name and the platform's number are compared separately, because a student can choose the name, but
    not the number. Both have to agree as far as the roster has them. A number without a name decides only in
    the platform's own column of the roster, or in a column where numbers and names agree elsewhere in the
    class.
    """
    if not isinstance(origins, dict):
        origins = {name: Origin(name) for name in origins}
    compared = Owners(persons, origins.values())
    return {name: compared.of(origin) for name, origin in origins.items()}


class Owners:
    """The roster, compared with all submissions of the class, to find the persons who made them."""

    def __init__(self, persons, origins):
        self.lookup = Lookup(persons)
        self.agreed = {*OWN}  # pairs (platform, column) that hold the platform's numbers
        for origin in origins:
            for owner in origin.owners if origin.platform else ():
                for person in self._named(owner, origin.platform).values():
                    columns = self._columns(origin.platform, owner, person)
                    self.agreed |= {(origin.platform, column) for column in columns}

    def of(self, origin):
        """Return the OwnerMatch of one submission."""
        if not origin.owners:
            return self._of_name(origin)
        found = [self._of_owner(owner, origin.platform) for owner in origin.owners]
        persons = {person.key: person for fit in found for person in fit.persons}
        for other in origin.others:
            if (hit := self._numbered(other, origin.platform)).keys() - persons.keys():
                return _sentence_on(origin, (persons | hit).values())
        if notes := [fit.note for fit in found if fit.note]:
            return _sentence_on(origin, persons.values(), notes[0] if len(found) == 1 else "")
        return OwnerMatch((*persons.values(),))

    def _of_name(self, origin):
        """Return the OwnerMatch of a submission of which only the name is known."""
        short = without_sheet(re.sub(r" \(submission_\d+\)$", "", origin.student))
        whole_name = self.lookup.identified(short) | self.lookup.named(short)
        before, _, number = short.rpartition("_")
        if not whole_name and number.isdigit():
            fit = self._of_owner(Owner(before, number), "")
            return _sentence_on(origin, fit.persons, fit.note) if fit.note else fit
        return (
            OwnerMatch((*whole_name.values(),))
            if len(whole_name) == 1
            else _sentence_on(origin, whole_name.values())
        )

    def _of_owner(self, owner, platform):
        """Return the OwnerMatch of one person whom a platform named; its note is the end of a sentence."""
        named = self._named(owner, platform)
        evidence = [named, self._numbered(owner, platform), self._addressed(owner)]
        everyone = {key: person for each in evidence for key, person in each.items()}
        agree = [person for key, person in everyone.items() if all(key in each for each in evidence if each)]
        if len(agree) != 1:
            return OwnerMatch((*everyone.values(),), _fits(everyone.values()))
        (person,) = agree
        columns = {*self._columns(platform, owner, person)}
        sure = {column for column in columns if column == "email" or (platform, column) in self.agreed}
        if not named and not sure and not _part_of(owner.name, person.name):
            return OwnerMatch((person,), f"has a number of {person.shown}, but another name")
        if named and self._contradicts(owner, platform, person, columns):
            return OwnerMatch((person,), f"has the name of {person.shown}, but another number or address")
        return OwnerMatch((person,))

    def _named(self, owner, platform):
        """Return a dict, by key, of the persons with the name of an Owner."""
        return self.lookup.named(owner.name, glued=platform == "canvas") if owner.name else {}

    def _numbered(self, owner, platform):
        """Return a dict, by key, of the persons with an Owner's number, first by the platform's column."""
        known = self.lookup.identified(owner.number) if owner.number else {}
        found = {key: {*self._columns(platform, owner, person)} for key, person in known.items()}
        own_columns = [
            key for key, columns in found.items() if any((platform, column) in OWN for column in columns)
        ]
        return {
            key: known[key]
            for key, columns in found.items()
            if (key in own_columns if own_columns else columns)
        }

    def _addressed(self, owner):
        """Return a dict, by key, of the persons with the e-mail address of an Owner."""
        known = self.lookup.identified(owner.email) if owner.email else {}
        address = _folded(owner.email)
        return {key: p for key, p in known.items() if address in (_value(p, "email"), _value(p, "login"))}

    def _columns(self, platform, owner, person):
        """Yield the columns of a roster in which a person has the number or the address of an Owner."""
        for column, value in _given(platform, owner):
            if _value(person, column) == value:
                yield column

    def _contradicts(self, owner, platform, person, columns):
        """Return True if a person's known number or address differs from that of an Owner."""
        numbered = columns - {"email"}
        return any(
            _value(person, column) not in ("", value)
            for column, value in _given(platform, owner)
            if (platform, column) in (OWN if numbered and column != "email" else self.agreed)
        )


def _part_of(name, whole):
    """Return True if all words of a name are in another one, as "Ada" is in "Lovelace, Ada"."""
    given, known = ({bare(word) for word in _words(each)} for each in (name, whole))
    return bool(given) and given <= known


def _given(platform, owner):
    """Return pairs of a column of a roster and the folded value that an Owner would have there."""
    number, address = _folded(owner.number).strip(), _folded(owner.email).strip()
    found = [(column, number) for column in NUMBERS[platform]] if number else []
    return found + ([("email", address)] if address else [])


def _value(person, column):
    """Return a person's number or address in case-folded form; for "Participant 4711", only the number."""
    value = getattr(person, column)
    return _folded(value.rpartition(" ")[2] if column == "moodle" else value).strip()


def _fits(persons):
    """Return the end of the sentence that says whom a submission matches."""
    both = " and ".join(f"{person.name} ({person.key})" for person in persons)
    return f"matches {both} in the list" if both else "matches nobody in the list"


def _sentence_on(origin, persons, why=""):
    """Return the OwnerMatch of a submission that cannot be assigned with certainty."""
    persons = tuple(persons)
    return OwnerMatch(persons, f"The hand-in {origin.student!r:.80} {why or _fits(persons)}.")
