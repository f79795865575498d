"""The page of speeds says what its files of results hold, and no more."""

import json

import pytest

from clearhead.figures.comparisons import Comparisons


def a_row(what, ratio, goal=1.0, holds=None, **more):
    """Return a row as `benchmarks/run.py` writes it."""
    holds = (None if goal is None else ratio <= goal) if holds is None else holds
    row = {"subject": "reading", "what": what, "against": "a peer", "unit": "s", "note": "", "limit": None}
    return row | {"ours": ratio * 2, "peer": 2.0, "ratio": ratio, "goal": goal, "holds": holds} | more


@pytest.fixture
def results(tmp_path):
    """Return results of two kinds of processor, one of them simulated."""
    old = [a_row("short", 0.5), a_row("long", 1.5), a_row("told only", 3, goal=None)]
    new = [a_row("short", 0.25), a_row("long", 0.75), a_row("quick, wrong", 0.5, holds=False)]
    for kind, rows, more in (("avx2", old, " (simulated)"), ("avx512", new, "")):
        machine = {"cores": 2, "instructions": kind + more}
        path = tmp_path / f"full-{kind}.json"
        path.write_text(json.dumps({"machine": machine, "rows": rows}))
    return Comparisons(tmp_path)


def test_a_goal_holds_only_where_it_holds_on_every_kind(results):
    holds = {each.any["what"]: each.holds for each in results.of("reading")}
    assert holds == {"short": True, "long": False, "told only": None, "quick, wrong": False}
    worst = {each.any["what"]: each.worst["ratio"] for each in results.of("reading")}
    assert worst == {"short": 0.5, "long": 1.5, "told only": 3, "quick, wrong": 0.5}


def test_shortfall_is_reported_with_kind_and_ratio(results):
    """What falls short is said with its kind and its ratio."""
    head, _, *told = results.what_falls_short().splitlines()
    assert head == "Of 3 goals, 1 hold on every kind that measured them."
    assert told == [
        "* reading, long, against a peer: **falls short** on AVX2 (simulated) (1.5), asked 1",
        "* reading, quick, wrong, against a peer: **falls short** on AVX-512 "
        "(0.5, but a condition is broken), asked 1",
    ]
    holds, *_ = results.verdicts("reading").splitlines()
    assert holds == "* short, against a peer: holds on AVX2 (simulated) and AVX-512: 0.5 or less, asked 1."


def test_a_row_that_was_simulated_beside_measured_ones_says_so(results):
    for row in results.found["avx512"]["rows"]:
        row["simulated"] = row["what"] == "short"
    told, *_ = results.verdicts("reading").splitlines()
    assert told.endswith("holds on AVX2 (simulated) and AVX-512 (simulated): 0.5 or less, asked 1.")
    head, _, *lines = results.table("reading").splitlines()
    assert head == "| what | goal | AVX2 (simulated) | AVX-512 |"
    assert ["simulated" in line for line in lines] == ["short" in line for line in lines]


def test_table_has_column_per_kind_and_marks_gaps(results):
    """A table has a column for each kind and says what is missing."""
    head, _, *lines = results.table("reading").splitlines()
    assert head == "| what | goal | AVX2 (simulated) | AVX-512 |"
    assert lines[1].startswith(
        "| long<br>*against a peer* | ≤\N{NO-BREAK SPACE}1 | **1.5**\N{NO-BREAK SPACE}✗<br>3"
    )
    assert lines[3].split(" | ")[2] == ""  # not measured on the older one
    assert "Not measured: AMX." in results.measured()
    assert [line.count("|") for line in results.machines().splitlines()] == [4] * 4
    assert len(results.table("reading", most=1).splitlines()) == 3
    assert "told only" in results.table("reading", most=1)


def test_note_common_to_all_kinds_appears_once(tmp_path):
    """A note is once where it is the same on every kind."""
    for kind, own in (("avx2", "slow"), ("avx512", "fast")):
        rows = [a_row("same", 1, note="eight words"), a_row("own", 1, note=own)]
        (tmp_path / f"full-{kind}.json").write_text(json.dumps({"machine": {}, "rows": rows}))
    *_, same, own = Comparisons(tmp_path).table("reading").splitlines()
    assert same.count("eight words") == 1
    assert [own.count(word) for word in ("slow", "fast")] == [1, 1]


def test_subject_missing_on_one_kind_is_named(tmp_path):
    """A subject that one kind lacks is named with that kind."""
    for kind, subjects in (("avx2", ["reading"]), ("avx512", ["reading", "writing"])):
        rows = [a_row("short", 0.5, subject=subject) for subject in subjects]
        (tmp_path / f"full-{kind}.json").write_text(json.dumps({"machine": {}, "rows": rows}))
    results = Comparisons(tmp_path)
    assert results.not_measured(["reading", "writing"]) == "* Not measured on AVX2: writing (1 of 1)."
    head = results.what_falls_short().splitlines()[0]
    assert head.startswith("Of 2 goals, 2 hold")
    assert head.endswith(" 1 of these were measured on only one kind.")
    everything = "* Everything was measured on every kind of processor here."
    assert results.not_measured(["reading"]) == everything


def test_a_subject_without_a_row_says_so(results, tmp_path):
    for shown in (results.table("writing"), results.picture("writing"), results.verdicts("writing")):
        assert shown == "*Not measured yet.*"
        assert shown._repr_markdown_() == shown
    first, *some = results.not_measured(["reading", "writing"]).splitlines()
    assert first == "* Not measured yet: writing."
    assert some == [
        "* Not measured on AVX2 (simulated): reading (1 of 4).",
        "* Not measured on AVX-512: reading (1 of 4).",
    ]
    with pytest.raises(FileNotFoundError, match="make bench-full"):
        Comparisons(tmp_path / "nowhere")


def test_picture_names_goals_and_marks_failures(results):
    """A picture names each goal and marks what does not hold."""
    picture = results.picture("reading")
    marks = [line.get_marker() for line in picture.axes.lines if line.get_marker() in ("o", "D")]
    assert marks == ["o", "D", "D"]  # the last is quick enough, but a condition is broken
    words = picture.words
    assert all(what in words for what in ("short", "long", "quick, wrong"))
    assert "told only" not in words


def test_results_of_a_card_are_read_apart(results, tmp_path):
    """They have files of their own, and the table is headed by the name of the card."""
    facts = {"cores": 16, "card": "NVIDIA H100"}
    (tmp_path / "card-h100.json").write_text(json.dumps({"machine": facts, "rows": [a_row("a step", 0.9)]}))
    card = Comparisons(tmp_path, "card")
    assert "| NVIDIA H100 |" in card.table("reading").splitlines()[0]
    assert [each.any["what"] for each in card.of("reading")] == ["a step"]
    assert "a step" not in Comparisons(tmp_path).table("reading")
    (tmp_path / "card-h100.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"run `benchmarks/on_card.py` first"):
        Comparisons(tmp_path, "card")
