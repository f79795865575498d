"""Tables, categories and images as vectors agree with scikit-learn, PyTorch and a slow loop."""

import numpy as np
import pytest
import torch
from sklearn.metrics import r2_score
from sklearn.preprocessing import StandardScaler

from clearhead.figures import pixels
from clearhead.maths.vectors import image_to_vector, one_hot, r_squared, standardize, vector_to_image
from clearhead.nets import vectors as in_torch


@pytest.mark.parametrize("seed", range(5))
def test_standardize_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 4)) * 10.0 ** rng.integers(-6, 7, size=4) + 3
    assert np.allclose(standardize(X), StandardScaler().fit_transform(X))


def test_constant_column_standardizes_to_zeros():
    """A constant column becomes zeros even where its mean is rounded."""
    X = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]])
    assert X[:, 0].std() > 0  # rounding: the naive test for 0 would divide by it
    assert np.allclose(standardize(X)[:, 0], 0)
    assert np.allclose(in_torch.standardize(torch.tensor(X))[:, 0], 0)


def test_one_hot_equals_pytorch_and_refuses_what_has_no_place():
    ids = np.array([[3, 0, 3], [1, 2, 0]])
    assert np.array_equal(one_hot(ids, 5), torch.nn.functional.one_hot(torch.tensor(ids), 5))
    assert one_hot(np.array([], dtype=int), 5).shape == (0, 5)
    for bad in ([-1, 0], [0, 5]):
        with pytest.raises(ValueError, match="ids must be from 0 to 4"):
            one_hot(bad, 5)
        with pytest.raises(ValueError, match="ids must be from 0 to 4"):
            in_torch.one_hot(torch.tensor(bad), 5)


def test_an_image_survives_the_way_there_and_back():
    image = np.random.default_rng(0).integers(256, size=(4, 7, 3))
    vector = image_to_vector(image)
    by_loop = [image[r, c, k] for r in range(4) for c in range(7) for k in range(3)]
    assert vector.tolist() == by_loop
    assert np.array_equal(vector_to_image(vector, 4, 7), image)
    assert np.array_equal(image_to_vector(image.transpose(1, 0, 2).copy().transpose(1, 0, 2)), vector)
    with pytest.raises(ValueError, match="R is 4 and C is 5: this does not divide"):
        vector_to_image(vector[:-1], 4, 5)


@pytest.mark.parametrize("seed", range(5))
def test_r_squared_equals_scikit_learn(seed):
    y, predictions = np.random.default_rng(seed).normal(size=(2, 9))
    assert np.isclose(r_squared(y, predictions), r2_score(y, predictions))


def test_r_squared_refuses_other_shapes_and_no_spread():
    with pytest.raises(ValueError, match="both end in T"):
        r_squared(np.arange(3.0), np.arange(4.0))
    with pytest.raises(ValueError, match="nothing to explain"):
        r_squared(np.ones(3), np.arange(3.0))


def test_pixels_say_their_numbers_and_refuse_other_shapes():
    picture = pixels(np.array([[0, 255], [16, 128]]), title="Four")
    assert "2 by 2 pixels" in picture.words
    assert "row 2: 16, 128" in picture.words
    assert 'role="img"' in picture.svg
    assert "1 2 3" in pixels([[[1, 2, 3]]]).words
    with pytest.raises(ValueError, match=r"\(height, width, 3\)"):
        pixels(np.zeros((2, 2, 2)))
