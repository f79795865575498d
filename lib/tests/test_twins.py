"""A function that exists in maths/ and in nets/ computes the same thing in both."""

import inspect
import re

import numpy as np
import pytest
import torch

from house import TWINS
from shape_tables import call, each, examples


def assert_twins_agree(in_numpy, in_torch):
    inputs = examples(in_numpy)
    expected = call(in_numpy, inputs)
    found = call(in_torch, each(torch.from_numpy, inputs))
    for e, f in zip(expected, found, strict=True):
        assert isinstance(f, torch.Tensor)
        if f.dtype == torch.float32:  # made from whole numbers, in PyTorch's default precision
            e = np.asarray(e, dtype=np.float32)
        assert str(f.dtype) == f"torch.{np.asarray(e).dtype}"
        np.testing.assert_allclose(f.numpy(), e, rtol=1e-10, atol=1e-10, strict=True)


@pytest.mark.parametrize(("in_numpy", "in_torch"), TWINS)
def test_twins_agree(in_numpy, in_torch):
    assert_twins_agree(in_numpy, in_torch)


@pytest.mark.parametrize(("in_numpy", "in_torch"), TWINS)
def test_twins_take_the_same_arguments(in_numpy, in_torch):
    """The tensors' twin may say, last, on which device to make what it makes."""
    names = [name for name in inspect.signature(in_torch).parameters if name != "device"]
    assert names == list(inspect.signature(in_numpy).parameters)


@pytest.mark.parametrize(("in_numpy", "in_torch"), TWINS)
def test_twins_say_the_same_or_name_their_twin(in_numpy, in_torch):
    said, pointer = inspect.getdoc(in_torch), f"`{in_numpy.__module__}.{in_numpy.__name__}`"
    own_table = re.findall(r"^\w+ : \(.*$", said, flags=re.M)
    assert pointer in said or own_table == re.findall(r"^\w+ : \(.*$", inspect.getdoc(in_numpy), flags=re.M)


def test_twins_are_found():
    assert len(TWINS) > 10


def test_a_twin_without_the_scale_is_found():
    from clearhead.maths.attention import scaled_dot_product_attention

    def without_scale(Q, K, V, mask=None):
        A = torch.softmax(torch.where(mask, Q @ K.mT, -torch.inf), dim=-1).nan_to_num(0)
        return A @ V, A

    with pytest.raises(AssertionError):
        assert_twins_agree(scaled_dot_product_attention, without_scale)
