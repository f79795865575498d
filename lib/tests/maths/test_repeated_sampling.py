"""The best of n samples: counted, computed by a slow loop, and worked out by hand."""

import itertools

import numpy as np
import pytest

from clearhead.maths.repeated_sampling import best_of_n


def by_listing(p, scores, n):
    """Return the same probabilities from all V^n lists of samples, ties divided equally among the samples."""
    best = np.zeros(len(p))
    for drawn in itertools.product(range(len(p)), repeat=n):
        drawn = np.array(drawn)
        top = drawn[scores[drawn] == scores[drawn].max()]
        np.add.at(best, top, p[drawn].prod() / len(top))
    return best


def test_best_of_two_by_hand():
    """Answer 1 is the best unless both samples are answer 0: 1 - 0.36."""
    np.testing.assert_allclose(best_of_n(np.array([0.6, 0.4]), np.array([1.0, 2.0]), 2), [0.36, 0.64])


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [2, 100])
def test_best_of_n_agrees_with_a_list_of_all_samples(n, seed, levels):
    rng = np.random.default_rng(seed)
    p, scores = rng.dirichlet(np.ones(5)), rng.integers(levels, size=5) / 7
    np.testing.assert_allclose(best_of_n(p, scores, n), by_listing(p, scores, n), atol=1e-14)


def test_one_sample_leaves_the_model_as_it_is():
    p = np.random.default_rng(0).dirichlet(np.ones(9))
    np.testing.assert_allclose(best_of_n(p, np.arange(9.0) % 4, 1), p)


def test_many_samples_leave_the_best_possible_answer():
    """An answer that the model never gives cannot be chosen, whatever its score is."""
    best = best_of_n(np.array([0.5, 0.499, 0.001, 0]), np.array([0.0, 1, 2, 3]), 100_000)
    np.testing.assert_allclose(best, [0, 0, 1, 0], atol=1e-12)
