"""Arrays of whole numbers give what the same numbers as floats give: no cosine is cut down to an integer."""

import numpy as np
import pytest
import torch

from clearhead.maths import positions
from clearhead.nets import positions as net_positions
from support.discovery import FUNCTIONS
from support.shape_tables import call, each, examples

DRAWS = {"generate", "sample"}  # these move the generator on, so that a second call gives something else


def rounded(dtype):
    """Return a function that turns the floats of an array into whole numbers, kept as another dtype.

    Where all are above 0, they stay so.
    """

    def turned(array):
        if array.dtype.kind != "f":
            return array
        return (np.ceil if array.size and array.min() > 0 else np.round)(3 * array).astype(dtype)

    return turned


@pytest.mark.parametrize("function", FUNCTIONS)
def test_whole_numbers_give_what_floats_give(function):
    if function.__name__ in DRAWS:
        pytest.skip("draws")
    with np.errstate(all="ignore"):
        expected = call(function, each(rounded(float), examples(function)))
        found = call(function, each(rounded(int), examples(function)))
    for e, f in zip(expected, found, strict=True):
        if isinstance(e, np.ndarray | float):
            np.testing.assert_allclose(f, e, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float16, np.float32, np.float64])
def test_rotation_of_whole_numbers(dtype):
    """A turn by one radian, written out; floats keep their own precision."""
    x, angles = np.array([[1, 0]], dtype=dtype), np.array([[1.0]])
    by_numpy = positions.apply_rotary(x, angles)
    by_torch = net_positions.apply_rotary(torch.from_numpy(x), torch.from_numpy(angles))
    tolerance = 1e-3 if dtype is np.float16 else 1e-6
    for y in (by_numpy, by_torch.numpy()):
        np.testing.assert_allclose(y, [[np.cos(1), np.sin(1)]], rtol=tolerance)
    if np.dtype(dtype).kind == "f":
        assert by_numpy.dtype == by_torch.numpy().dtype == dtype
