"""The game of the compute budget: what it charges, what it hides, and how it scores; also by keyboard."""

import numpy as np
import pytest

from clearhead.pretrained.since_gpt2 import record, width_runs
from clearhead.widgets import ComputeBudget
from clearhead.widgets.compute_budget import EVERY, points
from support.live_figures import drawn


def test_the_curves_of_the_game_are_the_recorded_runs():
    widths, sizes, curves = width_runs()
    assert curves.shape == (7, 3, 13)
    for width, size, runs in zip(widths, sizes, curves, strict=True):
        assert [[size, *run] for run in runs] == record()["widths"][str(width)]
    assert EVERY * (curves.shape[2] - 1) == 600


def test_the_price_is_that_of_the_large_run():
    sizes, curves = [10.0, 20.0, 40.0], np.full((3, 3, 3), 0.5).tolist()
    found = ComputeBudget.compute(sizes, curves, budget=100, steps=[100, 50], seeds=1, guess=0.5)
    assert found["costs"].tolist() == [25, 25]  # a quarter of the size; half of it, for half of the steps
    assert found["allowed"]
    thrice = ComputeBudget.compute(sizes, curves, budget=100, steps=[100, 50], seeds=3, guess=0.5)
    assert thrice["spent"] == 150
    assert not thrice["allowed"]


def test_a_law_is_fitted_only_to_the_longest_runs():
    sizes = np.array([10.0, 20, 40, 80])
    curves = np.tile((3 * sizes**-0.5)[:, None, None], (1, 2, 3))
    curves[2, :, 1] = 9  # bought for fewer steps: not used
    found = ComputeBudget.compute(sizes, curves, budget=999, steps=[100, 100, 50], seeds=2, guess=1.0)
    assert np.isclose(found["extrapolated"], found["true_loss"])
    assert found["extrapolated_points"] == 100
    alone = ComputeBudget.compute(sizes, curves, budget=999, steps=[100, 0, 50], seeds=2, guess=1.0)
    assert alone["extrapolated"] == alone["extrapolated_points"] == 0


def test_points_are_lost_by_powers_of_ten():
    assert [points(guess, 0.01) for guess in (0.01, 0.1, 0.001, 5, 0.02, 0.005)] == [100, 0, 0, 0, 70, 70]


def test_no_purchase_within_the_budget_shows_the_large_run():
    figure = ComputeBudget()
    assert figure.budget < 100
    assert len(figure.steps) == len(figure.sizes) - 1
    assert "true value" not in figure.words
    figure.revealed = True
    assert "The true value is 0.0017: 24 of 100 points." in figure.words
    figure.steps = [600] * 6
    assert figure.words.endswith("That exceeds the budget: buy fewer steps or seeds.")


@pytest.mark.parametrize(
    ("traits", "says"),
    [
        ({"steps": [600]}, r"steps has shape \(1,\)"),
        ({"steps": [60, 0, 0, 0, 0, 0]}, "steps has 60; give multiples of 50, up to 600"),
        ({"steps": [650, 0, 0, 0, 0, 0]}, "up to 600"),
        ({"seeds": 4}, "seeds is 4, but 3 were run"),
        ({"widths": [1, 2]}, r"widths has shape \(2,\)"),
    ],
)
def test_a_purchase_that_nobody_ran_is_refused(traits, says):
    with pytest.raises(ValueError, match=says):
        ComputeBudget(**traits)


PLAYED = """
    const line = () => el.querySelector(".ch-line").textContent;
    const curves = () => el.querySelectorAll("polyline").length;
    const inputs = [...el.querySelectorAll("input[type=range]")], button = el.querySelector("button");
    const slide = async (i, value) => {
      inputs[i].value = value;
      inputs[i].dispatchEvent(new Event("input", { bubbles: true }));
      await wait(200); };
    const seen = [[inputs.length, curves(), button.textContent]];
    await slide(5, 600); await slide(4, 600); seen.push([line(), curves(), button.disabled]);
    await slide(5, 0); await slide(7, -2.75);
    seen.push([line(), inputs[7].getAttribute("aria-valuetext"), button.disabled]);
    button.click(); await wait(200); seen.push([line(), curves(), inputs[7].disabled]);
    button.click(); await wait(200); seen.push([line(), curves(), inputs[7].disabled]);
    return seen;
"""


def test_a_game_is_played(page):
    first, dear, within, shown, again = drawn(page, ComputeBudget(), PLAYED)
    assert first == [8, 3, "Show the large run and my points"]
    assert dear == ["You have spent 99.9 of 60. That exceeds the budget: buy fewer steps or seeds.", 0, True]
    assert "0.0030 for width 16 after 600 steps. You predict 0.0018 for width 32." in within[0]
    assert within[1:] == ["0.0018", False]
    assert "The true value is 0.0017" in shown[0]
    assert shown[1:] == [4 + 3, True]  # four runs that were bought, and the large one with its three seeds
    assert again == [
        "You have spent 0.0 of 60. You have not bought any runs yet. You predict 0.0018 for width 32.",
        0,
        False,
    ]


def test_the_game_is_played_by_keyboard(page):
    drawn(page, ComputeBudget(), "")
    for _ in range(5):
        page.keyboard.press("Tab")  # to the steps of width 16
    page.keyboard.press("End")
    page.wait_for_timeout(200)
    assert "width 16 after 600 steps" in page.locator(".ch-line").text_content()
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert "of 100 points" in page.locator(".ch-line").text_content()
