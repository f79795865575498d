"""A function that exists in maths/ and in nets/ computes the same thing in both."""

import inspect
import re

import numpy as np
import pytest
import torch

from clearhead.pretrained.convert import to_arrays
from support.discovery import MODULE_TWINS, NETS, TWINS
from support.shape_tables import call, each, examples
from support.twin_modules import SQUARE, build, signature_of


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
def test_twins_take_the_same_arguments_with_the_same_defaults(in_numpy, in_torch):
    """The tensors' twin may say, last, on which device to make what it makes."""
    assert [each for each in arguments(in_torch) if each[0] != "device"] == arguments(in_numpy)


def arguments(function):
    """Return the names and defaults of arguments; a default that is a function is told by its name."""
    every = inspect.signature(function).parameters.values()
    return [(each.name, getattr(each.default, "__name__", each.default)) for each in every]


def test_another_default_is_found():
    def soft_lookup(q, K, V, temperature=2.0): ...

    assert arguments(soft_lookup) != arguments(NETS["attention"].soft_lookup)


@pytest.mark.parametrize(("in_numpy", "in_torch"), TWINS)
def test_twins_say_the_same_or_name_their_twin(in_numpy, in_torch):
    said, pointer = inspect.getdoc(in_torch), f"`{in_numpy.__module__}.{in_numpy.__name__}`"
    own_table = re.findall(r"^\w+ : \(.*$", said, flags=re.M)
    assert pointer in said or own_table == re.findall(r"^\w+ : \(.*$", inspect.getdoc(in_numpy), flags=re.M)


@pytest.mark.parametrize(("in_numpy", "kind"), MODULE_TWINS)
def test_what_a_module_learned_runs_in_numpy(in_numpy, kind):
    """The fast path in PyTorch and the visible path in NumPy, with the same weights, give the same."""
    module = build(kind)
    inputs = examples(in_numpy, sizes=SQUARE) | {"parameters": to_arrays(module)}
    inputs.pop("activation", None)
    expected = call(in_numpy, inputs)[0]
    given = {n: each(torch.from_numpy, x) for n, x in inputs.items() if n in signature_of(module)}
    np.testing.assert_allclose(
        module(**given).detach().numpy(), expected, rtol=1e-10, atol=1e-10, strict=True
    )


@pytest.mark.parametrize(("in_numpy", "kind"), MODULE_TWINS)
def test_modules_take_the_arguments_of_their_twins_in_order(in_numpy, kind):
    settled = {"parameters", "num_heads", "num_groups", "patch_size", "activation", "num_active"}
    expected = [name for name in inspect.signature(in_numpy).parameters if name not in settled]
    assert [name for name in signature_of(build(kind)) if name != "causal"] == expected


def test_twins_are_found():
    assert len(TWINS) > 30
    assert len(MODULE_TWINS) > 10


def test_a_twin_without_the_scale_is_found():
    from clearhead.maths.attention import scaled_dot_product_attention

    def without_scale(Q, K, V, mask=None):
        A = torch.softmax(torch.where(mask, Q @ K.mT, -torch.inf), dim=-1).nan_to_num(0)
        return A @ V, A

    with pytest.raises(AssertionError):
        assert_twins_agree(scaled_dot_product_attention, without_scale)
