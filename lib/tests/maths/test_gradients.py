"""Each gradient by hand equals autograd, and what happens to the loss when single numbers are moved.

A function `name_gradient` or `name_gradients` is found by its name, and needs a comparison here.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from clearhead.maths import gpt_gradients, gradients, post_training, transformer
from clearhead.maths import layers as in_numpy
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.gradients import numerical_gradient
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.layers import relu
from clearhead.maths.losses import IGNORE, cross_entropy
from clearhead.maths.masks import causal_mask
from clearhead.maths.models import gpt
from clearhead.maths.softmax import softmax
from clearhead.maths.transformer import encoder_block
from clearhead.nets import attention as net_attention
from clearhead.nets import layers as net_layers
from clearhead.nets import losses as net_losses
from clearhead.nets import softmax as net_softmax
from clearhead.nets import transformer as net_transformer
from clearhead.nets.heads import MultiHeadAttention
from clearhead.nets.models import GPT
from clearhead.nets.transformer import EncoderBlock
from clearhead.pretrained.convert import to_arrays
from support.discovery import MATHS, members

BY_HAND = {
    name.removesuffix("s").removesuffix("_gradient")
    for module in MATHS.values()
    for name in members(module)
    if name.removesuffix("s").endswith("_gradient") and not name.startswith("check_")
} - {"numerical"}  # the judge


@dataclass
class Comparison:
    """Gradients by hand, what they belong to, the loss as a function of it, and what autograd says."""

    by_hand: Any
    at: Any
    loss: Any
    by_autograd: Any


def autograd(function, dy, **at):
    """Return what autograd says about the arguments of a function of tensors."""
    leaves = each_entry(lambda a: torch.from_numpy(a.copy()).requires_grad_(), at)
    function(**leaves).backward(torch.from_numpy(np.asarray(dy)))
    return each_entry(lambda leaf: leaf.grad.numpy(), leaves)


def learned_gradients(module):
    for weight in module.parameters():
        weight.data = weight.grad
    return to_arrays(module)


def each_entry(change, tree):
    """Return nested dicts with every entry in them changed."""
    if isinstance(tree, dict):
        return {name: each_entry(change, entry) for name, entry in tree.items()}
    return change(tree)


def pairs(found, expected):
    """Yield the arrays of two trees side by side; a norm's epsilon is no array."""
    if isinstance(found, np.ndarray):
        yield found, expected
    elif isinstance(found, dict):
        assert set(found) ^ set(expected) <= {"eps"}
        for name in found:
            yield from pairs(found[name], expected[name])
    elif isinstance(found, list):
        for one, other in zip(found, expected, strict=True):
            yield from pairs(one, other)


def assert_close(found, expected, tolerance=1e-10):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, strict=True)


def assert_right_by_autograd(comparison):
    for found, expected in pairs(comparison.by_hand, comparison.by_autograd):
        assert_close(found, expected)


def assert_right_by_nudging(comparison):
    """Move each number of each array, in place, and see how the loss moves."""
    for found, array in pairs(comparison.by_hand, comparison.at):

        def loss(values, array=array):
            before = array.copy()
            array[...] = values
            result = float(comparison.loss(**comparison.at))
            array[...] = before
            return result

        assert_close(found, numerical_gradient(loss, array), 1e-6)


def assert_right(comparison):
    assert_right_by_autograd(comparison)
    assert_right_by_nudging(comparison)


def compare_function(by_hand, function, twin, dy, **at):
    def loss(**at):
        return (dy * function(**at)).sum()

    return Comparison(by_hand, at, loss, autograd(twin, dy, **at))


def compare_module(by_hand, forward, module, in_torch, dy, **at):
    """Compare gradients with those of a module's inputs and weights; `in_torch` calls the module."""
    parameters = to_arrays(module)
    *found, dparameters = by_hand(dy, **at, parameters=parameters)
    by_hand = dict(zip(at, found, strict=True)) | {"parameters": dparameters}
    expected = autograd(in_torch, dy, **at) | {"parameters": learned_gradients(module)}
    at |= {"parameters": parameters}
    return Comparison(by_hand, at, lambda **at: (dy * forward(**at)).sum(), expected)


# One comparison for each gradient: from a random generator and the axes in front


def softmax_comparison(rng, leading):
    dA, scores = rng.normal(size=(2, *leading, 3, 4))
    by_hand = {"scores": gradients.softmax_gradient(dA, softmax(scores))}
    return compare_function(by_hand, softmax, net_softmax.softmax, dA, scores=scores)


def attention_comparison(rng, leading, *, masked=True, Q=(), K=(), V=()):
    Q, K, V = (
        rng.normal(size=(*leading, *front, *shape))
        for front, shape in ((Q, (3, 2)), (K, (4, 2)), (V, (4, 5)))
    )
    mask = rng.random((3, 4)) < 0.6
    mask[1] = False  # a query with nowhere to look
    mask = mask | (not masked)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)
    dZ = rng.normal(size=Z.shape)
    by_hand = dict(zip("QKV", gradients.attention_gradients(dZ, Q, K, V, A), strict=True))

    def in_torch(Q, K, V):
        return net_attention.scaled_dot_product_attention(Q, K, V, torch.from_numpy(mask))[0]

    def forward(Q, K, V):
        return scaled_dot_product_attention(Q, K, V, mask)[0]

    return compare_function(by_hand, forward, in_torch, dZ, Q=Q, K=K, V=V)


def cross_entropy_comparison(rng, leading, ignored=1):
    logits, targets = rng.normal(size=(*leading, 3, 4)), rng.integers(4, size=(*leading, 3))
    targets.reshape(-1)[:ignored] = IGNORE
    by_hand = {"logits": gradients.cross_entropy_gradient(logits, targets)}

    def in_torch(logits):
        return net_losses.cross_entropy(logits, torch.from_numpy(targets))

    return compare_function(
        by_hand, lambda logits: cross_entropy(logits, targets), in_torch, 1.0, logits=logits
    )


def relu_comparison(rng, leading):
    dy, x = rng.normal(size=(2, *leading, 3, 4))
    return compare_function({"x": gradients.relu_gradient(dy, x)}, relu, net_layers.relu, dy, x=x)


def linear_comparison(rng, leading, bias=True):
    x, dy = rng.normal(size=(*leading, 3, 4)), rng.normal(size=(*leading, 3, 5))
    parameters = {"weight": rng.normal(size=(4, 5))} | ({"bias": rng.normal(size=5)} if bias else {})
    by_hand = dict(zip(("x", "parameters"), gradients.linear_gradients(dy, x, parameters), strict=True))
    forward, in_torch = (
        lambda x, parameters, linear=layers.linear: linear(x, **parameters)
        for layers in (in_numpy, net_layers)
    )
    return compare_function(by_hand, forward, in_torch, dy, x=x, parameters=parameters)


def layer_norm_comparison(rng, leading):
    x, dy = rng.normal(size=(2, *leading, 3, 4))
    parameters = {"gain": rng.normal(size=4), "bias": rng.normal(size=4)}
    by_hand = dict(zip(("x", "parameters"), gradients.layer_norm_gradients(dy, x, parameters), strict=True))
    forward, in_torch = (
        lambda x, parameters, norm=module.layer_norm: norm(x, **parameters)
        for module in (in_numpy, net_layers)
    )
    return compare_function(by_hand, forward, in_torch, dy, x=x, parameters=parameters)


def embed_comparison(rng, leading):
    ids, table = rng.integers(4, size=(*leading, 3)), rng.normal(size=(5, 6))
    dx = rng.normal(size=(*leading, 3, 6))
    by_hand = {"table": gradients.embed_gradient(dx, ids, 5)}
    assert not by_hand["table"][4].any()
    return compare_function(
        by_hand, lambda table: in_numpy.embed(ids, table),
        lambda table: net_layers.embed(torch.from_numpy(ids), table), dx, table=table,
    )  # fmt: skip


def feed_forward_comparison(rng, leading):
    module = net_transformer.FeedForward(6, 5, net_layers.relu).double()
    dy, x = rng.normal(size=(2, *leading, 3, 6))

    def forward(x, parameters):
        return transformer.feed_forward(x, parameters, relu)

    return compare_module(gpt_gradients.feed_forward_gradients, forward, module, module, dy, x=x)


def multi_head_attention_comparison(rng, leading, bias=True):
    module, mask = MultiHeadAttention(6, 2, bias=bias).double(), rng.random((3, 4)) < 0.6
    mask[1] = False
    dZ, x, context = (rng.normal(size=(*leading, length, 6)) for length in (3, 3, 4))

    def by_hand(dZ, x, context, parameters):
        return gpt_gradients.multi_head_attention_gradients(dZ, x, context, parameters, 2, mask)

    def forward(x, context, parameters):
        return multi_head_attention(x, context, parameters, 2, mask)[0]

    def in_torch(x, context):
        return module(x, context, torch.from_numpy(mask))

    return compare_module(by_hand, forward, module, in_torch, dZ, x=x, context=context)


def encoder_block_comparison(rng, leading, causal=True, eps=0.1):
    module = EncoderBlock(6, 2, 5, activation=net_layers.relu, eps=eps).double()
    dy, x = rng.normal(size=(2, *leading, 3, 6))
    mask = causal_mask(3) if causal else None

    def by_hand(dy, x, parameters):
        return gpt_gradients.encoder_block_gradients(dy, x, parameters, 2, mask)

    def forward(x, parameters):
        return encoder_block(x, parameters, 2, mask, relu)

    return compare_module(by_hand, forward, module, lambda x: module(x, causal=causal), dy, x=x)


def gpt_comparison(rng, leading):
    """Two blocks, a position that is never reached, and a target that is not counted."""
    module = GPT(7, 4, 6, 2, 2, activation=net_layers.relu).double()
    for weight in module.parameters():
        weight.data = torch.from_numpy(rng.normal(size=weight.shape) / 2)
    ids, targets = rng.integers(7, size=(2, *leading, 3))
    targets.reshape(-1)[1:2] = IGNORE

    def by_hand(_, parameters):
        loss, dparameters = gpt_gradients.gpt_gradients(ids, targets, parameters, 2)
        assert_close(loss, cross_entropy(gpt(ids, parameters, 2, relu), targets))
        return [dparameters]

    def forward(parameters):
        return cross_entropy(gpt(ids, parameters, 2, relu), targets)

    def in_torch():
        return net_losses.cross_entropy(module(torch.from_numpy(ids)), torch.from_numpy(targets))

    return compare_module(by_hand, forward, module, in_torch, 1.0)


def window_comparison(rng, leading):
    """One axis in front: windows come as rows."""
    B, W, V, F = math.prod(leading), 2, 4, 3
    ids, targets, weights = rng.integers(V, size=(B, W)), rng.integers(V, size=B), rng.normal(size=B)
    up = {"weight": rng.normal(size=(W, V, F)), "bias": rng.normal(size=F)}
    parameters = {"up": up, "down": {"weight": rng.normal(size=(F, V))}}
    by_hand = {"parameters": post_training.window_gradient(ids, targets, weights, parameters)}

    def surprise(parameters):
        shares = softmax(post_training.window_logits(ids, parameters))
        return -np.log(np.take_along_axis(shares, targets[:, None], axis=1))[:, 0]

    def in_torch(parameters):
        up, rows = parameters["up"], torch.from_numpy(ids)
        hidden = torch.tanh(sum(up["weight"][place, rows[:, place]] for place in range(W)) + up["bias"])
        logits = hidden @ parameters["down"]["weight"]
        return torch.nn.functional.cross_entropy(logits, torch.from_numpy(targets), reduction="none")

    return compare_function(by_hand, surprise, in_torch, weights, parameters=parameters)


COMPARISONS = {
    name.removesuffix("_comparison"): function
    for name, function in list(globals().items())
    if name.endswith("_comparison")
}


def compare(name, leading=(2,), **how):
    return COMPARISONS[name](np.random.default_rng(0), leading, **how)


def test_every_gradient_has_its_comparison():
    assert set(COMPARISONS) == BY_HAND


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (0, 2)])
@pytest.mark.parametrize("name", COMPARISONS)
def test_equals_autograd_and_nudging(name, leading):
    assert_right(compare(name, leading))


@pytest.mark.parametrize("name", COMPARISONS)
def test_a_wrong_number_is_found(name):
    """By autograd in each array in turn, by nudging in the first."""
    comparison = compare(name)
    judges = [assert_right_by_autograd, assert_right_by_nudging]
    for found, _ in pairs(comparison.by_hand, comparison.at):
        right, where = found.copy(), np.unravel_index(np.abs(found).argmax(), found.shape)
        found[where] = 2 * right[where] + 0.001
        for judge in judges:
            with pytest.raises(AssertionError):
                judge(comparison)
        found[...] = right
        judges = [assert_right_by_autograd]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("fronts", [
    {}, dict(Q=(4,)), dict(K=(4,), V=(4,)), dict(K=(4,)), dict(Q=(1,), K=(5,), V=(1,)),
    dict(Q=(2, 3), K=(3,), V=(2, 1)),
])  # fmt: skip
def test_attention_where_one_table_served_a_whole_batch(fronts, masked):
    """The shares of the batch are added up: each gradient is shaped like its own input."""
    assert_right(compare("attention", (), masked=masked, **fronts))


@pytest.mark.parametrize("ignored", [0, 5, 6])
def test_no_target_all_but_one_and_every_target_ignored(ignored):
    assert_right(compare("cross_entropy", ignored=ignored))


@pytest.mark.parametrize("name", ["linear", "multi_head_attention"])
def test_maps_without_a_bias(name):
    comparison = compare(name, bias=False)
    assert "bias" not in comparison.by_hand["parameters"].get("key", comparison.by_hand["parameters"])
    assert_right(comparison)


def test_a_block_without_a_mask():
    assert_right(compare("encoder_block", causal=False, eps=1e-5))


def test_numerical_gradient_of_a_known_function():
    x = np.array([[1.0, -2.0], [3.0, 0.5]])
    assert_close(numerical_gradient(lambda x: (x**2).sum(), x), 2 * x, 1e-8)
