"""Bring a term together: marks that were kept, the list of the class, the rules. Nothing is marked here."""

import json
import re
from pathlib import Path

from clearhead.checks import registry

from . import by_hand, policy_file, roster, settling
from .policy import Policy
from .roster import Person
from .tables import Unclear

FILES = {
    "roster": "roster.csv",
    "policy": "policy.toml",
    "by_hand": "by_hand.csv",
    "comments": "comments.toml",
}


def files_of(folder, given):
    """Return where the files of a term are: those given, else those that lie beside the marks."""
    beside = {what: Path(folder) / name for what, name in FILES.items() if (Path(folder) / name).is_file()}
    return beside | {what: Path(path) for what, path in given.items() if path}


def rules_of(files):
    """Return the rules, the marks by hand, the list of the class, and notes on them; raise Unclear."""
    policy = policy_file.read(files["policy"]) if "policy" in files else Policy()
    bank = by_hand.read_bank(files["comments"]) if "comments" in files else {}
    said = by_hand.read(files["by_hand"], bank) if "by_hand" in files else {}
    return policy, said, *(roster.read(files["roster"]) if "roster" in files else ([], []))


class Term:
    """What is known of a term. `told` are sentences for the instructor, of what needs a look.

    Of the secret come the ids that may stand in place of names.
    """

    def __init__(self, folders, files, secret=""):
        self.told, self.places, points, others = [], {}, {}, 0
        for path in (p for folder in folders for p in sorted(Path(folder).glob("marks/*.json"))):
            marks = _loaded(path)
            self.places.setdefault(marks["student"], []).append(path)
            others += any(re.match(r"Of \d+ notebooks for sheet", note) for note in marks["notes"])
            points |= {row["id"]: row["out_of"] for row in marks["exercises"]}
        if not self.places:
            raise Unclear(
                f"There are no marks in {' or '.join(map(str, folders))}: clearhead grade makes them."
            )
        graded = {id[:2] for id in points}
        self.out_of = {
            number: {e.id: points[e.id] for e in registry.sheet(number).exercises if e.id in points}
            for number in registry.numbers() if number in graded
        }  # fmt: skip
        self.policy, self.by_hand, self.listed, notes = rules_of(files)
        self.in_list = "roster" in files
        if others and "policy" in files:
            told = f"{others} handed in more than once, and only the newest was marked: run clearhead grade"
            self.told.append(f"{told} again, with these rules, so that they can say which one counts.")
        self.told += notes
        people = [*self._people()]
        self.people = [(roster.veiled(who, secret), names, note) for who, names, note in people]
        self._known(files)

    def most(self, number):
        """Return the points of a sheet, without exercises that were made void and dropped."""
        return sum(out_of for id, out_of in self.out_of[number].items() if self.policy.void.get(id) != "drop")

    def _people(self):
        """Yield each person with the submissions that it owns, and a note; nobody and nothing is left out."""
        if not self.in_list:
            yield from ((Person(name), [name], "") for name in self.places)
            return
        owned, lost = {person.key: [] for person in self.listed}, []
        for name, fits in roster.owners(self.listed, self.places).items():
            if len(fits) == 1 or isinstance(fits, tuple):
                for person in fits:
                    owned[person.key].append(name)
            else:
                both = " and ".join(f"{person.name} ({person.key})" for person in fits)
                note = f"fits {both} in the list" if fits else "fits nobody in the list"
                lost.append((Person(name), [name], f"The hand-in {name!r:.80} {note}."))
        yield from ((person, owned[person.key], "") for person in self.listed)
        self.told += [note for _, _, note in lost]
        yield from lost

    def _known(self, files):
        """Tell which names in rules and marks by hand are nobody's; refuse one that two persons bear."""
        said = [("policy", name) for name in (*self.policy.extensions, *self.policy.times)]
        said += [("by_hand", student) for student, _ in self.by_hand]
        for what, name in dict.fromkeys(said):
            called = [person for person, *_ in self.people if name in person.names]
            if len(called) > 1:
                both = " and ".join(person.key for person in called)
                raise Unclear(f"{files[what]}: {len(called)} persons are called {name!r:.60}: say {both}.")
            if not called:
                self.told.append(f"{files[what]}: nobody is called {name!r:.60}, so this was left aside.")

    def records(self):
        """Yield the Record of each person, one at a time: the marks of a large class fit into no memory."""
        for person, names, note in self.people:
            marks = [_loaded(path) for name in names for path in self.places[name]]
            said = by_hand.of(self.by_hand, person.names)
            yield settling.settle(person, marks, self.policy, self.out_of, said, note)


def _loaded(path):
    """Return marks from their file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unclear(
            f"{path} cannot be read ({type(error).__name__}): grade this submission again."
        ) from None
