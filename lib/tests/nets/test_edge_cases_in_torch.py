"""Where attention breaks elsewhere, for all that learns: the fast and the visible path, forward and back."""

import math
from functools import partial

import numpy as np
import pytest
import torch

from clearhead.maths import gradients, layers, losses, vectors
from clearhead.nets import attention, long_attention, single_head
from clearhead.nets import layers as net_layers
from clearhead.nets import losses as net_losses
from clearhead.nets import softmax as net_softmax
from clearhead.nets import vectors as net_vectors
from clearhead.nets.heads import GroupedQueryAttention, MultiHeadAttention
from clearhead.nets.models import EncoderDecoder, TextEncoder
from clearhead.nets.transformer import DecoderBlock, EncoderBlock, PostNormDecoderBlock, PostNormEncoderBlock
from clearhead.pretrained.convert import to_arrays
from support.discovery import MODULE_TWINS
from support.edge_cases import FLOATS, OUR_TWINS, keeps_the_precision
from support.shape_tables import call, each, examples
from support.twin_modules import SQUARE, build, signature_of

HALVES = [torch.float16, torch.bfloat16]
PRECISION = {torch.float16: 2e-2, torch.bfloat16: 1e-1}


tensor_each = partial(each, kind=torch.Tensor)


def tensors(example):
    """Return an example made of arrays, made of tensors."""
    return each(torch.from_numpy, example)


def as_floats(dtype):
    return lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor


def with_gaps(tensor):
    """Return the same numbers in another order of memory, with gaps between them."""
    wide = torch.zeros(*reversed(tensor.shape), 2, dtype=tensor.dtype)[..., 0].permute(
        *reversed(range(tensor.ndim))
    )
    return wide.copy_(tensor)


def paths(module):
    """Return the fast path of a module, and the visible one where it has one of its own."""
    visible = [lambda **given: module.forward_with_weights(**given)[0]]
    return [module, *(visible if isinstance(module, GroupedQueryAttention) else [])]


def inputs_of(module, in_numpy, **how):
    how["sizes"] = SQUARE | how.get("sizes", {})
    found = examples(in_numpy, **how)
    return tensors({name: found[name] for name in signature_of(module) if name in found})


# Little, and nothing


@pytest.mark.parametrize("how", [
    dict(leading=(0, 2)), dict(leading=(0,)), dict(leading=(2,), sizes=dict(T=1, S=1)),
    dict(leading=(2,), sizes=dict(T=0)), dict(leading=(2,), sizes=dict(T=0, S=0)),
    dict(leading=(2,), sizes=dict(S=0)),
])  # fmt: skip
@pytest.mark.parametrize(("in_numpy", "kind"), MODULE_TWINS)
def test_modules_on_little(in_numpy, kind, how):
    """As NumPy does, forward; and back without NaN."""
    if in_numpy.__name__ == "vqa_model" and "S" in how.get("sizes", {}):
        pytest.skip("its table of places wants as many patches")
    module = build(kind)
    given = inputs_of(module, in_numpy, **how)
    arguments = examples(in_numpy, **(how | {"sizes": SQUARE | how.get("sizes", {})}))
    arguments |= {"parameters": to_arrays(module)}
    arguments.pop("activation", None)
    expected = call(in_numpy, arguments)[0]
    for path in paths(module):
        found = path(**given)
        np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-10, atol=1e-10, strict=True)
        found.sum().backward()
        assert all(w.grad is None or torch.isfinite(w.grad).all() for w in module.parameters())


# Strides, and arguments left alone


@pytest.mark.parametrize(("in_numpy", "in_torch"), OUR_TWINS)
def test_strides_do_not_matter_to_functions(in_numpy, in_torch):
    given = tensors(examples(in_numpy))
    before = tensor_each(torch.clone, given)
    expected, found = call(in_torch, given), call(in_torch, tensor_each(with_gaps, before))
    tensor_each_pair(lambda a, b: torch.testing.assert_close(a, b, rtol=0, atol=0), given, before)
    for f, e in zip(found, expected, strict=True):
        torch.testing.assert_close(f, e, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("in_numpy", "kind"), MODULE_TWINS)
def test_strides_do_not_matter_to_modules(in_numpy, kind):
    module = build(kind)
    given = inputs_of(module, in_numpy, leading=(2,))
    before = tensor_each(torch.clone, given)
    for path in paths(module):
        expected, found = path(**given), path(**tensor_each(with_gaps, before))
        tensor_each_pair(lambda a, b: torch.testing.assert_close(a, b, rtol=0, atol=0), given, before)
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


def tensor_each_pair(compare, one, other):
    if isinstance(one, dict):
        for name in one:
            tensor_each_pair(compare, one[name], other[name])
    elif isinstance(one, list | tuple):
        for a, b in zip(one, other, strict=True):
            tensor_each_pair(compare, a, b)
    elif isinstance(one, torch.Tensor):
        compare(one, other)


def test_the_example_with_gaps_has_gaps():
    x = torch.arange(24.0).reshape(2, 3, 4)
    assert torch.equal(with_gaps(x), x)
    assert not with_gaps(x).is_contiguous()
    assert with_gaps(x).stride() == (2, 4, 12)


# Half precision


# A relu is open or shut: near 0, a rounding in the norm before it decides between all and nothing. And the
# squares are float32, for that half precision ends at 65,504. A number between two codes takes either.
NOT_IN_HALF = {
    "numerical_gradient",
    "identity_plus_hadamard",
    "encoder_block_gradients",
    "safe_square",
    "round_to_bits",
}
NOT_IN_HALF |= {"low_rank_error"}  # NumPy has no singular values of half precision
TWINS_IN_HALF = [p for p in OUR_TWINS if keeps_the_precision(p.values[0])]


@pytest.mark.parametrize("function", [p for p in FLOATS if p.values[0].__name__ not in NOT_IN_HALF])
def test_float16_in_numpy(function):
    """Small numbers, as of a model that was started well: no overflow (a warning is an error here)."""
    half = lambda array: (array / 4).astype(np.float16) if array.dtype == float else array  # noqa: E731
    given = each(half, examples(function))
    wide = each(lambda array: array.astype(float) if array.dtype == np.float16 else array, given)
    found, expected = call(function, given), call(function, wide)
    for f, e in zip(found, expected, strict=True):
        if isinstance(e, np.ndarray) and e.dtype == float:
            assert f.dtype == np.float16
            np.testing.assert_array_equal(np.isfinite(f), np.isfinite(e))
            f, e = np.where(np.isfinite(e), f, 0), np.where(np.isfinite(e), e, 0)
            assert np.abs(f - e).max(initial=0) <= 3e-2 * max(np.abs(e).max(initial=0), 1)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize(("in_numpy", "in_torch"), TWINS_IN_HALF)
def test_half_precision_in_functions(in_numpy, in_torch, dtype):
    given = tensor_each(
        lambda t: (t / 4).to(dtype) if t.dtype == torch.float64 else t, tensors(examples(in_numpy))
    )
    expected = call(in_torch, tensor_each(as_floats(torch.float64), given))
    for f, e in zip(call(in_torch, given), expected, strict=True):
        if e.is_floating_point():
            assert f.dtype == dtype
            torch.testing.assert_close(f.double(), e, rtol=PRECISION[dtype], atol=PRECISION[dtype])


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize(("in_numpy", "kind"), MODULE_TWINS)
def test_half_precision_in_modules(in_numpy, kind, dtype):
    """Both paths, forward and back."""
    torch.manual_seed(0)
    module = build(kind)
    for weight in module.parameters():
        weight.data /= 2 * math.sqrt(weight.shape[-1])
    given = inputs_of(module, in_numpy, leading=(2,))
    expected = module(**given)
    module.to(dtype)
    for path in paths(module):
        found = path(**tensor_each(as_floats(dtype), given))
        assert found.dtype == dtype
        torch.testing.assert_close(found.double(), expected, rtol=PRECISION[dtype], atol=PRECISION[dtype])
        found.float().sum().backward()
        assert all(w.grad is None or torch.isfinite(w.grad).all() for w in module.parameters())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, float])
@pytest.mark.parametrize("size", [1, 100])
def test_squares_that_half_precision_cannot_hold(dtype, size):
    """300² is more than 65,504. Norms, unit vectors and activations must not notice."""
    x = (np.array([[300.0, -300, 200, 100], [0, 0, 0, 0]]) * size).astype(dtype)
    one, zero = np.ones(4, dtype), np.zeros(4, dtype)
    exact, tolerance = x.astype(float), 3e-3 if dtype is np.float16 else 1e-5
    for in_numpy, in_torch, more in (
        (layers.layer_norm, net_layers.layer_norm, (one, zero)),
        (layers.rms_norm, net_layers.rms_norm, (one,)),
        (vectors.unit_vectors, net_vectors.unit_vectors, ()),
        (layers.gelu_tanh, net_layers.gelu_tanh, ()),
        (layers.gelu, net_layers.gelu, ()),
        (layers.silu, net_layers.silu, ()),
    ):
        expected = in_numpy(exact, *(m.astype(float) for m in more))
        found = in_numpy(x, *more)
        by_torch = in_torch(*map(torch.from_numpy, (x, *more))).numpy()
        assert found.dtype == by_torch.dtype == dtype
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=1e-6)
        np.testing.assert_allclose(by_torch, expected, rtol=tolerance, atol=1e-6)
    dx, expected = (
        gradients.layer_norm_gradients(np.ones_like(of) * [1, 2, 3, 4], of, {"gain": one})[0]
        for of in (x, exact)
    )
    np.testing.assert_allclose(dx[0], expected[0], atol=1e-4)


# Nowhere to look, and huge scores


def qkv_paths():
    """Return every way of this library from Q, K, V and a mask to Z."""
    weights = [torch.eye(4, dtype=torch.float64)] * 3
    return {
        "visible": lambda Q, K, V, mask: attention.scaled_dot_product_attention(Q, K, V, mask)[0],
        "fast": attention.fast_attention,
        "chunked": lambda *given: long_attention.chunked_attention(*given, chunk=2),
        "self": lambda Q, K, V, mask: single_head.self_attention(Q, *(w.to(Q.dtype) for w in weights), mask)[
            0
        ],
        "cross": lambda Q, K, V, mask: single_head.cross_attention(
            Q, K, *(w.to(Q.dtype) for w in weights), mask
        )[0],
    }


@pytest.mark.parametrize("dtype", [*HALVES, torch.float32, torch.float64])
@pytest.mark.parametrize("name", qkv_paths())
def test_nowhere_to_look_in_every_path(name, dtype):
    """Row 1 looks nowhere: zeros, and its gradients are zeros; nothing else is spoilt. So with all masked."""
    generator = torch.Generator().manual_seed(0)
    for mask in (torch.tensor([[1, 1, 0], [0, 0, 0], [1, 1, 1]]) == 1, torch.zeros(3, 3) == 1):
        Q, K, V = (torch.randn(2, 3, 4, generator=generator).to(dtype).requires_grad_() for _ in range(3))
        Z = qkv_paths()[name](Q, K, V, mask)
        assert not Z[:, ~mask.any(dim=1)].any()
        assert torch.isfinite(Z).all()
        assert mask.any() == Z.any()
        Z.sum().backward()
        used = [x.grad for x in (Q, K, V) if x.grad is not None]
        assert all(torch.isfinite(gradient).all() for gradient in used)
        if name not in ("self",):
            assert not Q.grad[:, 1].any()


@pytest.mark.parametrize("kind", [
    MultiHeadAttention, GroupedQueryAttention, EncoderBlock, PostNormEncoderBlock, DecoderBlock,
    PostNormDecoderBlock,
])  # fmt: skip
def test_nowhere_to_look_in_modules(kind):
    """Both paths agree, and gradients are finite: for x, the context and every weight."""
    module = build(kind)
    width, generator = (
        module.state_dict()["attention.query.weight"].shape[1]
        if hasattr(module, "attention")
        else module.query.in_features,
        torch.Generator().manual_seed(1),
    )
    x, context = (torch.randn(2, 3, width, generator=generator, dtype=torch.float64) for _ in range(2))
    x.requires_grad_()
    context.requires_grad_()
    mask = torch.tensor([[1, 1, 0], [0, 0, 0], [1, 1, 1]]) == 1
    reads = "context" in signature_of(module)
    for path in paths(module):
        for causal in (False, True):
            Z = path(x=x, mask=mask, causal=causal, **({"context": context} if reads else {}))
            assert torch.isfinite(Z).all()
            Z.square().sum().backward()
            leaves = [x, *([context] if reads else []), *module.parameters()]
            assert all(torch.isfinite(leaf.grad).all() for leaf in leaves)
    if isinstance(module, GroupedQueryAttention):
        torch.testing.assert_close(module(x, context, mask), module.forward_with_weights(x, context, mask)[0])
        torch.testing.assert_close(module(x, context, mask)[:, 1], module.output.bias.expand(2, -1))


def test_a_source_of_padding_alone():
    """The encoder of a translation sees nothing in one of its texts; loss and gradients stay finite."""
    model = EncoderDecoder(9, 8, 2, 1)
    source, target = torch.tensor([[1, 2, 3], [0, 0, 0]]), torch.tensor([[1, 2], [3, 4]])
    logits = model(source, target, (source != 0)[:, None, None, :])
    loss = net_losses.cross_entropy(logits, target)
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(weight.grad).all() for weight in model.parameters())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1e4, -1e4])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name", qkv_paths())
def test_scores_of_ten_thousand(name, masked, size, dtype):
    """Each query finds its best key, or its worst: finite forward and back, as in NumPy."""
    Q = torch.eye(3, 4, dtype=dtype)[None] * abs(2 * size) ** 0.5
    K, V = (
        Q * (1 if size > 0 else -1),
        torch.tensor([[[1.0, 2, 0, 0], [3, 4, 0, 0], [5, 6, 0, 0]]], dtype=dtype),
    )
    Q, K, V = (x.clone().requires_grad_() for x in (Q, K, V))
    mask = torch.ones(3, 3, dtype=torch.bool) if masked else None
    Z = qkv_paths()[name](Q, K, V, mask)
    if name == "self":
        best = Q
    elif name == "cross":
        best = K if size > 0 else (K.sum(dim=1, keepdim=True) - K) / 2
    else:
        best = V if size > 0 else (V.sum(dim=1, keepdim=True) - V) / 2
    torch.testing.assert_close(Z, best)
    Z.sum().backward()
    assert all(torch.isfinite(x.grad).all() for x in (Q, K, V) if x.grad is not None)


@pytest.mark.parametrize("dtype", [*HALVES, torch.float32, torch.float64])
def test_logits_of_ten_thousand(dtype):
    logits = torch.tensor([[1e4, 0, -1e4], [-1e4, -1e4, 1e4], [1e4, 1e4, 1e4]], dtype=dtype)
    targets = torch.tensor([0, 2, 1])
    logits.requires_grad_()
    loss = net_losses.cross_entropy(logits, targets)
    loss.backward()
    torch.testing.assert_close(
        loss.double(), torch.tensor(math.log(3) / 3, dtype=torch.double), rtol=1e-2, atol=0
    )
    expected = gradients.cross_entropy_gradient(logits.detach().double().numpy(), targets.numpy())
    torch.testing.assert_close(logits.grad.double(), torch.from_numpy(expected), rtol=1e-2, atol=1e-3)
    assert losses.cross_entropy(np.array([[1e4, -1e4]], dtype=np.float16), np.array([1])) == 2e4
    for activation in (
        net_layers.gelu,
        net_layers.gelu_tanh,
        net_layers.silu,
        net_layers.relu,
    ):
        x = torch.tensor([1e4, -1e4, 0.0], dtype=dtype, requires_grad=True)
        y = activation(x)
        y.sum().backward()
        torch.testing.assert_close(y[:2], torch.relu(x)[:2])
        assert torch.isfinite(x.grad).all()


# Odd widths

IDS = torch.zeros(1, 2, dtype=torch.long)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: EncoderDecoder(9, 9, 3, 1)(IDS, IDS), "d_model is 9: D/2 is 9/2"),
    (lambda: TextEncoder(9, 4, 9, 2, 1), "got d_model 9 and num_heads 2"),
    (lambda: EncoderBlock(9, 2), "got d_model 9 and num_heads 2"),
    (lambda: GroupedQueryAttention(9, 2, 1), "got d_model 9 and num_heads 2"),
])  # fmt: skip
def test_an_odd_width_is_refused_with_both_numbers(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_fully_masked_row_affects_no_other_row():
    """A row that sees nothing is alone in it under several axes."""
    scores = torch.randn(2, 3, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    scores[0, 1] = -torch.inf
    expected = torch.log_softmax(scores, dim=-1)
    expected[0, 1] = -torch.inf
    torch.testing.assert_close(net_softmax.log_softmax(scores), expected)
    expected = expected.exp()
    torch.testing.assert_close(net_softmax.softmax(scores), expected)
