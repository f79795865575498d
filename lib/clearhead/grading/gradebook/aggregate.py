"""The combination of stored marks, roster, policy and manual grades into one gradebook, without marking."""

import re
from dataclasses import replace
from pathlib import Path

from clearhead.checks import registry
from clearhead.errors import UserError

from ..collect.naming import Origin
from ..run import store
from . import apply_policy, exports, manual_grades, policy_file, roster
from .manual_grades import ManualGrades
from .policy import Policy
from .roster import Person

FILES = {
    "roster": "roster.csv",
    "policy": "policy.toml",
    "manual_grades": "manual_grades.csv",
    "comments": "comments.toml",
}


#: The former names of files beside the marks, and their present names.
FORMER_FILES = {"by_hand.csv": "manual_grades.csv"}


def find_files(folder, given):
    """Return the paths of the files of a gradebook: the given ones, or else those beside the marks."""
    for former, name in FORMER_FILES.items():
        if (Path(folder) / former).is_file():
            raise UserError(
                f"{Path(folder) / former} was not read, because the file is now called {name}: rename it."
            )
    beside = {what: Path(folder) / name for what, name in FILES.items() if (Path(folder) / name).is_file()}
    return beside | {what: Path(path) for what, path in given.items() if path}


def read_files(files):
    """Return the Policy, the ManualGrades, the roster, and notes on them; raise UserError if invalid."""
    policy = policy_file.read(files["policy"]) if "policy" in files else Policy()
    bank = manual_grades.read_bank(files["comments"]) if "comments" in files else {}
    grades = ManualGrades()
    if "manual_grades" in files:
        grades = manual_grades.read(files["manual_grades"], bank, policy.manual)
    persons, notes = roster.read(files["roster"]) if "roster" in files else ([], [])
    return policy, grades, persons, notes


def _new_assignments(files, policy, columns):
    """Yield a sentence for each column whose title is missing in a Canvas export used as roster."""
    known = roster.assignments(files["roster"])
    if not known:
        return
    titles = ", ".join(map(repr, known[:SHOWN])) + ", ..." * (len(known) > SHOWN)
    known = {title.casefold() for title in known}
    place = files.get("policy", FILES["policy"])
    named = [number for number, rule in policy.sheets.items() if rule.name]
    for column in dict.fromkeys([*named, *columns]):
        title = exports.assignment_name(column, policy)
        if title.casefold() in known:
            continue
        entry = f"[manual.{column}] title" if column in policy.manual else f"[sheets.{column}] name"
        given = entry.startswith("[manual") or column in named
        why = (
            f"{place}: {entry} {title!r:.80} is not a column of {files['roster']}"
            if given
            else f"{place} has no {entry}"
        )
        yield f"{why}, so Canvas would make a new assignment. Its assignments are {titles}."


SHOWN = 5  # names that a message lists


class Gradebook:
    """The gradebook of a course, with `notes` for the instructor on what needs attention.

    The pseudonymous ids that may replace names are computed from the secret.
    """

    def __init__(self, folders, files, secret=""):
        self.notes, self.ignored_entries, self.places, self.origins, points, others = [], [], {}, {}, {}, 0
        self.worksheets = {}  # from each sheet to Moodle's number of each person in its assignment, by key
        self.withdrawn = []  # submissions of earlier runs that have marks
        self.sheets = {}  # by folder, the numbers of the sheets of its last run, whether marked or not
        for folder in map(Path, folders):
            for student, path in self._listed(folder):
                self.places.setdefault(student, []).append(path)
                marks = _loaded(path, student)
                others += any(re.match(r"Of \d+ notebooks for sheet", note) for note in marks["notes"])
                points |= {row["id"]: row["max_points"] for row in marks["exercises"]}
                self.sheets.setdefault(folder, set()).update(row["id"][:2] for row in marks["exercises"])
        sheets = set().union(*self.sheets.values())
        if not points and not sheets:
            raise UserError(
                f"There are no marks in {' or '.join(map(str, folders))}: run clearhead grade first."
            )
        graded = {id[:2] for id in points}
        points |= {
            e.id: manual_grades.points_of(e.id) for n in sheets - graded for e in registry.sheet(n).exercises
        }
        self.out_of = {
            number: {e.id: points[e.id] for e in registry.sheet(number).exercises if e.id in points}
            for number in registry.numbers() if number in graded | sheets
        }  # fmt: skip
        self.policy, self.given, self.roster, notes = read_files(files)
        self.doubts = {}  # by the key of a person: what was ignored and may concern them
        self.has_roster = "roster" in files
        self.notes += [
            f"{files['policy']}: [manual.{exercise.id}] belongs to sheet {exercise.sheet}, "
            "which was not graded here."
            for exercise in self.policy.manual.values()
            if exercise.sheet and exercise.sheet not in {*self.out_of, *self.policy.sheets}
        ]
        if others and "policy" in files:
            message = (
                f"{others} handed in more than once, and only the newest was marked: run clearhead grade"
            )
            self.notes.append(f"{message} again, with these rules, so that they can say which one counts.")
        self.notes += notes
        if "roster" in files:
            self.notes += _new_assignments(files, self.policy, self.columns)
        people = [*self._people(files)]
        self.people = [(roster.with_pseudonymous_id(who, secret), names, note) for who, names, note in people]
        self._known(files)
        for person, names, _ in self.people:
            self.notes += [
                f"{person.shown:.80} handed in under two names: {sentence}."
                for sentence in self._two_names(names)
            ]

    @property
    def columns(self):
        """The columns of the tables: the numbers of sheets, then the ids of exercises of the term."""
        return [*self.out_of, *(exercise.id for exercise in self.policy.manual_exercises())]

    def max_points(self, column):
        """Return the maximal points of a column: a sheet without its dropped exercises, or an exercise."""
        if column in self.policy.manual:
            return manual_grades.out_of([self.policy.manual[column]])
        points = self.out_of[column].items()
        checked = sum(out_of for id, out_of in points if self.policy.waived.get(id) != "drop")
        return checked + manual_grades.out_of(self.policy.manual_exercises(column))

    def _listed(self, folder):
        """Yield each submission of a folder with the path of its marks, even if the marks do not exist.

        These are the submissions of the last run over the class or, if there is no list of them, all that
        have marks.
        """
        kept = sorted(folder.glob("marks/*.json"))
        if not (folder / store.SUBMISSION_LIST).is_file():
            yield from ((_loaded(path)["student"], path) for path in kept)
            return
        found = _loaded(folder / store.SUBMISSION_LIST)
        listed = {each["student"]: each for each in found["submissions"]}
        paths = {name: folder / "marks" / f"{store.file_name(name)}.json" for name in listed}
        self.sheets[folder] = {*found.get("sheets", ())}
        self.origins |= {name: Origin.from_data(name, each) for name, each in listed.items()}
        if gone := {*kept} - {*paths.values()}:
            students = sorted(_loaded(path)["student"] for path in gone)
            names = ", ".join(students[:SHOWN])
            self.withdrawn += students
            self.notes.append(
                f"{folder}: marks of an earlier run do not count if the last run had no such submission. "
                f"That concerns {len(gone)}: {names}{', ...' * (len(gone) > SHOWN)}."
            )
        num_missing = sum(not path.exists() for path in paths.values())
        if num_missing or not found.get("finished", True):
            self.notes.append(
                f"{folder}: the last run did not finish the class; submissions without marks: {num_missing}. "
                "Run clearhead grade again with --resume, and without --shard."
            )
        yield from paths.items()

    def _people(self, files):
        """Yield each person and each submission without a sure owner, with submissions and a note."""
        # By the key of a person: the submissions that may be theirs, and those of an earlier run:
        self.possible_submissions, self.before = {}, {}
        if not self.has_roster:
            yield from ((Person(name), [name], "") for name in self.places)
            return
        owned, lost, fits = {person.key: [] for person in self.roster}, [], {}
        for persons, names in self._lists(files):
            origins = {name: self.origins.get(name, Origin(name)) for name in names}
            fits = roster.owners(persons, origins) | fits
        for name in self.places:
            fit = fits[name]
            if fit.note:
                lost.append((Person(name), [name], fit.note))
                for person in fit.persons:
                    self.possible_submissions.setdefault(person.key, []).append(name)
                continue
            for person in fit.persons:
                owned[person.key].append(name)
        for name, fit in roster.owners(self.roster, self.withdrawn).items():
            for person in fit.persons:
                self.before.setdefault(person.key, []).append(name)
        yield from ((person, owned[person.key], "") for person in self.roster)
        self.notes += [note for _, _, note in lost]
        yield from lost

    def _lists(self, files):
        """Yield the roster with the numbers of each assignment, and the submissions that belong to it.

        The numbers of Moodle's participants differ from one assignment to the next, so a folder whose
        roster.csv is a worksheet of Moodle is compared with the numbers of that worksheet.
        """
        main, names = files["roster"], {}
        for name, paths in self.places.items():
            for path in paths:
                names.setdefault(path.parent.parent, []).append(name)
        shared = []
        for folder, found in names.items():
            own = folder / FILES["roster"]
            other = roster.read(own)[0] if own.is_file() and not own.samefile(main) else []
            if any(person.moodle for person in other):
                persons = roster.with_numbers_of(self.roster, other)
                yield persons, found
            else:
                persons = self.roster
                shared += found
                if self._numbered_otherwise(found):
                    self.notes.append(
                        f"{folder}: none of Moodle's participant numbers in this assignment is in {main}, "
                        "because Moodle numbers the participants of each assignment anew. Save the grading "
                        f"worksheet of this assignment as {own}, and run this command again."
                    )
                    continue
            if len(self.sheets.get(folder, ())) == 1 and any(person.moodle for person in persons):
                numbers = {person.key: person.moodle for person in persons if person.moodle}
                (sheet,) = self.sheets[folder]
                self.worksheets[sheet] = self.worksheets.get(sheet, {}) | numbers
        yield self.roster, shared

    def _numbered_otherwise(self, names):
        """Return True if submissions have Moodle's numbers, but none that is in the class list."""
        owners = [self.origins[name] for name in names if name in self.origins]
        given = {owner.number for origin in owners if origin.platform == "moodle" for owner in origin.owners}
        known = {person.moodle.rpartition(" ")[2] for person in self.roster if person.moodle}
        return bool(known) and bool(given - {""}) and not given & known

    def _known(self, files):
        """Match the names in the policy and in the manual grades with persons.

        An entry that names nobody or two persons, or that contradicts another line, is ignored and reported.
        `doubts` maps the key of a person to sentences on ignored entries that may concern this person.
        """
        lookup, also = roster.Lookup(person for person, *_ in self.people), {}
        for name in {*self.policy.extensions, *self.policy.times}:
            called = lookup.called(name)
            if len(called) == 1:
                also.setdefault(called[0].key, []).append(name)
                continue
            why = _nobody_or_two(name, called)
            message = f"{files['policy']}: {why}, so the entries for this name were ignored."
            self.ignored_entries.append(message)
            self._doubt(called, f"a rule for {name!r:.60} was ignored, because {why}")
            self.policy = self.policy.without(name)
        self._assign_manual_grades(files, lookup, also)
        self.notes += self.ignored_entries
        self.notes += [
            f"{files['manual_grades']}, line {self.given.lines[student, id]}: {id} is waived by your rules, "
            "so these points do not count."
            for (student, id), (points, _) in self.given.marks.items()
            if points is not None and id in self.policy.waived
        ]
        self.people = [
            (replace(person, also=tuple(also.get(person.key, ()))), names, note)
            for person, names, note in self.people
        ]

    def _assign_manual_grades(self, files, lookup, also):
        """Assign each manual grade to the one person named on its line; ignore all other grades."""
        given, owners = self.given, {}
        for student, id in [*given.marks]:
            called = lookup.called(student)
            if len(called) != 1:
                given.ignore_lines([(student, id)], _nobody_or_two(student, called))
                continue
            owners.setdefault((called[0].key, id), []).append((student, id))
            also.setdefault(called[0].key, []).append(student)
        for keys in owners.values():
            if len(keys) > 1:
                named = " and ".join(f"{student!r:.60}" for student, _ in keys)
                given.ignore_lines(keys, f"{named} are one person, and each has a grade for {keys[0][1]}")
        for ignored in sorted(given.ignored, key=lambda ignored: ignored.lines):
            location = f"{files['manual_grades']}, {ignored.place}"
            self.ignored_entries.append(f"{location}: {ignored.why}, so {_this(ignored)} ignored.")
            for student in ignored.students:
                self._doubt(lookup.called(student), f"{location}: {ignored.why}, so {_this(ignored)} ignored")

    def _doubt(self, persons, sentence):
        for person in persons:
            self.doubts.setdefault(person.key, []).append(sentence)

    def records(self, anonymous=False):
        """Yield the Record of each person, one at a time, because all may not fit into memory.

        The order is that of the roster. If `anonymous` is true, it is that of the pseudonymous ids, because
        in the order of the roster, anyone who has the roster could tell who is who.
        """
        people = sorted(self.people, key=lambda each: each[0].pseudonymous_id) if anonymous else self.people
        for person, names, note in people:
            marks = [_loaded(path, name) for name in names for path in self.places[name]]
            grades = manual_grades.of(self.given.marks, person.names)
            record = apply_policy.apply(person, marks, self.policy, self.out_of, grades, note)
            notes = [self.origins[name].note for name in names if name in self.origins]
            elsewhere = self._elsewhere(person, record)
            notes += [
                f"{', '.join(sheets)}: perhaps handed in as {name!r:.80}"
                for name, sheets in elsewhere.items()
            ]
            record = _without_points(record, {sheet for sheets in elsewhere.values() for sheet in sheets})
            if not names:
                before = self.before.get(person.key, ())
                notes += [f"the marks of {name!r:.80} from an earlier run do not count" for name in before]
            notes += self.doubts.get(person.key, ())
            yield replace(
                record, to_review=(*self._two_names(names), *filter(None, notes), *record.to_review)
            )

    def _elsewhere(self, person, record):
        """Return a dict from submissions that may be a person's to the missing sheets that they contain."""
        found = {}
        for name in self.possible_submissions.get(person.key, ()):
            marks = [_loaded(path, name) for path in self.places[name]]
            sheets = {number for each in marks for number in apply_policy.attempts_of(each, self.out_of)}
            missing = [
                n for n in self.out_of if n in sheets and record.results[n].status == apply_policy.ABSENT
            ]
            if missing:
                found[name] = missing
        return found

    def _two_names(self, names):
        """Return a list with a sentence if one person handed in under two names in one run, else []."""
        folders = [path.parent for name in names for path in self.places[name]]
        if len({*names}) < 2 or len(folders) == len({*folders}):
            return []
        called = " and ".join(f"{name!r:.60}" for name in names)
        return [f"{called} belong to one person: rename or remove what does not, and grade again"]


def _nobody_or_two(name, called):
    """Return the reason why a name in an instructor's file does not identify exactly one person."""
    if not called:
        return f"nobody is called {name!r:.60}"
    return f"{len(called)} people are called {name!r:.60}; write {' or '.join(p.key for p in called)} instead"


def _this(ignored):
    return "these lines were" if len(ignored.lines) > 1 else "this line was"


def _without_points(record, sheets):
    """Return a record without points for sheets that may have been handed in under another name."""
    results = {
        sheet: replace(result, points=None) if sheet in sheets else result
        for sheet, result in record.results.items()
    }
    return replace(record, results=results)


def _loaded(path, student=""):
    """Return the marks in a file, or marks with the status UNMARKED if a student has none."""
    if student and not path.exists():
        return {"student": student, "status": apply_policy.UNMARKED, "notes": [], "exercises": []}
    try:
        return store.load_marks(path)
    except (OSError, ValueError) as error:
        raise UserError(
            f"{path} cannot be read ({type(error).__name__}): grade this submission again."
        ) from None
