"""Boundaries by entropy agree with slow loops, scikit-learn, and a text that is worked out by hand."""

import math
from collections import Counter

import numpy as np
import pytest
from sklearn.metrics import f1_score

from clearhead.maths.segmentation import boundary_f1, next_byte_entropies, patch_starts


def by_loop(ids, order):
    """Return the entropies, by a dictionary of counters."""
    after = {}
    for t in range(order, len(ids)):
        after.setdefault(tuple(ids[t - order : t]), Counter())[ids[t]] += 1
    found = [0.0] * min(order, len(ids))
    for t in range(order, len(ids)):
        counts = after[tuple(ids[t - order : t])].values()
        found.append(sum(n / sum(counts) * math.log(sum(counts) / n) for n in counts))
    return found


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_entropies_equal_the_loop(order, seed):
    ids = np.random.default_rng(seed).choice([0, 2, 3, 7], size=60)
    np.testing.assert_allclose(next_byte_entropies(ids, order), by_loop(ids.tolist(), order))


def test_entropies_of_a_text_by_hand():
    """After 1 comes 0 twice and 1 once; after 0 always 1."""
    ids = np.array([0, 1, 0, 1, 1, 0, 1])
    third = (2 * math.log(3 / 2) + math.log(3)) / 3
    np.testing.assert_allclose(next_byte_entropies(ids, 1), [0, 0, third, 0, third, third, 0])


def test_entropies_of_independent_bytes_are_those_of_their_distribution():
    p = np.array([0.5, 0.25, 0.125, 0.125])
    ids = np.random.default_rng(0).choice(4, size=50_000, p=p)
    found = next_byte_entropies(ids, 2)[2:]
    assert abs(found.mean() - 1.75 * math.log(2)) < 0.005
    np.testing.assert_allclose(found, 1.75 * math.log(2), atol=0.06)  # four standard errors of a rare context


def test_a_text_shorter_than_its_context_has_no_entropies():
    assert next_byte_entropies(np.array([3, 1]), 2).tolist() == [0, 0]
    assert next_byte_entropies(np.array([], dtype=int), 1).shape == (0,)


def test_patches_start_above_the_threshold_and_at_the_beginning():
    entropies = np.array([0.0, 0.7, 0.5, 0.0])
    assert patch_starts(entropies, 0.5).tolist() == [True, True, False, False]
    assert entropies.tolist() == [0, 0.7, 0.5, 0]


@pytest.mark.parametrize("seed", range(5))
def test_f1_equals_scikit_learn_without_the_first_position(seed):
    found, true = np.random.default_rng(seed).random((2, 40)) < [[0.3], [0.5]]
    assert np.isclose(boundary_f1(found, true), f1_score(true[1:], found[1:]))


def test_f1_without_boundaries_is_0():
    only_the_beginning = np.array([True, False, False])
    assert boundary_f1(only_the_beginning, only_the_beginning) == 0
