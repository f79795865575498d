"""The bug hunt: the page plays the bug zoo's own layers, deals the same cases as Python, and says why."""

import json

import numpy as np
import pytest

from clearhead.widgets import BugHunt
from clearhead.widgets.bug_hunt import shuffled
from clearhead.widgets.bugs import BUGS, TESTS, examine
from support.live_figures import drawn

PLACE = {bug.name: place for place, bug in enumerate(BUGS)}
UPSIDE_DOWN, OVERFLOW = PLACE["The mask upside down"], PLACE["Overflow"]
SPLIT, MERGE = PLACE["Split without transpose"], PLACE["Merge without transpose"]
LINE = "return el.querySelector('.ch-line').textContent;"
PRESS = """
    const press = (name) =>
      [...el.querySelectorAll("button")].find((each) => each.textContent.startsWith(name)).click();
    const line = async () => { await wait(150); return el.querySelector(".ch-line").textContent; };
"""


def test_our_layer_passes_all_tests_and_each_bug_fails_one():
    figure = BugHunt()
    x, W = np.array(figure.x), np.array(figure.W)
    for test in range(len(TESTS)):
        assert examine({}, x, W, 3, test)[2].all(), TESTS[test][0]
    verdicts = figure.compute(x, W, 3, 0, 0, 0)["verdicts"]
    assert all(False in row for row in verdicts)
    assert sorted(shuffled(9)) == list(range(len(BUGS)))


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({}, "Case 1 of 13. With the usual input, head 0: "),
        ({"test": 5, "tests": [5], "head": 2}, "‘The size’ fails at tokens "),
        ({"case": 2, "test": 6, "tests": [6], "history": [[1, 0], [0, 2]]}, "‘The empty row’ passes."),
        (
            {"case": 13, "history": [[1, 2]] * 12 + [[0, 7]]},
            "The end. Score: 12 of 13 found at the first answer",
        ),
        ({"round": 4, "case": 7, "answers": [OVERFLOW]}, "Not ‘Overflow’"),
    ],
)
def test_the_page_says_what_python_says(page, state, says):
    figure = BugHunt(**state)
    assert says in figure.words
    assert drawn(page, figure, LINE) == figure.words


@pytest.mark.parametrize("round", [0, 5])
def test_every_round_is_described_alike_in_both_languages(page, round):
    """Every case of a round is won and lost in the same words."""
    for case in range(len(BUGS)):
        figure = BugHunt(round=round, case=case, tests=[0, 7])
        for answer in figure.choices:
            figure.answers = [answer]
            told = drawn(page, figure, LINE)
            assert told == figure.words
            assert ("Found: " in told) == (answer == figure.bug)
            assert f"Score: {int(answer == figure.bug)} of 1" in told


def test_distinguishing_test_is_found_among_tests_run():
    """What tells two bugs apart is found among the tests that ran."""
    figure = BugHunt(answers=[OVERFLOW])
    assert figure.bug == UPSIDE_DOWN
    assert "Run ‘The future’: it tells the two apart." in figure.words
    figure.tests = [3, 1]
    assert "it would pass ‘The sum’, and this layer fails it." in figure.words
    figure.case = [int(bug) for bug in shuffled(9)].index(MERGE)
    figure.answers = [SPLIT]
    assert "no test tells the two apart" in figure.words


def test_a_game_is_played_by_its_buttons(page):
    figure = BugHunt()
    wrong = next(bug for bug in figure.choices if bug != figure.bug)
    look = f"""{PRESS}
        press("The future");
        const failed = [...el.querySelectorAll("button")][0].textContent;
        press({json.dumps(BUGS[wrong].name)});
        press({json.dumps(BUGS[figure.bug].name)});
        const found = await line(), code = [...el.querySelectorAll("code")].map((each) => each.textContent);
        press("Next case");
        press({json.dumps(BUGS[BugHunt(case=1).bug].name)});
        const second = await line();
        for (let i = 1; i < {len(BUGS)}; i++) press(i === 1 ? "Next case" : "Skip");
        const rows = el.querySelectorAll("tbody tr").length, end = await line();
        press("New game");
        const dealt = [model.get("round"), model.get("history").length];
        press("Start again");
        return {{ failed, found, code, second, rows, end, dealt, history: model.get("history").length }};
    """
    seen = drawn(page, figure, look)
    assert seen["failed"] == "The future ✗ fails"
    assert "Found: ‘The mask upside down’." in seen["found"]
    assert "Score: 0 of 1 found at the first answer, with 1 test." in seen["found"]  # the first answer counts
    assert seen["code"] == [BUGS[UPSIDE_DOWN].ours, BUGS[UPSIDE_DOWN].broken]
    assert "Score: 1 of 2" in seen["second"]
    assert seen["end"] == "The end. Score: 1 of 13 found at the first answer, with 1 test."
    assert seen["rows"] == len(BUGS)
    assert (seen["dealt"], seen["history"]) == ([1, 0], 0)


def test_what_does_not_fit_is_said():
    with pytest.raises(ValueError, match="W has shape"):
        BugHunt(W=np.ones((4, 3, 3)))
    with pytest.raises(ValueError, match="12, with 5 heads"):
        BugHunt(num_heads=5)
