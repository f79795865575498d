"""Where attention breaks elsewhere: nowhere to look, huge scores, half precision, nothing at all."""

import contextlib
import re
import warnings

import numpy as np
import pytest
import torch

from clearhead.contracts.tables import section, shape, table
from clearhead.maths import (
    attention,
    gradients,
    layers,
    long_attention,
    losses,
    masks,
    softmax,
    vision,
)
from clearhead.maths.models import gpt
from clearhead.nets import attention as net_attention
from clearhead.nets import long_attention as net_long_attention
from clearhead.nets import losses as net_losses
from clearhead.nets import softmax as net_softmax
from clearhead.nets.circuits import hidden_states
from clearhead.nets.heads import MultiHeadAttention
from clearhead.nets.masks import causal_mask
from clearhead.nets.models import GPT, TextEncoder
from clearhead.pretrained.convert import to_arrays
from support.discovery import FUNCTIONS
from support.edge_cases import FLOATS, OUR_TWINS, OURS
from support.shape_tables import SIZES, call, each, examples

#: How a docstring says, under "Raises", that a function cannot do with so little.
TOO_LITTLE = re.compile(r"at least|fewer than|wider than|nothing to")


def may_refuse(function):
    """Return whether the docstring says that too little is an error."""
    return TOO_LITTLE.search("\n".join(section(function, "Raises"))) is not None


def test_few_functions_are_left_out():
    """What the docstrings excuse is little: else these tests would prove nothing."""
    assert len(FUNCTIONS) - len(OURS) < len(FUNCTIONS) // 20
    assert len(OURS) - len(FLOATS) < len(OURS) // 4
    assert sum(may_refuse(p.values[0]) for p in OURS) < len(OURS) // 8


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# For every function, by its shape table


def results(function, **how):
    """Return what a function gives on examples, without dicts of gradients."""
    return [result for result in call(function, examples(function, **how)) if not isinstance(result, dict)]


def shapes(function, leading=(2, 10), **sizes):
    rows = [row for row in table(function, "Returns") if row.dtype]
    return [shape(row.axes, SIZES | sizes, leading) for row in rows]


@pytest.mark.parametrize("function", OURS)
def test_a_batch_of_nothing(function):
    assert [np.shape(r) for r in results(function, leading=(0, 2))] == shapes(function, leading=(0, 2))


@pytest.mark.parametrize("function", OURS)
@pytest.mark.parametrize("length", [0, 1])
def test_a_text_of_no_token_or_one(function, length):
    sizes = dict(T=length, S=length)
    with contextlib.suppress(*[ValueError] * may_refuse(function)):
        found = results(function, sizes=sizes)
        promised(function, found, sizes)


def promised(function, found, sizes):
    """Fail unless results have the shapes that the docstring promises, without NaN."""
    assert [np.shape(r) for r in found] == shapes(function, **sizes)
    assert not any(np.isnan(r).any() for r in found)


@pytest.mark.parametrize("function", OURS)
def test_strides_do_not_matter(function):
    """The same numbers in another order of memory, with gaps, give the same result."""

    def scattered(array):
        wide = np.zeros((*array.shape, 2), dtype=array.dtype)
        wide[..., 0] = array
        return np.asfortranarray(wide)[..., 0]

    expected = call(function, examples(function))
    tolerance = 1e-6 if function.__name__ == "numerical_gradient" else 1e-10
    found = call(function, each(scattered, examples(function)))
    for f, e in zip(found, expected, strict=True):
        each_close(f, e, tolerance)


def each_close(found, expected, tolerance):
    if isinstance(found, dict):
        for name in found:
            each_close(found[name], expected[name], tolerance)
    elif isinstance(found, list):
        for f, e in zip(found, expected, strict=True):
            each_close(f, e, tolerance)
    else:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("function", FLOATS)
def test_float32_stays_float32(function):
    single = lambda array: array.astype(np.float32) if array.dtype == float else array  # noqa: E731
    for result in call(function, each(single, examples(function))):
        if not isinstance(result, dict) and np.asarray(result).dtype.kind == "f":
            assert np.asarray(result).dtype == np.float32


@pytest.mark.parametrize(("in_numpy", "in_torch"), OUR_TWINS)
@pytest.mark.parametrize("how", [dict(leading=(0, 2)), dict(sizes=dict(T=1, S=1)), dict(sizes=dict(T=0))])
def test_twins_agree_on_little(in_numpy, in_torch, how):
    given = examples(in_numpy, **how)
    try:
        expected = call(in_numpy, given)
    except ValueError:
        assert may_refuse(in_numpy)
        with pytest.raises((ValueError, IndexError)):
            call(in_torch, each(torch.from_numpy, given))
        return
    found = call(in_torch, each(torch.from_numpy, given))
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f.numpy(), e, rtol=1e-5, atol=1e-10, strict=False)
        assert tuple(f.shape) == np.shape(e)


# Nowhere to look

NOWHERE = np.array([[True, True, False], [False, False, False]])


def tensors(*arrays):
    return [torch.from_numpy(np.asarray(array)) for array in arrays]


def example():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 2, 4)), rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 5))


def test_fully_masked_query_gets_zeros_in_every_path():
    """A query with nowhere to look gets zeros in every path."""
    Q, K, V = example()
    every = {
        "visible": attention.scaled_dot_product_attention(Q, K, V, NOWHERE)[0],
        "chunked": long_attention.chunked_attention(Q, K, V, NOWHERE, chunk=2),
        "visible torch": net_attention.scaled_dot_product_attention(*tensors(Q, K, V, NOWHERE))[0],
        "fast torch": net_attention.fast_attention(*tensors(Q, K, V, NOWHERE)),
        "chunked torch": net_long_attention.chunked_attention(*tensors(Q, K, V, NOWHERE), chunk=2),
    }
    for name, Z in every.items():
        assert not np.asarray(Z)[:, 1].any(), name
        np.testing.assert_allclose(Z, every["visible"], atol=1e-12, err_msg=name)


@pytest.mark.parametrize("path", [
    lambda *qkv: net_attention.scaled_dot_product_attention(*qkv)[0],
    net_attention.fast_attention,
    lambda *qkv: net_long_attention.chunked_attention(*qkv, chunk=2),
])  # fmt: skip
def test_its_gradients_are_finite_and_zero(path):
    Q, K, V = (tensor.requires_grad_() for tensor in tensors(*example()))
    path(Q, K, V, torch.from_numpy(NOWHERE)).sum().backward()
    assert all(torch.isfinite(x.grad).all() for x in (Q, K, V))
    assert not Q.grad[:, 1].any()
    assert not V.grad[:, 2].any()
    A = attention.scaled_dot_product_attention(*example(), NOWHERE)[1]
    by_hand = gradients.attention_gradients(np.ones((2, 2, 5)), *example(), A)
    for found, expected in zip(by_hand, (Q, K, V), strict=True):
        np.testing.assert_allclose(found, expected.grad.numpy(), atol=1e-12)


def test_a_sentence_of_padding_alone_gives_no_nan():
    """Its tokens look nowhere in every block; the model and its gradients stay finite."""
    model, ids = TextEncoder(9, 4, 8, 2, 2), torch.tensor([[1, 2, 3], [0, 0, 0]])
    mask = torch.from_numpy(masks.padding_mask(np.array([3, 0]), 3))
    x = model(ids, mask)
    x.sum().backward()
    assert torch.isfinite(x).all()
    assert all(torch.isfinite(w.grad).all() for w in model.parameters() if w.grad is not None)
    module = MultiHeadAttention(8, 2)
    x = torch.randn(2, 3, 8)
    Z, A = module.forward_with_weights(x, x, mask)
    torch.testing.assert_close(module(x, x, mask), Z)
    assert not A[1].any()


def test_a_row_of_minus_infinity():
    scores = np.array([[-np.inf] * 3, [0.0, -np.inf, 0.0]])
    for soft, log_soft, divided, to in (
        (softmax.softmax, softmax.log_softmax, softmax.scale_by_temperature, np.asarray),
        (net_softmax.softmax, net_softmax.log_softmax, net_softmax.scale_by_temperature, torch.tensor),
    ):
        np.testing.assert_array_equal(soft(to(scores)), [[0, 0, 0], [0.5, 0, 0.5]])
        np.testing.assert_allclose(log_soft(to(scores))[0], -np.inf)
        np.testing.assert_allclose(log_soft(to(scores))[1], [-np.log(2), -np.inf, -np.log(2)])
        np.testing.assert_array_equal(soft(divided(to(scores), 0)), [[0, 0, 0], [0.5, 0, 0.5]])


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_row_of_minus_infinity_in_chunks(chunk):
    """A row of minus infinity a few columns at a time."""
    scores = np.array([[-np.inf] * 3, [0.0, -np.inf, 0.0], [-np.inf, -np.inf, 7.0]])
    expected = [[0, 0, 0], [0.5, 0, 0.5], [0, 0, 1]]
    np.testing.assert_array_equal(long_attention.online_softmax(scores, chunk), expected)
    found = net_long_attention.online_softmax(torch.from_numpy(scores), chunk)
    np.testing.assert_array_equal(found, expected)


def test_temperature_0_picks_in_each_row():
    scores, best = np.array([[1.0, 2.0, 3.0], [6.0, 5.0, 6.0]]), [[0, 0, 1], [0.5, 0, 0.5]]
    np.testing.assert_array_equal(softmax.softmax(softmax.scale_by_temperature(scores, 0)), best)
    tensor = torch.from_numpy(scores)
    found = net_softmax.softmax(net_softmax.scale_by_temperature(tensor, 0))
    np.testing.assert_array_equal(found, best)


def test_no_target_counts():
    logits, targets = np.ones((3, 4)), np.full(3, losses.IGNORE)
    assert losses.cross_entropy(logits, targets) == 0
    tensor = torch.from_numpy(logits).requires_grad_()
    loss = net_losses.cross_entropy(tensor, torch.from_numpy(targets))
    loss.backward()
    assert loss == 0
    assert not tensor.grad.any()


def test_more_than_256_rows():
    """Up to 256 Python keeps one object a number, so a check of sizes could say `is` for `==`."""
    rng = np.random.default_rng(0)
    K, V = rng.normal(size=(300, 4)), rng.normal(size=(300, 3))
    Z, _weights = attention.soft_lookup(K[7], K, V)
    np.testing.assert_allclose(Z, softmax.softmax(K @ K[7]) @ V)
    images = rng.normal(size=(2, 36, 34, 1))
    patches = vision.patchify(images, 2)
    assert patches.shape == (2, 306, 4)
    np.testing.assert_array_equal(vision.unpatchify(patches, 36, 34, 2), images)


# Huge scores and half precision


@pytest.mark.parametrize("size", [1e4, -1e4])
def test_huge_scores(size):
    scores = np.array([[size, 0.0, -size], [size, size, size]])
    for soft, to in ((softmax.softmax, np.asarray), (net_softmax.softmax, torch.from_numpy)):
        best = [1, 0, 0] if size > 0 else [0, 0, 1]
        np.testing.assert_allclose(soft(to(scores)), [best, [1 / 3] * 3], rtol=1e-12)
    np.testing.assert_allclose(softmax.log_softmax(scores)[0].min(), -2e4)
    assert losses.cross_entropy(scores[:1], np.array([1])) == 1e4
    assert np.isfinite(layers.gelu(scores)).all()
    assert np.isfinite(layers.sigmoid(scores)).all()
    np.testing.assert_allclose(layers.silu(scores), np.maximum(scores, 0))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_half_precision_in_numpy(dtype):
    """Q Kᵀ would be 81,920 before the scaling: more than float16 holds."""
    Q = K = np.full((1, 2, 64), 160.0 / 4.5, dtype=dtype)
    V = np.eye(2, 3, dtype=dtype)[None]
    mask = masks.causal_mask(2)
    for Z in (
        attention.scaled_dot_product_attention(Q, K, V, mask)[0],
        long_attention.chunked_attention(Q, K, V, mask, chunk=1),
        long_attention.sliding_window_attention(Q, K, V, 2),
    ):
        assert Z.dtype == dtype
        np.testing.assert_allclose(Z[0], [[1, 0, 0], [0.5, 0.5, 0]], rtol=1e-3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_half_precision_in_torch(dtype):
    Q = K = torch.full((1, 2, 64), 160.0 / 4.5, dtype=dtype)
    V = torch.eye(2, 3, dtype=dtype)[None]
    mask = torch.from_numpy(masks.causal_mask(2))
    for Z in (
        net_attention.scaled_dot_product_attention(Q, K, V, mask)[0],
        net_attention.fast_attention(Q, K, V, mask),
        net_attention.fast_attention(Q, K, V, causal=True),
        net_long_attention.chunked_attention(Q, K, V, mask, chunk=1),
        net_long_attention.sliding_window_attention(Q, K, V, 2),
    ):
        assert Z.dtype == dtype
        expected = torch.tensor([[[1, 0, 0], [0.5, 0.5, 0]]])
        torch.testing.assert_close(Z.float(), expected, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_a_model_keeps_its_precision(dtype):
    model = GPT(9, 4, 8, 2, 2).to(dtype)
    logits = model(torch.tensor([[1, 2, 3]]))
    assert logits.dtype == dtype
    assert torch.isfinite(logits).all()


# Little, and nothing


def test_a_gpt_on_little():
    model = GPT(9, 4, 8, 2, 2, generator=torch.Generator().manual_seed(0)).double()
    parameters = to_arrays(model)
    for size in ((2, 1), (0, 3), (2, 0), (4,)):
        ids = np.zeros(size, dtype=int)
        expected = gpt(ids, parameters, 2)
        assert expected.shape == (*size, 9)
        np.testing.assert_allclose(model(torch.from_numpy(ids)).detach(), expected, atol=1e-12)


def test_no_key_at_all_gives_zeros():
    Q, K, V = np.ones((2, 4)), np.ones((0, 4)), np.ones((0, 3))
    Z, A = attention.scaled_dot_product_attention(Q, K, V)
    assert A.shape == (2, 0)
    paths = net_attention.fast_attention, net_long_attention.chunked_attention
    for found in (
        Z, long_attention.chunked_attention(Q, K, V), *(path(*tensors(Q, K, V)) for path in paths)
    ):  # fmt: skip
        np.testing.assert_array_equal(found, np.zeros((2, 3)))


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_what_passes_from_block_to_block(layers):
    model, ids = GPT(7, 5, 8, 2, layers), torch.tensor([[1, 2, 3]])
    expected = [model.tokens(ids) + model.positions.weight[:3]]
    for block in model.blocks:
        expected.append(block(expected[-1], causal_mask(3)))
    found = hidden_states(model, ids)
    torch.testing.assert_close(found, torch.stack(expected).detach())
    assert not found.requires_grad
    assert not any(block._forward_hooks or block._forward_pre_hooks for block in model.blocks)
    with pytest.raises(ValueError, match="Linear has no blocks"):
        hidden_states(torch.nn.Linear(2, 2), torch.ones(2))


def test_the_arrays_of_a_model_are_copies():
    model = GPT(9, 4, 8, 2, 1)
    to_arrays(model)["blocks"][0]["attention"]["query"]["weight"][:] = 7
    assert not (model.blocks[0].attention.query.weight == 7).any()
