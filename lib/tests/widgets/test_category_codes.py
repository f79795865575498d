"""CategoryCodes computes what it promises, refuses what it cannot draw, and its words come from its data."""

from itertools import permutations

import numpy as np
import pytest
import traitlets

from clearhead.widgets import CategoryCodes


def drawn(seed, size=30):
    """Return random groups, each present, and numbers that belong to them."""
    rng = np.random.default_rng(seed)
    groups = np.concatenate([np.arange(4), rng.integers(4, size=size)])
    return groups, rng.normal(size=4)[groups] + rng.normal(size=len(groups))


@pytest.mark.parametrize("seed", range(5))
def test_the_line_is_the_least_squares_line(seed):
    groups, y = drawn(seed)
    every = list(permutations(range(4)))
    for order in every[::5]:
        found = CategoryCodes.compute(list(order), False, groups, y)
        X = np.column_stack([np.ones(len(y)), np.array(order)[groups]])
        predicted = X @ np.linalg.lstsq(X, y, rcond=None)[0]
        assert np.allclose(found["predictions"][groups], predicted)
        score = 1 - np.sum((y - predicted) ** 2) / np.sum((y - y.mean()) ** 2)
        assert np.isclose(found["r_squared"], score)
        assert np.isclose(found["every_order"][every.index(order)], score)


@pytest.mark.parametrize("seed", range(5))
def test_one_hot_is_never_worse_and_ignores_order(seed):
    """One hot is never worse and does not know the order."""
    groups, y = drawn(seed)
    found = CategoryCodes.compute([0, 1, 2, 3], True, groups, y)
    other = CategoryCodes.compute([2, 0, 3, 1], True, groups, y)
    assert found["r_squared"] == other["r_squared"] >= found["every_order"].max() - 1e-12
    assert np.allclose(found["predictions"], [y[groups == group].mean() for group in range(4)])


def test_an_order_and_its_reverse_are_one_line():
    groups, y = drawn(0)
    up = CategoryCodes.compute([3, 0, 2, 1], False, groups, y)
    down = CategoryCodes.compute([0, 3, 1, 2], False, groups, y)
    assert np.allclose(up["predictions"], down["predictions"])


def test_words_and_bars_say_the_numbers():
    figure = CategoryCodes(codes=[3, 0, 2, 1])
    score = f"{figure.compute(figure.codes, False, figure.groups, figure.y)['r_squared']:.2f}"
    assert "Blond 3, Black 0, Brown 2 and Blue 1" in figure.words
    assert f"R² = {score}" in figure.words
    assert "rank 1 of 24" in figure.words
    assert score in figure.fallback
    figure.one_hot = True
    assert "in any order" in figure.words


def test_impossible_codes_and_empty_groups_are_refused():
    with pytest.raises(traitlets.TraitError, match="each once"):
        CategoryCodes(codes=[0, 0, 1, 2])
    with pytest.raises(ValueError, match="at least one y in each group"):
        CategoryCodes(groups=[0, 1, 2], y=[1.0, 2.0, 3.0])
