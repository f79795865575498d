"""The application of the policy to marks, times and manual grades, with a result per student and sheet."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from clearhead.checks import registry

from ..mark.marks import MANUAL, OWN, WAIVED, with_follow_through
from ..write.grade_table import format_points
from . import manual_grades
from . import policy as rules

ABSENT, GRADED, UNREADABLE = "not handed in", "graded", "unreadable"
UNMARKED, TWICE = "not marked yet", "handed in under two names"
#: What a waived exercise, or several of them, count for.
WAIVED_MESSAGES = {
    "full": "Waived: everyone who handed in the sheet gets all points of {0}.",
    "drop": "Waived: {0} count{1} neither in your points nor in those that can be had.",
}
NOT_SURE = ("grader_error", "unprotected")  # statuses of submissions that the instructor must check


@dataclass(frozen=True)
class Attempt:
    """One hand-in of one sheet, with its marks."""

    rows: tuple  # the marks of its exercises
    status: str
    file: str = ""
    sha256: str = ""
    time: datetime | None = None
    notes: tuple = ()
    late: bool = False  # whether the platform marked it as late


@dataclass(frozen=True)
class Result:
    """The result of a student for one sheet."""

    sheet: str
    status: str  # that of the attempt, or "not handed in"
    points: float | None = None  # what counts; None where the instructor must check it
    earned: float = 0  # before lateness
    out_of: float = 0
    rows: tuple = ()
    messages: tuple = ()  # the rules that were applied, a sentence each
    attempt: Attempt | None = None  # the hand-in that counts, or would, if it came in time
    closed: bool = False  # whether it came after the sheet was closed, so that it does not count
    attempts: tuple = ()  # all hand-ins of this sheet, the first one first
    handed_in: datetime | None = None  # the attempt that counts, by the file or by the rules
    manual: tuple = ()  # what is marked by hand: the ManualGrade of each such exercise
    due: datetime | None = None  # for this student
    extension: str = ""  # the sentence on an extension of the deadline, where this student has one
    to_review: tuple = ()  # what the instructor must check, a sentence each


@dataclass(frozen=True)
class Record:
    """The results of a student for the term."""

    person: object  # a roster.Person
    results: dict = field(default_factory=dict)  # number of a sheet -> Result
    submissions: tuple = ()  # the names under which this person handed in
    note: str = ""  # why a submission fits nobody in the roster, or more than one person
    to_review: tuple = ()  # what else the instructor must check, a sentence each

    def total(self, policy):
        """Return the points of the term and the maximal points, as sums weighted by the weight of each sheet.

        A sheet that the instructor must check counts in neither.
        """
        sure = [(policy.rule(n).weight, r) for n, r in self.results.items() if r.points is not None]
        return round(sum(w * r.points for w, r in sure), 2), sum(w * r.out_of for w, r in sure)


def attempts_of(marks, out_of):
    """Return a dict from the number of each sheet to its hand-ins in one submission, oldest first."""
    files, status, found = marks.get("files", {}), marks["status"], {}
    if not files and status != GRADED:  # nothing in it can be read: each sheet could be in there
        files = {number: {} for number in out_of}
    for number in files:
        now = {"file": files[number], "exercises": marks["exercises"], "notes": marks["notes"]}
        before = marks.get("earlier", {}).get(number, [])
        found[number] = [_attempt(each, number, status, out_of) for each in (*reversed(before), now)]
    return found


def _attempt(hand_in, number, status, out_of):
    """Return the Attempt for one hand-in of one sheet."""
    rows = tuple(row for row in hand_in["exercises"] if row["id"].startswith(f"{number}."))
    rows = rows or tuple(_blank(out_of[number]))
    if status not in NOT_SURE and hand_in["file"]:
        status = UNREADABLE if any(row["status"] == "unreadable" for row in rows) else GRADED
    file = hand_in["file"]
    time = datetime.fromisoformat(file["time"]) if file.get("time") else None
    return Attempt(
        rows, status, file.get("name", ""), file.get("sha256", ""), time, tuple(hand_in["notes"]),
        file.get("late", False),
    )  # fmt: skip


def apply(person, all_marks, policy, out_of, manual=(), note=""):
    """Return the Record of a student, which depends only on marks, policy and manual grades.

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
    manual : dict
        From ids of exercises to (points or None, words).
    note : str
        The note of the record, for the instructor.
    """
    manual, attempts, results, called = dict(manual), {}, {}, {}
    for marks in all_marks:
        for number, found in attempts_of(marks, out_of).items():
            attempts[number] = attempts.get(number, []) + found
            called.setdefault(number, set()).add(marks["student"])
    for found in attempts.values():
        found.sort(key=lambda attempt: attempt.time.timestamp() if attempt.time else 0)
    counted = {n: [_rows(a.rows, policy, manual) for a in found] for n, found in attempts.items()}
    times_and_points = {
        n: [(policy.time(n, person.names) or a.time, _sum(rows)) for a, rows in pairs]
        for n, pairs in ((n, zip(found, counted[n], strict=True)) for n, found in attempts.items())
    }
    chosen = rules.choose(policy, person.names, times_and_points)
    of_sheet = {
        number: manual_grades.grades_for(policy.manual_exercises(number), manual) for number in (*out_of, "")
    }
    for number, exercises in out_of.items():
        due = policy.due(number, person.names)
        deadline = {"due": due, "extension": _extension(due, policy.rule(number).due)}
        if number in chosen:
            index, late = chosen[number]
            twice, extended = len(called[number]) > 1, bool(deadline["extension"])
            rows = counted[number][index]
            result = _result(number, attempts[number], index, late, rows, twice, extended)
            result = replace(result, messages=result.messages + _rule_messages(rows, policy))
            deadline["handed_in"] = times_and_points[number][index][0] if result.attempt else None
        else:
            result = _absent(number, exercises, policy, manual)
        results[number] = manual_grades.with_manual_grades(
            replace(result, **deadline), of_sheet[number], ABSENT
        )
    for mark in of_sheet[""]:
        results[mark.exercise.id] = _of_the_term(mark)
    to_review = tuple(f"not read: {name!r}" for marks in all_marks for name in marks.get("unread", ()))
    names = tuple(dict.fromkeys(marks["student"] for marks in all_marks))
    late = any(result.attempt and result.attempt.late for result in results.values())
    late = late or any(lateness.message for _, lateness in chosen.values())
    late = late or any(result.extension and result.attempt for result in results.values())
    if "late" in person.status.casefold() and not late:
        to_review += (f"the platform says “{person.status}”, but by your rules nothing was late",)
    return Record(person, results, names, note, to_review)


def _extension(due, usual):
    """Return the sentence about an extension, or "" if a sheet is due at the usual time."""
    if due == usual:
        return ""
    return f"Extension: due on {rules.format_time(due)} instead of {rules.format_time(usual)}."


def _of_the_term(mark):
    """Return the result of a student for a manually marked exercise of the term."""
    missing = manual_grades.WAITING if mark.is_missing else manual_grades.NO_BONUS
    status = GRADED if mark.points is not None else missing
    points, most = mark.points, manual_grades.out_of([mark.exercise])
    return Result(
        mark.exercise.id, status, points, points or 0, most, messages=(mark.message,), manual=(mark,)
    )


def _sum(rows):
    return sum(row["points"] for row in rows)


def _rows(rows, policy, manual):
    """Return the rows of one hand-in after caps, waivers and manual grades."""
    return tuple(
        _row(_capped(row, policy.cap), policy.waived.get(row["id"]), manual.get(row["id"])) for row in rows
    )


def _capped(row, cap):
    """Return the marks of one exercise with another cap on its follow-through marks, unless `cap` is None."""
    if cap is None or not (followed := row["follow_through"]):
        return row
    row = row | {"points": row["own_points"], "rule": OWN}
    keys = ("right_helpers", "uncapped_points", "status")
    return with_follow_through(row, *(followed[key] for key in keys), cap, followed["reason"])


def _row(row, waived, grade):
    """Return the marks of one exercise after a waiver or a manual grade, and which rule gave its points."""
    if waived:
        row = row | {"rule": WAIVED, "rule_message": WAIVED_MESSAGES[waived].format("this exercise", "s")}
        row = row | ({"points": row["max_points"]} if waived == "full" else {"points": 0, "max_points": 0})
    if grade is None:
        return row
    points, words = grade
    if points is None or waived:
        return row | {"comment": words}
    rule_message = f"Marked by hand: {format_points(points)} of {format_points(row['max_points'])} points."
    return row | {"points": points, "rule": MANUAL, "rule_message": rule_message, "comment": words}


def _rule_messages(rows, policy):
    """Return one sentence for each rule that changed the points given by the grader.

    A rule may concern one exercise, several, or the whole sheet.
    """
    waived = {row["id"]: policy.waived[row["id"]] for row in rows if row["rule"] == WAIVED}
    messages = [f"{row['id']}: {row['rule_message']}" for row in rows if row["rule"] == MANUAL]
    for rule in dict.fromkeys(waived.values()):
        ids = [id for id in waived if waived[id] == rule]
        if len(ids) == len(rows):
            messages.append(WAIVED_MESSAGES[rule].format("this sheet", "s"))
        else:
            words = ("this exercise", "s") if len(ids) == 1 else ("these exercises", "")
            messages.append(f"{', '.join(ids)}: {WAIVED_MESSAGES[rule].format(*words)}")
    return tuple(messages)


def _result(number, attempts, index, late, rows, twice, extended):
    """Return the Result for a sheet that was handed in; without a sure status, it may have no points."""
    attempt, earned = attempts[index], _sum(rows)
    status = TWICE if twice else attempt.status
    is_marked = (any if status == UNREADABLE else all)(row["rule"] == MANUAL for row in rows)
    points = round(earned * late.factor, 2) if status == GRADED or is_marked else None
    out_of = sum(row["max_points"] for row in rows)
    messages, to_review = (late.message,) if late.message and out_of else (), ()
    if attempt.late and not (late.message or extended):
        to_review = ("the platform calls it late, but by your rules it was on time",)
    if len(attempts) > 1 and points is not None and not late.closed:
        messages += (f"Hand-in {index + 1} of {len(attempts)} counts.",)
    return Result(
        number, status, points, earned, out_of, rows, messages,
        None if status == TWICE else attempt, late.closed, tuple(attempts), to_review=to_review,
    )  # fmt: skip


def _blank(exercises):
    """Return marks without points, for exercises that could not be marked."""
    none = {
        "status": "missing",
        "points": 0,
        "own_points": 0,
        "rule": OWN,
        "rule_message": "",
        "message": "",
        "cases": [],
    }
    none |= {"follow_through": None, "mistake": ""}
    titles = {id: registry.exercise(id).title for id in exercises}
    return [none | {"id": id, "title": titles[id], "max_points": most} for id, most in exercises.items()]


def _absent(number, exercises, policy, manual):
    """Return the result for a sheet that was not handed in, for which a manual grade still counts."""
    rows = _rows(_blank(exercises), policy, manual)
    rows = tuple(row | {"points": 0} if row["rule"] == WAIVED else row for row in rows)
    earned, out_of = _sum(rows), sum(row["max_points"] for row in rows)
    messages = tuple(f"{row['id']}: {row['rule_message']}" for row in rows if row["rule"] == MANUAL)
    return Result(number, ABSENT, earned, earned, out_of, rows, messages)
