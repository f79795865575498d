"""The rules of a term: when a sheet is due, what lateness costs, what is void.

What counts is a function of times and rules alone. So a deadline that moves needs another run, no marking.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """What lateness costs."""

    grace_minutes: float = 0  # so much is not late
    per_day: float = 0  # per cent of the points, for each day that has begun
    most: float = 100  # per cent, at most
    free_days: int = 0  # for the whole term: days that cost nothing, used where they are needed first
    closed_after_days: float | None = None  # what comes later does not count


@dataclass(frozen=True)
class Rule:
    """What holds for one sheet."""

    due: datetime | None = None
    late: Late = Late()
    name: str = ""  # of its column in exports: what the platform calls the assignment
    weight: float = 1


@dataclass(frozen=True)
class Lateness:
    """What the rules say of one hand-in."""

    days: int = 0  # begun after the deadline, free or not
    free: int = 0  # of these, the free days that it uses
    keeps: float = 1.0  # the part of its points that counts
    says: str = ""


@dataclass(frozen=True)
class Policy:
    """The rules of a term."""

    sheets: dict = field(default_factory=dict)  # number -> Rule
    late: Late = Late()
    count: str = "last"  # which of several hand-ins: "last" or "best"
    cap: float | None = None  # of follow-through marks, as a part of an exercise's points; None: as marked
    extensions: dict = field(default_factory=dict)  # student -> number of a sheet, or "all" -> days or a time
    void: dict = field(default_factory=dict)  # id of an exercise -> "full" or "drop"
    times: dict = field(default_factory=dict)  # student -> number of a sheet -> when it was handed in
    decimal_comma: bool = False  # tables for a spreadsheet that writes 1,5, and separates cells by semicolons

    def rule(self, number):
        """Return what holds for a sheet."""
        return self.sheets.get(number, Rule(late=self.late))

    def time(self, number, names):
        """Return when a student handed in a sheet, where the rules say so in place of the file; or None."""
        return next((self.times[n][number] for n in names if number in self.times.get(n, {})), None)

    def due(self, number, names):
        """Return when a sheet is due for a student of these names (its id, e-mail, ...), or None."""
        due = self.rule(number).due
        for name in names:
            given = self.extensions.get(name, {})
            longer = given.get(number, given.get("all"))
            if longer is not None and due is not None:
                return longer if isinstance(longer, datetime) else due + longer * DAY
        return due


def days_late(handed_in, due, grace_minutes=0):
    """Return how many days have begun between the deadline and a hand-in; 0 within the grace."""
    if due is None or handed_in is None or handed_in <= due + timedelta(minutes=grace_minutes):
        return 0
    return ceil((handed_in - due) / DAY)


def lateness(handed_in, due, late, free_days):
    """Return the Lateness of a hand-in at a time (None: not known), where so many free days are left."""
    days = days_late(handed_in, due, late.grace_minutes)
    if not days:
        return Lateness()
    closed = late.closed_after_days
    if closed is not None and handed_in > due + timedelta(minutes=late.grace_minutes) + closed * DAY:
        return Lateness(days, 0, 0.0, f"{_days(days)} late, after the sheet was closed: it does not count.")
    free = min(days, free_days)
    taken = min((days - free) * late.per_day, late.most)
    used = f", {free} of them free" if free else ""
    cost = f"{taken:g} % are" if taken else "nothing is"
    return Lateness(days, free, 1 - taken / 100, f"{_days(days)} late{used}: {cost} taken off.")


def _days(count):
    return f"{count} day{'s' * (count != 1)}"


def choose(policy, names, attempts):
    """Return which hand-in of each sheet counts, and its Lateness: number -> (place in the list, Lateness).

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
    never = datetime.max.replace(tzinfo=UTC)
    for number in sorted(attempts, key=lambda n: (policy.due(n, names) or never, n)):
        due, late = policy.due(number, names), policy.rule(number).late
        found = [(lateness(time, due, late, left), points) for time, points in attempts[number]]
        open_ = [place for place, (told, _) in enumerate(found) if told.keeps > 0] or [*range(len(found))]
        if policy.count == "best":  # of two that are equal, the one that uses fewer free days, then the first
            place = max(open_, key=lambda p: (found[p][1] * found[p][0].keeps, -found[p][0].free, -p))
        else:
            place = open_[-1]
        chosen[number] = place, found[place][0]
        left -= found[place][0].free
    return chosen
