"""The policy of a term: when each sheet is due, what lateness costs, which exercises are waived.

Lateness depends only on times and rules, so moving a deadline requires another run, but no new marking.
"""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from math import ceil, inf

DAY = timedelta(days=1)


def format_time(time):
    """Return a time in the form "Sunday 25 October 2026, 17:30"."""
    return f"{time:%A} {time.day} {time:%B %Y, %H:%M}"


def at_local_time(time, zone, pick=max):
    """Return the moment at which clocks in a time zone show a given time.

    When clocks are put back, they show an hour twice: `pick` says whether the later moment is meant (max) or
    the earlier (min). When they are put forward, they skip an hour; a skipped time is moved by that hour.
    """
    both = [time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    return pick(both).astimezone(zone)


def days_after(moment, days):
    """Return the same wall-clock time a number of days later, even when clocks change in between."""
    if not days:
        return moment
    return at_local_time(moment.replace(tzinfo=None, fold=0) + days * DAY, moment.tzinfo)


@dataclass(frozen=True)
class LatePolicy:
    """The rules for late submissions: what each day costs, and which days are free."""

    grace_minutes: float = 0  # minutes after the deadline that do not count as late
    per_day: float = 0  # per cent of the points, for each day that has begun
    most: float = 100  # the largest deduction, in per cent of the points
    free_days: int = 0  # for the whole term: days that cost nothing, used where they are needed first
    closed_after_days: float | None = None  # a hand-in that comes later does not count


@dataclass(frozen=True)
class SheetRule:
    """The rules for one sheet."""

    due: datetime | None = None
    late: LatePolicy = LatePolicy()
    name: str = ""  # of its column in exports: what the platform calls the assignment
    weight: float = 1


@dataclass(frozen=True)
class Lateness:
    """The lateness of one hand-in according to the rules."""

    days: int = 0  # begun after the deadline, free or not
    free: int = 0  # of these, the free days that it uses
    factor: float = 1.0  # the part of its points that counts
    message: str = ""
    closed: bool = False  # whether it came after the sheet was closed


@dataclass(frozen=True)
class TutorRule:
    """The rule for what `clearhead tutor` shows of an exercise, and after how many different attempts."""

    hints_after: tuple = (1, 3)  # attempts before the first and second hint; the last hint is never shown
    mistake_after: int = 1  # attempts before a known mistake is named; the check itself may always be run
    examples: int = 1  # how many of the cases that were worked by hand may be shown


@dataclass(frozen=True)
class TutorPolicy:
    """The rules of `clearhead tutor`: one for all exercises, and others for individual ones."""

    general: TutorRule = TutorRule()
    exercises: dict = field(default_factory=dict)  # id -> TutorRule

    def rule(self, id):
        """Return the rule for an exercise."""
        return self.exercises.get(id, self.general)


@dataclass(frozen=True)
class Policy:
    """The rules of a term."""

    sheets: dict = field(default_factory=dict)  # number -> SheetRule
    late: LatePolicy = LatePolicy()
    count: str = "last"  # which of several hand-ins: "last" or "best"
    cap: float | None = None  # of follow-through marks, as a part of an exercise's points; None: as marked
    extensions: dict = field(default_factory=dict)  # student -> number of a sheet, or "all" -> days or a time
    waived: dict = field(default_factory=dict)  # id of an exercise -> "full" or "drop"
    times: dict = field(default_factory=dict)  # student -> number of a sheet -> when it was handed in
    manual: dict = field(default_factory=dict)  # id -> ManualExercise
    zone: tzinfo = UTC  # the course's: days are counted by its clock, and pages show its time
    tutor: TutorPolicy = TutorPolicy()
    decimal_comma: bool = False  # tables for a spreadsheet that writes 1,5, and separates cells by semicolons

    def without(self, name):
        """Return the policy without the extensions and the times that it states for a name."""
        extensions, times = (
            {who: told for who, told in each.items() if who != name} for each in (self.extensions, self.times)
        )
        return replace(self, extensions=extensions, times=times)

    def rule(self, number):
        """Return the rules for a sheet."""
        return self.sheets.get(number, SheetRule(late=self.late))

    def manual_exercises(self, number=""):
        """Return the manually marked exercises of a sheet, or those of the term if `number` is ""."""
        return [exercise for exercise in self.manual.values() if exercise.sheet == number]

    def time(self, number, names):
        """Return the time of a hand-in that the policy states instead of the file's time, or None."""
        return next((self.times[n][number] for n in names if number in self.times.get(n, {})), None)

    def due(self, number, names):
        """Return when a sheet is due for a student with these names (id, e-mail, ...), or None."""
        due = self.rule(number).due
        for name in names:
            given = self.extensions.get(name, {})
            longer = given.get(number, given.get("all"))
            if longer is not None and due is not None:
                return longer if isinstance(longer, datetime) else days_after(due, longer)
        return due


def days_late(handed_in, due, grace_minutes=0):
    """Return the number of days that have begun between deadline and hand-in; 0 within the grace period.

    Days are counted by the clock of the zone of `due`: whatever is handed in by the same time on the next
    calendar day is one day late, also on a day with 23 or 25 hours. Grace is in minutes that have passed.
    """
    if due is None or handed_in is None or not _later(handed_in, due, grace_minutes):
        return 0
    local = handed_in.astimezone(due.tzinfo)
    days = max(1, ceil((local.replace(tzinfo=None) - due.replace(tzinfo=None)) / DAY))
    while _later(handed_in, days_after(due, days)):
        days += 1
    while days > 1 and not _later(handed_in, days_after(due, days - 1)):
        days -= 1
    return days


def _later(moment, limit, grace_minutes=0):
    """Return True if a moment is later than a limit plus the minutes of grace, compared in UTC."""
    return moment.astimezone(UTC) > limit.astimezone(UTC) + timedelta(minutes=grace_minutes)


def lateness(handed_in, due, late, free_days):
    """Return the Lateness of a hand-in at a time (None if unknown), given the number of free days left."""
    days = days_late(handed_in, due, late.grace_minutes)
    if not days:
        if due is None or handed_in is None or not _later(handed_in, due):
            return Lateness()
        message = (
            f"Handed in within the {late.grace_minutes:g} minutes of grace after the deadline: not late."
        )
        return Lateness(message=message)
    if late.closed_after_days is not None:
        end = days_after(due, late.closed_after_days)
        if _later(handed_in, end, late.grace_minutes):
            closed = f"after the sheet was closed on {format_time(end)}"
            message = f"{_days(days)} late, {closed}, so it does not count."
            return Lateness(days, 0, 0.0, message, closed=True)
    free = min(days, free_days)
    taken = min((days - free) * late.per_day, late.most)
    used = f", {free} of them free" if free else ""
    cost = f"{taken:g} % of the points" if taken else "nothing"
    message = f"{_days(days)} late{used}, which costs {cost}."
    if days > 1 and not _later(handed_in, days_after(due, days - 1), late.grace_minutes):
        message += (
            f" The {late.grace_minutes:g} minutes of grace are for the deadline only, not for later days."
        )
    return Lateness(days, free, 1 - taken / 100, message)


def _days(count):
    return f"{count} day{'s' * (count != 1)}"


def choose(policy, names, attempts):
    """Return which hand-in of each sheet counts: a dict from number to (index in the list, Lateness).

    Parameters
    ----------
    policy : Policy
        The rules.
    names : list of str
        The names of the student: id, e-mail, name, as an extension may use any of them.
    attempts : dict
        From the number of a sheet to a list of (time, points), in the order of their times.
    """
    left, chosen = policy.late.free_days, {}

    def order(number):
        due = policy.due(number, names)
        return due.timestamp() if due else inf, number

    for number in sorted(attempts, key=order):
        due, late = policy.due(number, names), policy.rule(number).late
        found = [(lateness(time, due, late, left), points) for time, points in attempts[number]]
        open_ = [index for index, (late_result, _) in enumerate(found) if late_result.factor > 0] or [
            *range(len(found))
        ]
        if policy.count == "best":  # of two that are equal, the one that uses fewer free days, then the first
            index = max(open_, key=lambda p: (found[p][1] * found[p][0].factor, -found[p][0].free, -p))
        else:
            index = open_[-1]
        chosen[number] = index, found[index][0]
        left -= found[index][0].free
    return chosen
