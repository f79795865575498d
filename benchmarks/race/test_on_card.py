"""Test that the results of a graphics card are reported truthfully: python -m pytest benchmarks/race."""

import dataclasses
import json

import on_card
import pytest
from compare import Row

FILES = sorted((on_card.HERE / "results").glob("card-*.json"))


def found(path):
    """Return the contents of a file of results."""
    return json.loads(path.read_text("utf-8"))


def told(phases):
    """Return the rows that the phases give, by what they compare."""
    return {(row["subject"], row["what"]): Row(**row) for row in on_card.rows(phases)}


@pytest.fixture
def phases():
    """Return the results of two short runs and a longer one, without nanoGPT."""
    runs = {"0.35": [1.50, 1.49, 1.48], "0.5": [1.45, 1.46, 1.44], "the longer time": [1.38, 1.39, 1.37]}
    facts = {"steps": 100, "parameters": 7}
    times = {"0.35": 0.34, "0.5": 0.48, "the longer time": 1.4}
    every = {
        name: [facts | {"loss": loss, "seconds": times[name]} for loss in losses]
        for name, losses in runs.items()
    }
    return {"recipe": {"chosen": {"shape": "small", "compiled": 30.0}, "runs": every}}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_committed_rows_follow_from_the_committed_measurements(path):
    results = found(path)
    rows = [Row(**row) for row in on_card.rows(results["phases"])]
    expected = [
        dataclasses.asdict(row) | {"by": "on_card", "ratio": row.ratio, "holds": row.holds} for row in rows
    ]
    assert results["rows"] == expected


def test_without_nanogpt_the_loss_is_that_of_its_readme(phases):
    rows = told(phases)
    assert {subject for subject, _ in rows} == {"nanoGPT's run on a card"}
    assert {row.peer for row in rows.values() if row.against == "nanoGPT's README"} == {1.4697}
    goals = [row for row in rows.values() if row.goal]
    assert [(row.ours, row.peer, row.holds) for row in goals] == [(0.48, 0.5, True), (1.39, 1.40, True)]


@pytest.mark.parametrize("change", [{"loss": 1.48}, {"seconds": 0.51}], ids=["loss", "time"])
def test_one_seed_that_misses_breaks_the_goal(phases, change):
    phases["recipe"]["runs"]["0.5"][1] |= change
    (row,) = (row for row in told(phases).values() if row.goal and row.unit == "s")
    assert row.holds is False


def test_nanogpt_itself_has_a_subject_of_its_own(phases):
    phases["nanogpt"] = {"loss": 1.455, "seconds to its best loss": 22.0, "until the first step ended": 40.0}
    rows = {
        what: row for (subject, what), row in told(phases).items() if subject == "nanoGPT on the same card"
    }
    assert len(rows) == 3
    (row,) = (row for row in rows.values() if row.goal)
    assert (row.ours, row.holds) == (0.48, False)  # one seed has 1.46, above nanoGPT's 1.455


def test_results_of_another_card_are_not_added_to(tmp_path):
    path = tmp_path / "card.json"
    path.write_text(json.dumps({"phases": {"environment": {"card": "another", "torch": "2.0"}}}))
    with pytest.raises(SystemExit, match="Numbers of two machines are not compared"):
        on_card.kept(path)
    path.write_text(json.dumps({"phases": {"recipe": {"runs": {}}}}))
    assert on_card.kept(path) == {"recipe": {"runs": {}}}


@pytest.mark.parametrize("lacks", ["0.5", "seconds to its best loss"])
def test_a_run_cut_off_has_the_rows_that_it_can_have(phases, lacks):
    phases["nanogpt"] = {"loss": 1.455, "seconds to its best loss": 22.0, "until the first step ended": 40.0}
    for part in (phases["recipe"]["runs"], phases["nanogpt"]):
        part.pop(lacks, None)
    rows = told(phases)
    assert {subject for subject, _ in rows} == {"nanoGPT's run on a card"}
    assert any("0.35 s" in what for _, what in rows)
