"""Reading of the policy of a term from `policy.toml`, with an error for any entry that is not valid."""

import re
import tomllib
from dataclasses import fields, replace
from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clearhead.checks import registry
from clearhead.errors import UserError

from .manual_grades import ManualExercise
from .policy import LatePolicy, Policy, SheetRule, TutorPolicy, TutorRule, at_local_time

KNOWN = {
    "time_zone",
    "count",
    "decimal_comma",
    "late",
    "follow_through",
    "sheets",
    "extensions",
    "handed_in",
    "waived",
    "manual",
    "tutor",
}
MOST_EXAMPLES = 2  # cases worked by hand that a tutor may show; more of them would reveal too much


def read(path):
    """Return the Policy in a file; raise a UserError that names the first entry that is wrong."""
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path} cannot be read ({type(error).__name__}).") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not TOML: {error}.") from None
    try:
        return policy_of(found)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def policy_of(found):
    """Return the Policy that a table of TOML describes."""
    _only(found, KNOWN, "the file")
    zone = _zone(found.get("time_zone", "UTC"))
    late = _late(found.get("late", {}), LatePolicy(), "[late]")
    count, followed = found.get("count", "last"), _table(found.get("follow_through", {}), "[follow_through]")
    _only(followed, {"cap"}, "[follow_through]")
    if count not in ("last", "best"):
        raise UserError(f'count must be "last" or "best", not {count!r:.40}.')
    sheets = {
        _number(name): _rule(rule, late, zone, f"[sheets.{name}]")
        for name, rule in _table(found.get("sheets", {}), "[sheets]").items()
    }
    extensions = {
        student: {_number(name, "all"): _longer(value, zone, f"[extensions] {student!r}") for name, value in
                  _table(given, f"[extensions] {student!r}").items()}
        for student, given in _table(found.get("extensions", {}), "[extensions]").items()
    }  # fmt: skip
    times = {
        student: {_number(name): _moment(value, zone, f"[handed_in] {student!r}", min) for name, value in
                  _table(given, f"[handed_in] {student!r}").items()}
        for student, given in _table(found.get("handed_in", {}), "[handed_in]").items()
    }  # fmt: skip
    waived = _waived(_table(found.get("waived", {}), "[waived]"))
    cap = followed.get("cap")
    cap = None if cap is None else _from_to(cap, 0, 100, "[follow_through] cap, in per cent,") / 100
    comma = found.get("decimal_comma", False)
    if not isinstance(comma, bool):
        raise UserError(f"decimal_comma must be true or false, not {comma!r:.40}.")
    tutor = _tutor(found.get("tutor", {}))
    return Policy(sheets, late, count, cap, extensions, waived, times, _manual(found), zone, tutor, comma)


def _tutor(found):
    """Return the TutorPolicy in a table: the general rule, and the rules of individual exercises."""
    rules = dict(_table(found, "[tutor]"))
    exercises = _table(rules.pop("exercises", {}), "[tutor.exercises]")
    general = _tutor_rule(rules, TutorRule(), "[tutor]")
    return TutorPolicy(
        general,
        {
            registry.exercise(id).id: _tutor_rule(rule, general, f"[tutor.exercises.{id!r}]")
            for id, rule in exercises.items()
        },
    )


def _tutor_rule(found, base, where):
    """Return the TutorRule in a table, in which missing entries are those of the rule `base`."""
    _only(_table(found, where), {f.name for f in fields(TutorRule)}, where)
    tries = found.get("hints_after", base.hints_after)
    if not isinstance(tries, list | tuple):
        raise UserError(f"{where} hints_after must be a list of numbers of tries, such as [1, 3].")
    tries = tuple(_whole(each, 0, 1000, f"{where} hints_after") for each in tries)
    if list(tries) != sorted(tries):
        raise UserError(f"{where} hints_after must not decrease, because hints are shown in order.")
    mistake = _whole(found.get("mistake_after", base.mistake_after), 0, 1000, f"{where} mistake_after")
    examples = _whole(found.get("examples", base.examples), 0, MOST_EXAMPLES, f"{where} examples")
    return TutorRule(tries, mistake, examples)


def _whole(value, least, most, where):
    """Return a value as an integer; raise UserError if it is not one or is outside the limits."""
    if _from_to(value, least, most, where) != int(value):
        raise UserError(f"{where} must be an integer, not {value!r:.40}.")
    return int(value)


def _waived(found):
    """Return a dict from the id of each waived exercise to "full" or "drop"."""
    made = {}
    for name, how in found.items():
        if how not in ("full", "drop"):
            raise UserError(
                f'[waived] {name}: "full" (all who handed in get its points) or "drop" (it counts for '
                f"nobody), not {how!r:.40}."
            )
        sheet_number = re.fullmatch(r"\d{1,2}", name)
        exercises = registry.sheet(_number(name)).exercises if sheet_number else [registry.exercise(name)]
        made |= {exercise.id: how for exercise in exercises}
    return made


def _manual(found):
    """Return a dict from the ids of manually marked exercises to ManualExercise."""
    made = {}
    for id, entry in _table(found.get("manual", {}), "[manual]").items():
        where = f"[manual.{id}]"
        _only(_table(entry, where), {"title", "points", "sheet", "bonus"}, where)
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", id):
            raise UserError(
                f"{where}: an id consists of lower-case letters, digits, - and _, such as explanation."
            )
        title, bonus = entry.get("title", id), entry.get("bonus", False)
        if not isinstance(title, str) or not title.strip():
            raise UserError(f"{where} title must be a string in quotes.")
        if not isinstance(bonus, bool):
            raise UserError(f"{where} bonus must be true or false, not {bonus!r:.40}.")
        if "points" not in entry and not bonus:
            raise UserError(f"{where} has no points: state the maximum, such as points = 10.")
        points = _from_to(entry.get("points", 0), 0, 1000, f"{where} points")
        sheet = _number(str(entry["sheet"])) if "sheet" in entry else ""
        made[id] = ManualExercise(id, title.strip(), points, sheet, bonus)
    return made


def _zone(name):
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        raise UserError(f"time_zone {name!r:.60} is unknown; a time zone looks like Europe/Berlin.") from None


def _late(found, base, where):
    """Return the LatePolicy in a table, in which missing entries are those of the policy `base`."""
    _only(_table(found, where), {f.name for f in fields(LatePolicy)}, where)
    limits = {"per_day": 100, "most": 100, "grace_minutes": 1e5, "free_days": 1000, "closed_after_days": 1e4}
    for name, value in found.items():
        _from_to(value, 0, limits[name], f"{where} {name}")
    if int(found.get("free_days", 0)) != found.get("free_days", 0):
        raise UserError(f"{where} free_days must be an integer.")
    return replace(base, **found)


def _rule(found, late, zone, where):
    """Return the SheetRule in a table, which may have its own cost of lateness, but no own free days."""
    _only(_table(found, where), {"due", "late", "name", "weight"}, where)
    if "free_days" in found.get("late", {}):
        raise UserError(f"{where} free_days are for the whole term: write them under [late].")
    due = None if "due" not in found else _moment(found["due"], zone, f"{where} due")
    name, weight = found.get("name", ""), found.get("weight", 1)
    if not isinstance(name, str):
        raise UserError(f"{where} name must be a string.")
    late = _late(found.get("late", {}), late, f"{where} late")
    return SheetRule(due, late, name, _from_to(weight, 0, 1000, f"{where} weight"))


def _moment(value, zone, where, pick=max):
    """Return a moment in the course's time zone; a date without a time means the end of that day.

    A time that clocks show twice is read in the student's favour, so `pick` is max for deadlines, and min for
    the times of hand-ins.
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time(23, 59, 59))
    if not isinstance(value, datetime):
        raise UserError(f"{where} must be a date or a time without quotes, such as 2026-10-12T18:00:00.")
    return value.astimezone(zone) if value.tzinfo else at_local_time(value, zone, pick)


def _longer(value, zone, where):
    """Return the value of an extension, which is a number of days or a moment."""
    if type(value) in (int, float):
        return _from_to(value, 0, 1000, where)
    return _moment(value, zone, where)


def _number(name, *others):
    if name in others:
        return name
    if not re.fullmatch(r"\d{1,2}", name) or name.zfill(2) not in registry.numbers():
        raise UserError(f"there is no sheet {name!r:.40}; the sheets are {', '.join(registry.numbers())}.")
    return name.zfill(2)


def _table(value, where):
    if not isinstance(value, dict):
        raise UserError(f"{where} must be a table, not {value!r:.40}.")
    return value


def _only(found, known, where):
    for name in found.keys() - known:
        raise UserError(
            f"{where} has the unknown entry {name!r:.40}; the known ones are {', '.join(sorted(known))}."
        )


def _from_to(value, least, most, where):
    if type(value) not in (int, float) or not least <= value <= most:
        raise UserError(f"{where} must be a number from {least:g} to {most:g}, not {value!r:.40}.")
    return value
