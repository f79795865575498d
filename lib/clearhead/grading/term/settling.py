"""What counts: marks, rules, times and words by hand in; for each student and sheet, one result out."""

from dataclasses import dataclass, field
from datetime import datetime

from clearhead.grading.marks import BY_HAND, OWN, VOID

from . import policy as rules

ABSENT = "absent"


@dataclass(frozen=True)
class Attempt:
    """One hand-in of one sheet."""

    rows: tuple  # the marks of its exercises
    status: str  # "graded", "unreadable" or "grader_error"
    file: str = ""
    sha256: str = ""
    time: datetime | None = None
    notes: tuple = ()


@dataclass(frozen=True)
class Result:
    """What a student has for one sheet."""

    sheet: str
    status: str  # that of the attempt, or "absent"
    points: float | None = None  # what counts; None where somebody must look
    earned: float = 0  # before lateness
    out_of: float = 0
    lateness: rules.Lateness = field(default_factory=rules.Lateness)
    attempt: Attempt | None = None
    attempts: tuple = ()  # all hand-ins of this sheet, the first one first
    rows: tuple = ()


@dataclass(frozen=True)
class Record:
    """What a student has for the term."""

    person: object  # a roster.Person
    results: dict = field(default_factory=dict)  # number of a sheet -> Result
    submissions: tuple = ()  # the names that it handed in under
    known: bool = True  # whether it stands in the list of the class

    def total(self, policy):
        """Return the points of the term and those that could be had, each sheet with its weight.

        A sheet that somebody must look at counts in neither.
        """
        sure = [(policy.rule(n).weight, r) for n, r in self.results.items() if r.points is not None]
        return sum(w * r.points for w, r in sure), sum(w * r.out_of for w, r in sure)


def attempts_of(marks):
    """Return the hand-ins in the marks of one submission: from the number of a sheet to a list."""
    found = {}
    for number in marks.get("files", {}):
        before = marks.get("earlier", {}).get(number, [])
        now = {"file": marks["files"][number], "exercises": marks["exercises"], "notes": marks["notes"]}
        found[number] = [_attempt(each, number, marks["status"]) for each in (*reversed(before), now)]
    return found


def _attempt(told, number, status):
    """Return one hand-in of one sheet."""
    rows = tuple(row for row in told["exercises"] if row["id"].startswith(f"{number}."))
    if status != "grader_error":
        status = "unreadable" if any(row["status"] == "unreadable" for row in rows) else "graded"
    file = told["file"]
    time = datetime.fromisoformat(file["time"]) if file.get("time") else None
    return Attempt(rows, status, file["name"], file["sha256"], time, tuple(told["notes"]))


def settle(person, all_marks, policy, out_of, by_hand=(), known=True):
    """Return the Record of a student: a function of its marks, the rules, and what was said by hand.

    Parameters
    ----------
    person : Person
        The student.
    all_marks : list of dict
        The marks of all submissions of that student.
    policy : Policy
        The rules of the term.
    out_of : dict
        From the number of each sheet of the term to its points by exercise: {"05": {"05.qkv": 3, ...}, ...}.
    by_hand : dict
        From ids of exercises to (points or None, words).
    """
    by_hand, attempts = dict(by_hand), {}
    for marks in all_marks:
        for number, found in attempts_of(marks).items():
            attempts[number] = attempts.get(number, []) + found
    for found in attempts.values():
        found.sort(key=lambda attempt: attempt.time.timestamp() if attempt.time else 0)
    settled = {n: [_rows(a, policy, by_hand) for a in found] for n, found in attempts.items()}
    asked = {
        n: [(a.time, _sum(rows)) for a, rows in zip(found, settled[n], strict=True)]
        for n, found in attempts.items()
    }
    chosen = rules.choose(policy, person.names, asked)
    results = {}
    for number, exercises in out_of.items():
        if number in chosen:
            place, late = chosen[number]
            results[number] = _result(number, attempts[number], place, late, settled[number][place])
        else:
            results[number] = _absent(number, exercises, policy, by_hand)
    return Record(person, results, tuple(marks["student"] for marks in all_marks), known)


def _sum(rows):
    return sum(row["points"] for row in rows)


def _rows(attempt, policy, by_hand):
    """Return the marks of the exercises of one hand-in, as they count: by hand, void, or as marked."""
    return tuple(_row(row, policy.void.get(row["id"]), by_hand.get(row["id"])) for row in attempt.rows)


def _row(row, void, said):
    """Return the marks of one exercise, as they count, with the rule that gave them."""
    if void == "full":
        row = _void(row, "All get its points: this exercise does not count.", points=row["out_of"])
    elif void == "drop":
        row = _void(row, "This exercise does not count.", points=0, out_of=0)
    if said is None:
        return row
    points, words = said
    if points is None:
        return row | {"comment": words}
    told = f"Marked by hand: {points:g} of {row['out_of']:g} points."
    return row | {"points": points, "rule": BY_HAND, "rule_says": f"{told} {words}".strip(), "comment": words}


def _void(row, says, **changed):
    return row | {"rule": VOID, "rule_says": says} | changed


def _result(number, attempts, place, late, rows):
    """Return what a student has for a sheet that was handed in."""
    attempt, earned = attempts[place], _sum(rows)
    hand = all(row["rule"] in (BY_HAND, VOID) for row in rows)
    sure = attempt.status == "graded" or hand
    points = round(earned * late.keeps, 2) if sure else None
    out_of = sum(row["out_of"] for row in rows)
    return Result(number, attempt.status, points, earned, out_of, late, attempt, tuple(attempts), rows)


def _absent(number, exercises, policy, by_hand):
    """Return what a student has for a sheet that was not handed in; a mark by hand counts all the same."""
    none = {"status": "missing", "title": "", "points": 0, "own": 0, "rule": OWN, "rule_says": "", "says": ""}
    none |= {"follow_through": None, "mistake": "", "cases": []}
    rows = [none | {"id": id, "out_of": most} for id, most in exercises.items()]
    rows = tuple(_row(row, policy.void.get(row["id"]), by_hand.get(row["id"])) for row in rows)
    earned = sum(row["points"] for row in rows if row["rule"] == BY_HAND)
    rows = tuple(row | {"points": 0} if row["rule"] == VOID else row for row in rows)
    return Result(number, ABSENT, earned, earned, sum(row["out_of"] for row in rows), rows=rows)
