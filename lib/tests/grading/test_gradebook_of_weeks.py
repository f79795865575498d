"""A small term from hand-in to table, week by week and in one run: every sum is known before."""

import importlib.util
import shutil

import pytest

from clearhead.sandbox.isolation import problem
from support.command_line import clearhead, rows
from support.places import ROOT

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
PLACE = ROOT / "benchmarks" / "gradebook.py"
SPEC = importlib.util.spec_from_file_location("term_of_the_benchmarks", PLACE)
gradebook = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(gradebook)
SHEETS = ["04", "05"]


@isolated
def test_sums_agree_week_by_week_and_in_one_run(tmp_path):
    """Each has the sum that it should have week by week and in one run."""
    expected = gradebook.write_course(tmp_path, 5, SHEETS)  # each of the five habits, in each week
    assert len({*expected.values()}) > 3
    files = ["--roster", tmp_path / "roster.csv", "--policy", tmp_path / "policy.toml"]
    weeks = [tmp_path / "weeks" / number for number in SHEETS]
    for number, week in zip(SHEETS, weeks, strict=True):
        done = clearhead("grade", week / "in", "--out", week / "out", "--sheet", number, "-j", 1, *files)
        assert done.exit_code == 0, done.output
        shutil.copytree(week / "in", tmp_path / "all", dirs_exist_ok=True)
    clearhead("gradebook", *(week / "out" for week in weeks), "--out", tmp_path / "gradebook", *files)
    done = clearhead("grade", tmp_path / "all", "--out", tmp_path / "out", "-j", 1, *files)
    assert done.exit_code == 0, done.output
    for table in (tmp_path / "gradebook" / "gradebook.csv", tmp_path / "out" / "gradebook" / "gradebook.csv"):
        assert gradebook.wrong(table, expected) == []
        assert gradebook.wrong(table, expected | {"Person, Number 0": 1.5}) == ["Person, Number 0"]
        found = rows(table)
        assert all(list(row)[5:7] == SHEETS for row in found.values())
        assert "not handed in" in " ".join(row["needs review"] for row in found.values())
