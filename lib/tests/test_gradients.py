"""Gradients by hand equal autograd, and equal what happens when an input is nudged."""

import numpy as np
import pytest
import torch

from clearhead.maths import activation_gradients, block_gradients, gradients, layer_gradients
from clearhead.maths import layers as in_numpy
from clearhead.maths import norms as norms_in_numpy
from clearhead.maths.activations import gelu, relu
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.gradients import numerical_gradient
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.losses import cross_entropy
from clearhead.maths.softmax import softmax
from clearhead.maths.transformer import encoder_block
from clearhead.nets import activations as net_activations
from clearhead.nets import attention as net_attention
from clearhead.nets import layers as net_layers
from clearhead.nets import losses as net_losses
from clearhead.nets import norms as net_norms
from clearhead.nets import softmax as net_softmax
from clearhead.nets import transformer as net_transformer
from clearhead.nets.heads import MultiHeadAttention
from clearhead.nets.transformer import EncoderBlock
from clearhead.pretrained.convert import to_arrays
from shape_tables import each, examples

SMALL = dict(B=2, T=3, S=4, D=6, H=2, d=2, e=3, F=5, V=4)


def autograd(function, dy, *inputs):
    """Return what autograd says about the inputs of a function of tensors."""
    leaves = [torch.from_numpy(x).requires_grad_() for x in inputs]
    output = function(*leaves)
    (output[0] if isinstance(output, tuple) else output).backward(torch.from_numpy(np.asarray(dy)))
    return [leaf.grad.numpy() for leaf in leaves]


def inputs(function, leading=(2,)):
    return examples(function, sizes=SMALL, leading=leading)


def assert_close(found, expected, tolerance=1e-10):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, strict=True)


def assert_right(found, function, twin, dy, *at):
    """Compare gradients with autograd closely, and with nudges as closely as nudges allow."""
    for gradient, expected in zip(found, autograd(twin, dy, *at), strict=True):
        assert_close(gradient, expected)
    for place, gradient in enumerate(found):

        def loss(x, place=place):
            output = function(*at[:place], x, *at[place + 1 :])
            return float((dy * (output[0] if isinstance(output, tuple) else output)).sum())

        assert_close(gradient, numerical_gradient(loss, at[place]), 1e-6)


def test_softmax():
    given = inputs(gradients.softmax_gradient)
    scores, dA = given["A"], given["dA"]
    assert_right([gradients.softmax_gradient(dA, softmax(scores))], softmax, net_softmax.softmax, dA, scores)


@pytest.mark.parametrize("masked", [False, True])
def test_attention(masked):
    given = inputs(gradients.attention_gradients)
    Q, K, V, dZ = (given[name] for name in ("Q", "K", "V", "dZ"))
    mask = None
    if masked:
        mask = np.random.default_rng(1).random((Q.shape[-2], K.shape[-2])) < 0.6
        mask[1] = False  # one query with nowhere to look
    A = scaled_dot_product_attention(Q, K, V, mask)[1]
    tensor_mask = None if mask is None else torch.from_numpy(mask)
    assert_right(
        gradients.attention_gradients(dZ, Q, K, V, A),
        lambda *qkv: scaled_dot_product_attention(*qkv, mask),
        lambda *qkv: net_attention.scaled_dot_product_attention(*qkv, tensor_mask),
        dZ, Q, K, V,
    )  # fmt: skip


@pytest.mark.parametrize("leading", [
    ((4,), (), (), ()), ((), (4,), (4,), ()), ((), (), (4,), ()), ((), (), (), (4,)),
    ((1,), (5,), (1,), ()), ((2, 3), (3,), (2, 1), (2, 1)),
])  # fmt: skip
def test_attention_where_one_table_served_a_whole_batch(leading):
    """The shares of the batch are added up: each gradient is shaped like its own input."""
    rng, shapes = np.random.default_rng(3), ((3, 2), (4, 2), (4, 5), (3, 4))
    Q, K, V, chance = (rng.random((*front, *shape)) for front, shape in zip(leading, shapes, strict=True))
    mask = chance < 0.6
    Z, A = scaled_dot_product_attention(Q, K, V, mask)
    dZ = rng.normal(size=Z.shape)
    assert_right(
        gradients.attention_gradients(dZ, Q, K, V, A),
        lambda *qkv: scaled_dot_product_attention(*qkv, mask),
        lambda *qkv: net_attention.scaled_dot_product_attention(*qkv, torch.from_numpy(mask)),
        dZ, Q, K, V,
    )  # fmt: skip


@pytest.mark.parametrize(("by_hand", "function", "twin"), [
    (activation_gradients.relu_gradient, relu, net_activations.relu),
    (activation_gradients.gelu_gradient, gelu, net_activations.gelu),
])  # fmt: skip
def test_activations(by_hand, function, twin):
    given = inputs(by_hand)
    assert_right([by_hand(**given)], function, twin, given["dy"], given["x"])


def test_linear():
    given = inputs(layer_gradients.linear_gradients)
    bias = np.arange(5.0)
    found = layer_gradients.linear_gradients(**given)
    assert_right(found, in_numpy.linear, net_layers.linear, given["dy"], given["x"], given["weight"], bias)


def test_layer_norm():
    given = inputs(gradients.layer_norm_gradients)
    found = gradients.layer_norm_gradients(**given)
    bias = np.arange(6.0)
    assert_right(
        found, norms_in_numpy.layer_norm, net_norms.layer_norm, given["dy"], given["x"], given["gain"], bias
    )


def test_rms_norm():
    given = inputs(layer_gradients.rms_norm_gradients)
    found = layer_gradients.rms_norm_gradients(**given)
    assert_right(found, norms_in_numpy.rms_norm, net_norms.rms_norm, given["dy"], given["x"], given["gain"])


def test_embed():
    given = inputs(layer_gradients.embed_gradient)
    table, ids = np.random.default_rng(2).normal(size=(4, 6)), given["ids"] % 4
    found = layer_gradients.embed_gradient(given["dx"], ids, 4)
    assert_right(
        [found], lambda table: in_numpy.embed(ids, table),
        lambda table: net_layers.embed(torch.from_numpy(ids), table), given["dx"], table,
    )  # fmt: skip


@pytest.mark.parametrize("ignored", [0, 1, 6])
def test_cross_entropy(ignored):
    given = inputs(gradients.cross_entropy_gradient)
    targets = given["targets"] % 4
    targets.reshape(-1)[:ignored] = -100
    found = gradients.cross_entropy_gradient(given["logits"], targets)
    assert_right(
        [found], lambda logits: cross_entropy(logits, targets),
        lambda logits: net_losses.cross_entropy(logits, torch.from_numpy(targets)), 1.0, given["logits"],
    )  # fmt: skip
    if ignored < targets.size:
        twin = torch.nn.functional.cross_entropy
        leaf = torch.from_numpy(given["logits"]).requires_grad_()
        twin(leaf.reshape(-1, 4), torch.from_numpy(targets.reshape(-1))).backward()
        assert_close(found, leaf.grad.numpy())


def learned_gradients(module):
    """Return the gradients of a module's weights, under the names of maths."""
    for weight in module.parameters():
        weight.data = weight.grad
    return to_arrays(module)


def assert_same_gradients(found, expected):
    assert set(found) <= set(expected)
    for name in found:
        if isinstance(found[name], dict):
            assert_same_gradients(found[name], expected[name])
        else:
            assert_close(found[name], expected[name])


@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_feed_forward(activation):
    module = net_transformer.FeedForward(6, 5, getattr(net_activations, activation)).double()
    parameters, (dy, x) = to_arrays(module), np.random.default_rng(3).normal(size=(2, 2, 3, 6))
    by_hand = {"gelu": gelu, "relu": relu}[activation]
    dx, dparameters = block_gradients.feed_forward_gradients(dy, x, parameters, by_hand)
    assert_close(dx, autograd(module, dy, x)[0])
    assert_same_gradients(dparameters, learned_gradients(module))


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention(masked):
    module = MultiHeadAttention(6, 2).double()
    parameters, rng = to_arrays(module), np.random.default_rng(4)
    dZ, x, context = (rng.normal(size=(2, length, 6)) for length in (3, 3, 4))
    mask = rng.random((3, 4)) < 0.6 if masked else None
    *found, dparameters = block_gradients.multi_head_attention_gradients(dZ, x, context, parameters, 2, mask)
    tensor_mask = None if mask is None else torch.from_numpy(mask)
    for f, e in zip(found, autograd(lambda x, c: module(x, c, tensor_mask), dZ, x, context), strict=True):
        assert_close(f, e)
    assert_same_gradients(dparameters, learned_gradients(module))
    loss = lambda c: float((dZ * multi_head_attention(x, c, parameters, 2, mask)[0]).sum())  # noqa: E731
    assert_close(found[1], numerical_gradient(loss, context), 1e-6)


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
@pytest.mark.parametrize("causal", [False, True])
def test_a_whole_block(causal, epsilon):
    module = EncoderBlock(6, 2, 5, epsilon=epsilon).double()
    parameters, (dy, x) = to_arrays(module), np.random.default_rng(5).normal(size=(2, 2, 3, 6))
    mask = np.tril(np.ones((3, 3), dtype=bool)) if causal else None
    dx, dparameters = block_gradients.encoder_block_gradients(dy, x, parameters, 2, mask)
    assert_close(dx, autograd(lambda x: module(x, causal=causal), dy, x)[0])
    loss = lambda x: float((dy * encoder_block(x, parameters, 2, mask)).sum())  # noqa: E731
    assert_close(dx, numerical_gradient(loss, x), 1e-6)
    assert_same_gradients(dparameters, learned_gradients(module))


def test_arguments_may_be_read_only():
    given = each(lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape), inputs(softmax))
    softmax(**given)


def test_numerical_gradient_of_a_known_function():
    x = np.array([[1.0, -2.0], [3.0, 0.5]])
    assert_close(numerical_gradient(lambda x: (x**2).sum(), x), 2 * x, 1e-8)
