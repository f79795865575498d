"""The rules of a term: a pure function of times and rules, read from one file that says no to nonsense."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearhead.errors import UserError
from clearhead.grading.gradebook.policy import (
    Lateness,
    LatePolicy,
    Policy,
    SheetRule,
    choose,
    days_late,
    lateness,
)
from clearhead.grading.gradebook.policy_file import policy_of, read

DUE = datetime(2026, 10, 12, 18, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("after", "days"),
    [(-DAY, 0), (0 * DAY, 0), (15 * MINUTE, 0), (16 * MINUTE, 1), (DAY, 1), (DAY + MINUTE, 2), (9 * DAY, 9)],
)
def test_started_days_count_and_grace_is_not_late(after, days):
    """A day counts when it has begun and grace is not late."""
    assert days_late(DUE + after, DUE, 15) == days


BERLIN = ZoneInfo("Europe/Berlin")
PUT_BACK, PUT_FORWARD = "2026-10-24T18:00:00", "2027-03-27T18:00:00"  # the day before clocks change


def course(due, **others):
    """Return the rules of a course in Berlin with one sheet."""
    return policy_of({"time_zone": "Europe/Berlin", "sheets": {"05": {"due": others.pop("at", None) or
                      datetime.fromisoformat(due)}}, **others})  # fmt: skip


@pytest.mark.parametrize(
    ("due", "handed_in", "days"),
    [
        (PUT_BACK, "2026-10-24T16:00:00+00:00", 0),
        (PUT_BACK, "2026-10-24T16:00:02+00:00", 1),
        (PUT_BACK, "2026-10-25T16:30:00+00:00", 1),  # Sunday 17:30, 24.5 hours later
        (PUT_BACK, "2026-10-25T16:59:00+00:00", 1),
        (PUT_BACK, "2026-10-25T17:01:00+00:00", 2),
        (PUT_BACK, "2026-10-26T16:59:00+00:00", 2),
        (PUT_FORWARD, "2027-03-28T15:59:00+00:00", 1),  # Sunday 17:59, 22.98 hours later
        (PUT_FORWARD, "2027-03-28T16:01:00+00:00", 2),  # Sunday 18:01, 23.02 hours later
        ("2026-10-24", "2026-10-25T22:59:00+00:00", 1),  # a date alone: Sunday 23:59, 25 hours later
        ("2026-10-24", "2026-10-25T23:00:00+00:00", 2),
        ("2026-10-24T18:00:00+02:00", "2026-10-25T16:59:00+00:00", 1),  # the same with its own zone
        ("2026-10-24T16:00:00+00:00", "2026-10-25T16:59:00+00:00", 1),
        ("2026-10-24T02:30:00", "2026-10-25T01:30:00+00:00", 1),  # the second 02:30 on Sunday
        ("2026-10-24T02:30:00", "2026-10-25T01:30:02+00:00", 2),
        ("2026-10-25T02:30:00", "2026-10-25T01:30:00+00:00", 0),  # shown twice: the later one is meant
        ("2027-03-27T02:30:00", "2027-03-28T01:30:00+00:00", 1),  # skipped on Sunday: 03:30
    ],
)
def test_late_days_are_counted_by_the_clock_of_the_course(due, handed_in, days):
    """The hour of Python's file times is UTC; `[handed_in]` is in the course's zone; both count alike."""
    time = datetime.fromisoformat(handed_in)
    parsed = date.fromisoformat(due) if len(due) == 10 else datetime.fromisoformat(due)
    rules = {"at": parsed, "handed_in": {"ada": {"05": time}}}
    policy = course(due, **rules)
    assert days_late(time, policy.due("05", ["ada"])) == days
    assert days_late(policy.time("05", ["ada"]), policy.due("05", ["ada"])) == days
    naive = time.astimezone(BERLIN).replace(tzinfo=None)
    if len({BERLIN.utcoffset(naive.replace(fold=fold)) for fold in (0, 1)}) == 1:  # shown once
        told = course(due, at=parsed, handed_in={"ada": {"05": naive}})
        assert days_late(told.time("05", ["ada"]), told.due("05", ["ada"])) == days


def test_grace_closing_and_extensions_keep_the_clock_when_it_changes():
    due = course(PUT_BACK).due("05", [])
    assert days_late(datetime(2026, 10, 25, 16, 59, tzinfo=UTC), due, 15) == 1
    assert days_late(due + 15 * MINUTE, due, 15) == 0
    late = LatePolicy(per_day=10, closed_after_days=1)
    assert lateness(datetime(2026, 10, 25, 16, 59, tzinfo=UTC), due, late, 0).factor == 0.9
    assert lateness(datetime(2026, 10, 25, 17, 1, tzinfo=UTC), due, late, 0).factor == 0
    longer = course(PUT_BACK, extensions={"ada": {"05": 1}}).due("05", ["ada"])
    assert longer.astimezone(UTC) == datetime(2026, 10, 25, 17, tzinfo=UTC)
    shorter = course(PUT_FORWARD, extensions={"ada": {"05": 1}}).due("05", ["ada"])
    assert shorter.astimezone(UTC) == datetime(2027, 3, 28, 16, tzinfo=UTC)
    half = course(PUT_BACK, extensions={"ada": {"05": 0.5}}).due("05", ["ada"])
    assert half.replace(tzinfo=None) == datetime(2026, 10, 25, 6)


NEAR_A_CHANGE = st.one_of(
    st.datetimes(datetime(2026, 10, 22), datetime(2026, 10, 28), timezones=st.just(UTC)),
    st.datetimes(datetime(2027, 3, 25), datetime(2027, 3, 31), timezones=st.just(UTC)),
)


@given(NEAR_A_CHANGE, NEAR_A_CHANGE, NEAR_A_CHANGE)
def test_later_submission_is_never_less_late_near_clock_changes(due, one, other):
    """Near a change of clocks a later hand in is never less late."""
    first, second = sorted([one, other])
    due = due.astimezone(BERLIN)
    assert days_late(first, due) <= days_late(second, due)
    assert (days_late(first, due) == 0) == (first <= due.astimezone(UTC))


def test_without_a_deadline_or_a_time_nothing_is_late():
    assert days_late(DUE, None) == days_late(None, DUE) == 0


def test_free_days_are_used_first_and_penalty_is_capped():
    """Free days are used before points are taken and no more than the most."""
    late = LatePolicy(per_day=10, most=50)
    assert lateness(DUE + 2 * HOUR, DUE, late, 0).factor == pytest.approx(0.9)
    found = lateness(DUE + 3 * DAY, DUE, late, 2)
    assert (found.days, found.free, found.factor) == (3, 2, pytest.approx(0.9))
    assert lateness(DUE + 30 * DAY, DUE, late, 0).factor == pytest.approx(0.5)
    assert lateness(DUE, DUE, late, 2) == Lateness()


def test_closed_sheet_counts_nothing_and_uses_no_free_days():
    """After the sheet was closed nothing counts and no free day is lost."""
    late = LatePolicy(per_day=10, closed_after_days=7)
    assert lateness(DUE + 7 * DAY, DUE, late, 9).factor == 1
    found = lateness(DUE + 7 * DAY + MINUTE, DUE, late, 9)
    assert (found.factor, found.free) == (0, 0)
    assert "closed" in found.message


TWO = {
    "04": SheetRule(DUE, LatePolicy(per_day=20, free_days=3)),
    "05": SheetRule(DUE + 7 * DAY, LatePolicy(per_day=20, free_days=3)),
}


def test_free_days_are_used_in_order_of_deadlines():
    """Free days are for the whole term in the order of the deadlines."""
    policy = Policy(TWO, LatePolicy(per_day=20, free_days=3))
    late = {"05": [(DUE + 9 * DAY, 10)], "04": [(DUE + 2 * DAY, 10)]}
    found = choose(policy, ["ada"], late)
    assert (found["04"][1].free, found["05"][1].free) == (2, 1)
    assert found["05"][1].factor == pytest.approx(0.8)


def test_last_or_best_submission_counts_unless_sheet_was_closed():
    """The last hand in counts or the best and one after the end never hides an earlier one."""
    rule = {"05": SheetRule(DUE, LatePolicy(per_day=10, closed_after_days=2))}
    tries = {"05": [(DUE - DAY, 20), (DUE + HOUR, 21), (DUE + 5 * DAY, 31)]}
    assert choose(Policy(rule), ["ada"], tries)["05"][0] == 1
    assert choose(Policy(rule, count="best"), ["ada"], tries)["05"][0] == 0
    assert choose(Policy(rule, count="best"), ["ada"], {"05": [(DUE, 20), (DUE + HOUR, 31)]})["05"][0] == 1


def test_extension_applies_by_any_name_in_days_or_time():
    """An extension is for one student by any of its names in days or to a time."""
    extensions = {"ada@x.org": {"05": 3}, "4711": {"all": DUE + 5 * DAY}}
    policy = Policy({"05": SheetRule(DUE)}, extensions=extensions)
    assert policy.due("05", ["ada", "ada@x.org"]) == DUE + 3 * DAY
    assert policy.due("05", ["4711"]) == DUE + 5 * DAY
    assert policy.due("05", ["boole"]) == DUE
    assert policy.due("04", ["4711"]) is None


TIMES = st.datetimes(datetime(2026, 9, 1), datetime(2026, 12, 31), timezones=st.just(UTC))
LATE = st.builds(
    LatePolicy, st.floats(0, 100), st.floats(0, 100), st.floats(0, 100), st.integers(0, 9),
    st.none() | st.floats(0, 30),
)  # fmt: skip


@given(TIMES, TIMES, LATE, st.integers(0, 9))
def test_earlier_submission_or_later_deadline_is_never_worse(one, other, late, free):
    """Earlier is never worse and a later deadline is never worse."""
    first, second = sorted([one, other])
    assert lateness(first, DUE, late, free).factor >= lateness(second, DUE, late, free).factor
    assert lateness(one, second, late, free).factor >= lateness(one, first, late, free).factor
    assert 0 <= lateness(one, other, late, free).factor <= 1


TEXT = """
time_zone = "Europe/Berlin"
count = "best"
[late]
grace_minutes = 10
per_day = 10
free_days = 3
[follow_through]
cap = 50
[sheets.05]
due = 2026-10-12T18:00:00
name = "Homework 5 (991)"
late = { per_day = 50 }
[sheets.4]
due = 2026-10-05
[extensions]
"ada@x.org" = { 5 = 2, all = 2026-12-01 }
[waived]
"05.sharpen" = "full"
"""


def test_the_file_is_read_as_it_is_meant(tmp_path):
    (tmp_path / "policy.toml").write_text(TEXT)
    policy, berlin = read(tmp_path / "policy.toml"), ZoneInfo("Europe/Berlin")
    assert policy.rule("05").due == datetime(2026, 10, 12, 16, tzinfo=UTC)
    assert policy.rule("04").due == datetime(2026, 10, 5, 23, 59, 59, tzinfo=berlin)
    assert policy.rule("05").late == LatePolicy(10, 50, 100, 3)
    assert policy.rule("04").late == policy.rule("09").late == LatePolicy(10, 10, 100, 3)
    assert (policy.cap, policy.count, policy.waived) == (0.5, "best", {"05.sharpen": "full"})
    assert policy.extensions["ada@x.org"]["05"] == 2


def test_extension_in_days_keeps_hour_across_clock_changes():
    """Days of an extension keep the hour when the clocks change."""
    policy = policy_of(
        {
            "time_zone": "Europe/Berlin",
            "sheets": {"05": {"due": datetime(2026, 10, 24, 18)}},
            "extensions": {"a": {"05": 1}},
        }
    )
    assert policy.due("05", ["a"]) == datetime(2026, 10, 25, 17, tzinfo=UTC)  # summer time has ended


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"lat": {}}, "'lat'"),
        ({"count": "first"}, "count"),
        ({"late": {"per_day": "ten"}}, "per_day"),
        ({"late": {"per_day": 110}}, "per_day"),
        ({"late": {"per_day": True}}, "per_day"),
        ({"late": {"perday": 1}}, "perday"),
        ({"late": {"free_days": 1.5}}, "free_days"),
        ({"time_zone": "Mars"}, "Mars"),
        ({"sheets": {"99": {}}}, "'99'"),
        ({"sheets": {"05": {"due": "tomorrow"}}}, "due"),
        ({"sheets": {"05": {"late": {"free_days": 1}}}}, "whole term"),
        ({"sheets": {"05": 3}}, "table"),
        ({"extensions": {"ada": 3}}, "table"),
        ({"extensions": {"ada": {"05": -1}}}, "ada"),
        ({"waived": {"05.sharpn": "full"}}, "05.sharpen"),
        ({"waived": {"05.sharpen": "yes"}}, "full"),
        ({"follow_through": {"cap": 150}}, "cap"),
        ({"manual": {"Talk": {"points": 3}}}, "lower-case letters"),
        ({"manual": {"talk": {}}}, "no points"),
        ({"manual": {"talk": {"points": -1}}}, "points must be a number"),
        ({"manual": {"talk": {"points": 1, "sheet": "99"}}}, "'99'"),
        ({"manual": {"talk": {"points": 1, "bonus": "yes"}}}, "true or false"),
        (
            {"manual": {"talk": {"point": 1}}},
            "the unknown entry 'point'; the known ones are bonus, points, sheet, title",
        ),
    ],
)
def test_what_is_not_understood_is_refused_and_its_place_told(found, said):
    with pytest.raises(UserError, match=said):
        policy_of(found)


def test_a_file_that_is_no_toml_is_named(tmp_path):
    (tmp_path / "policy.toml").write_text("due: tomorrow")
    with pytest.raises(UserError, match=r"policy\.toml is not TOML"):
        read(tmp_path / "policy.toml")
    with pytest.raises(UserError, match="cannot be read"):
        read(tmp_path / "none.toml")
