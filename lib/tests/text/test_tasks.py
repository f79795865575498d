"""Toy tasks: every target recomputed by a slow loop, every draw from the generator that was given."""

import numpy as np
import pytest

from clearhead.text import tasks

SEQUENCES = (tasks.copy, tasks.reverse, tasks.sort, tasks.recall_the_first, tasks.histogram)


@pytest.mark.parametrize("task", SEQUENCES)
def test_shapes_range_and_seed(task):
    inputs, targets = task(5, 7, 3, np.random.default_rng(0))
    assert inputs.shape == (5, 7)
    assert targets.shape == ((5,) if task is tasks.recall_the_first else (5, 7))
    assert set(np.unique(inputs)) == {0, 1, 2}
    again = task(5, 7, 3, np.random.default_rng(0))
    np.testing.assert_array_equal(again[0], inputs)
    assert not np.shares_memory(inputs, targets)
    other, _ = task(5, 7, 3, np.random.default_rng(1))
    assert (other != inputs).any()


def test_targets_by_a_slow_loop():
    rng = np.random.default_rng(3)
    loops = {
        tasks.copy: list,
        tasks.reverse: lambda x: x[::-1],
        tasks.sort: sorted,
        tasks.recall_the_first: lambda x: x[0],
        tasks.histogram: lambda x: [x.count(token) for token in x],
    }
    for task, loop in loops.items():
        inputs, targets = task(6, 9, 4, rng)
        assert targets.tolist() == [loop(row) for row in inputs.tolist()]


@pytest.mark.parametrize("digits", [1, 3, 8])
def test_addition_is_right(digits):
    questions, answers = tasks.addition(50, digits, np.random.default_rng(digits))
    assert questions.shape == (50, 2 * digits + 2)
    assert answers.shape == (50, digits + 1)
    signs = "0123456789+="
    for question, answer in zip(questions, answers, strict=True):
        left, right = "".join(signs[i] for i in question).rstrip("=").split("+")
        assert int(left) + int(right) == int("".join(signs[i] for i in answer))


def test_induction_repeats_and_knows_where():
    inputs, targets, known = tasks.induction(200, 30, 1000, 6, 16, np.random.default_rng(0))
    np.testing.assert_array_equal(inputs[:, 1:], targets[:, :-1])
    seen = set()
    for tokens, after, sure in zip(inputs.tolist(), targets.tolist(), known.tolist(), strict=True):
        period = sure.index(True)
        seen.add(period)
        whole = [*tokens, after[-1]]
        assert all(whole[t] == whole[t - period] for t in range(period, len(whole)))
        assert sure == [t >= period for t in range(30)]
    assert seen == set(range(6, 17))
    with pytest.raises(ValueError, match="Periods go from 5 to 4"):
        tasks.induction(2, 8, 3, 5, 4, np.random.default_rng(0))


def test_nothing_to_draw():
    rng = np.random.default_rng(0)
    assert tasks.copy(0, 4, 3, rng)[0].shape == (0, 4)
    assert tasks.addition(0, 2, rng)[1].shape == (0, 3)
