"""Directions nearly at right angles: loops, scipy, the bound of Welch, and the figure that draws them."""

import numpy as np
import pytest
import torch
from scipy.linalg import hadamard
from traitlets import TraitError

from clearhead.maths.embeddings import (
    cosine,
    identity_plus_hadamard,
    max_near_orthogonal,
    pair_cosines,
    welch_bound,
)
from clearhead.widgets import NearOrthogonal
from clearhead.widgets.scaling import normals

POWERS = [1, 2, 4, 64]


@pytest.mark.parametrize("seed", range(3))
def test_each_pair_comes_once_in_order(seed):
    X = np.random.default_rng(seed).normal(size=(6, 4))
    by_loop = [cosine(X[i], X[j]) for i in range(6) for j in range(i + 1, 6)]
    np.testing.assert_allclose(pair_cosines(X), by_loop)
    np.testing.assert_allclose(pair_cosines(5 * X), by_loop)
    every = torch.nn.functional.cosine_similarity(torch.tensor(X)[:, None], torch.tensor(X), dim=-1)
    np.testing.assert_allclose(pair_cosines(X), every[*torch.triu_indices(6, 6, 1)])


def test_zeros_have_no_direction_and_one_row_has_no_pair():
    assert pair_cosines(np.array([[0.0, 0], [1, 0], [0, 2]])).tolist() == [0, 0, 0]
    assert pair_cosines(np.ones((1, 3))).shape == (0,)


@pytest.mark.parametrize("D", POWERS)
def test_axes_and_signs_are_scipys_table_below_the_identity(D):
    X = identity_plus_hadamard(D)
    np.testing.assert_array_equal(X[:D], np.eye(D))
    np.testing.assert_allclose(X[D:], hadamard(D) / np.sqrt(D))
    by_bits = [[(-1) ** (i & j).bit_count() for j in range(D)] for i in range(D)]
    np.testing.assert_allclose(X[D:] * np.sqrt(D), by_bits)


@pytest.mark.parametrize("D", POWERS)
def test_between_the_halves_every_cosine_is_one_over_root_d(D):
    X = identity_plus_hadamard(D)
    np.testing.assert_allclose(X[:D] @ X[:D].T, np.eye(D), atol=1e-12)
    np.testing.assert_allclose(X[D:] @ X[D:].T, np.eye(D), atol=1e-12)
    np.testing.assert_allclose(np.abs(X[:D] @ X[D:].T), 1 / np.sqrt(D))


@pytest.mark.parametrize("D", [0, -4, 3, 100])
def test_other_sizes_are_refused(D):
    with pytest.raises(ValueError, match="d_model must be"):
        identity_plus_hadamard(D)


def test_no_directions_beat_welch_bound():
    """No set of directions is below the bound of Welch not even on average."""
    rng = np.random.default_rng(0)
    for M, N in [(3, 2), (9, 4), (40, 8)]:
        found = pair_cosines(rng.normal(size=(M, N)))
        assert np.sqrt(np.mean(found**2)) >= welch_bound(M, N) - 1e-12
    mercedes = pair_cosines(np.exp(2j * np.pi * np.arange(3) / 3).view(float).reshape(3, 2))
    np.testing.assert_allclose(np.abs(mercedes), welch_bound(3, 2))
    built = pair_cosines(identity_plus_hadamard(16))
    np.testing.assert_allclose(np.sqrt(np.mean(built**2)), welch_bound(32, 16))


def test_cosines_of_random_directions_have_expected_deviation():
    """The cosines of random directions spread by one over root n."""
    for N in (2, 8, 64, 512):
        found = NearOrthogonal.compute(N, 200, 0, 2)
        assert found["spread"] == pytest.approx(1 / np.sqrt(N), rel=0.02)
        assert found["counts"].sum() == 200 * 199 / 2


def test_more_vectors_or_more_numbers_never_change_the_earlier_ones():
    small, wide = NearOrthogonal.directions(4, 9, 0, 5), NearOrthogonal.directions(64, 300, 0, 5)
    np.testing.assert_array_equal(small, wide[:9, :4])
    np.testing.assert_array_equal(small[0], normals(5, 4))


def test_n_directions_can_be_perpendicular_in_n_dimensions():
    """As many as dimensions can be perpendicular and the words say so."""
    figure = NearOrthogonal(constructed=1, dimensions=8, vectors=8)
    assert "is 0.00, an angle 0.0° off 90°. All 8 could be orthogonal" in figure.words
    figure.vectors = 9
    assert (
        "At most 8 directions can be orthogonal; among 9, at least one pair is 7.2° off or more"
        in figure.words
    )
    figure.vectors = 200
    assert figure.words.startswith(
        "16 constructed directions (there are no more of this kind) in 8 dimensions, 120 pairs"
    )


def test_impossible_sizes_are_refused():
    for wrong in (
        {"dimensions": 100},
        {"dimensions": 1},
        {"vectors": 1},
        {"vectors": 600},
        {"constructed": 2},
    ):
        with pytest.raises(TraitError):
            NearOrthogonal(**wrong)


@pytest.mark.parametrize(("N", "deg"), [(1, 90), (2, 45), (4, 30), (4, 31)])
def test_bound_is_infinite_at_its_pole(N, deg):
    """Where n sine squared is 1 there is no limit whatever the rounding."""
    assert max_near_orthogonal(N, deg) == np.inf


def test_a_little_below_that_there_is_one():
    assert max_near_orthogonal(4, 29.9) == 497
    assert max_near_orthogonal(2, 30) == 3
