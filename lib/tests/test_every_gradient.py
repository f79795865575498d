"""Each gradient by hand equals autograd's of the twin, and what nudging all inputs at once does to the loss.

A function `name_gradient` or `name_gradients` is found by its name, and proved without being listed.
"""

import inspect

import numpy as np
import pytest
import torch

from clearhead.maths import activation_gradients, losses
from clearhead.maths.layer_gradients import through_linear, through_norm
from clearhead.maths.tables import table
from clearhead.nets import norms as net_norms
from clearhead.nets import transformer as net_transformer
from clearhead.pretrained.convert import to_arrays
from house import MATHS, NETS, members, snake
from shape_tables import call, each, examples, outputs
from test_gradients import assert_close, assert_same_gradients, autograd, learned_gradients
from test_twins import build

OTHERS = {"softmax", "attention", "cross_entropy", "numerical"}  # in test_gradients.py
OTHERS |= {"log_softmax", "tanh", "perplexity", "info_nce"}  # below
OFFERED = {name: f for module in MATHS.values() for name, f in members(module).items()}
IN_TORCH = {name: f for module in NETS.values() for name, f in members(module).items()}
LEARNING = {snake(name): kind for m in NETS.values() for name, kind in members(m, inspect.isclass).items()}
MODULES = [name for name in MATHS if name.endswith("gradients")]
BY_HAND = {
    name.removesuffix("s").removesuffix("_gradient"): function
    for module in MODULES
    for name, function in members(MATHS[module]).items()
    if name.removesuffix("s").endswith("_gradient")
}
PROVED = [name for name in BY_HAND if name not in OTHERS]
FUNCTION_TWINS = [name for name in PROVED if name in IN_TORCH]
MODULE_TWINS = [name for name in PROVED if name not in IN_TORCH]
NEED_TOKENS = {"conv1d", "toeplitz", "patch_embed"}


def given(name, **how):
    """Return the arguments of a function, and how the loss changes with each of its outputs."""
    forward, by_hand = examples(OFFERED[name], **how), examples(BY_HAND[name], **how)
    arguments = forward | {key: value for key, value in by_hand.items() if key in forward}
    upstream = [v for k, v in by_hand.items() if k not in forward and isinstance(v, np.ndarray)]
    for key in arguments:
        if key.endswith("mask") and arguments[key].shape[-2] > 1:
            arguments[key][..., 1, :] = False  # a query with nowhere to look
    return arguments, upstream, by_hand


def found_by_hand(name, arguments, by_hand):
    """Return the gradients by hand, under the names of what they belong to."""
    wanted = {key: arguments.get(key, value) for key, value in by_hand.items()}
    if "causal" in arguments:
        wanted["causal"] = arguments["causal"]
    rows = [row.name for row in table(BY_HAND[name], "Returns")]
    return dict(zip((row.removeprefix("d") for row in rows), call(BY_HAND[name], wanted), strict=True))


def assert_found(found, expected):
    for name, gradient in found.items():
        if isinstance(gradient, dict):
            assert_found(gradient, expected[name])
        else:
            assert_close(gradient, expected[name])


def assert_right_by_autograd(name, found, arguments, upstream):
    leaves = each(lambda a: torch.from_numpy(a.copy()), arguments)
    each_tensor(leaves, lambda leaf: leaf.requires_grad_() if leaf.is_floating_point() else leaf)
    results = outputs(IN_TORCH[name](**leaves))
    loss = sum((torch.from_numpy(dy) * y).sum() for dy, y in zip(upstream, results, strict=False))
    if loss.requires_grad:  # not where no key was read
        loss.backward()
    assert_found(found, each_tensor(leaves, learned))


def learned(leaf):
    """Return the gradient of a leaf: zeros where nothing was made of it."""
    return (torch.zeros_like(leaf) if leaf.grad is None else leaf.grad).numpy()


def each_tensor(example, change):
    if isinstance(example, dict):
        return {name: each_tensor(entry, change) for name, entry in example.items()}
    return change(example) if isinstance(example, torch.Tensor) else example


def assert_right_by_nudging(name, found, arguments, upstream, nudge=1e-6):
    """Move every number that has a gradient at once, each by another amount; see how the loss moves."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        ways = each(lambda a: rng.normal(size=a.shape), found)

        def loss(step, ways=ways):
            results = outputs(OFFERED[name](**moved(arguments, ways, step)))
            return sum(float((dy * y).sum()) for dy, y in zip(upstream, results, strict=False))

        slope = (loss(nudge) - loss(-nudge)) / (2 * nudge)
        promised = inner(found, ways)
        assert abs(slope - promised) <= 1e-6 * (1 + norm(found))


def moved(arguments, ways, step):
    if isinstance(arguments, dict):
        return {k: moved(a, ways[k], step) if k in ways else a for k, a in arguments.items()}
    return arguments + step * ways


def inner(found, ways):
    if isinstance(found, dict):
        return sum(inner(found[name], ways[name]) for name in found)
    return float((found * ways).sum())


def norm(found):
    return inner(found, found) ** 0.5


def assert_proved(name, change=lambda found: found, **how):
    extra = how.pop("extra", {})
    arguments, upstream, by_hand = given(name, **how)
    arguments |= extra
    found = change(found_by_hand(name, arguments, by_hand))
    assert_right_by_autograd(name, found, arguments, upstream)
    assert_right_by_nudging(name, found, arguments, upstream)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (0, 2)])
@pytest.mark.parametrize("name", FUNCTION_TWINS)
def test_functions(name, leading):
    assert_proved(name, leading=leading)


@pytest.mark.parametrize("length", [0, 1])
@pytest.mark.parametrize("name", [name for name in FUNCTION_TWINS if name not in NEED_TOKENS])
def test_no_token_or_one(name, length):
    assert_proved(name, sizes=dict(T=length, S=length), leading=(2,))


@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
@pytest.mark.parametrize("causal", [False, True])
def test_chunks(chunk, causal):
    assert_proved("chunked_attention", leading=(2,), extra=dict(chunk=chunk, causal=causal))


@pytest.mark.parametrize("window", [1, 2, 4, 100])
def test_windows(window):
    assert_proved("sliding_window_attention", leading=(2,), extra=dict(window=window))


@pytest.mark.parametrize("how", [
    dict(leading=()), dict(leading=(2,)), dict(leading=(0,)), dict(leading=(2,), sizes=dict(T=1, S=1)),
    dict(leading=(2,), sizes=dict(T=0)),
])  # fmt: skip
@pytest.mark.parametrize("name", MODULE_TWINS)
def test_modules(name, how):
    """Blocks and heads, with a query that may look nowhere: the fast path in torch, and nudging in NumPy."""
    module = build(LEARNING[name])
    arguments, upstream, by_hand = given(name, **how)
    arguments = arguments | {"parameters": to_arrays(module)}
    found = found_by_hand(name, arguments, by_hand)
    assert_right_by_nudging(name, found, arguments, upstream)
    signature = inspect.signature(module.forward).parameters
    leaves = {k: torch.from_numpy(a) for k, a in arguments.items() if k in signature}
    each_tensor(leaves, lambda leaf: leaf.requires_grad_() if leaf.is_floating_point() else leaf)
    outputs(module(**leaves))[0].backward(torch.from_numpy(upstream[0]))
    assert_same_gradients(found.pop("parameters"), learned_gradients(module))
    assert_found(found, {k: leaf.grad.numpy() for k, leaf in leaves.items() if leaf.grad is not None})


def test_every_gradient_is_proved():
    assert set(OTHERS) <= set(BY_HAND)
    assert len(FUNCTION_TWINS) > 25
    assert len(MODULE_TWINS) == 7
    assert set(MODULE_TWINS) <= set(LEARNING)


@pytest.mark.parametrize("name", FUNCTION_TWINS)
def test_a_wrong_sign_is_found(name):
    """In each gradient that a function returns, in turn."""
    for row in table(BY_HAND[name], "Returns"):
        wrong = row.name.removeprefix("d")
        turned = lambda found, wrong=wrong: found | {wrong: each(np.negative, found)[wrong]}  # noqa: E731
        arguments, upstream, by_hand = given(name, leading=(2,))
        found = turned(found_by_hand(name, arguments, by_hand))
        for prove in (assert_right_by_autograd, assert_right_by_nudging):
            with pytest.raises(AssertionError):
                prove(name, found, arguments, upstream)


def test_a_wrong_sign_inside_is_found(monkeypatch):
    """As of the memory that stays in a GRU: the other gradients are right then."""
    step, module = BY_HAND["gru_step"], MATHS["recurrent_gradients"]
    monkeypatch.setattr(module, "summed_to", lambda gradient, x: -gradient)
    monkeypatch.setitem(BY_HAND, "gru_step", step)
    with pytest.raises(AssertionError):
        assert_proved("gru_step", leading=(2,))


# What has no twin of its own, or another first argument


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (0, 2)])
@pytest.mark.parametrize("name", ["tanh", "sigmoid", "silu", "relu", "gelu", "gelu_tanh"])
def test_bends(name, leading):
    by_hand, in_torch = BY_HAND[name], IN_TORCH.get(name, torch.tanh)
    in_numpy = OFFERED.get(name, np.tanh)
    assert activation_gradients.GRADIENT_OF[in_numpy] is by_hand
    dy, x = examples(by_hand, leading=leading).values()
    x = 3 * x
    found = by_hand(dy, x)
    assert_close(found, autograd(in_torch, dy, x)[0])
    slope = dy * (in_numpy(x + 1e-6) - in_numpy(x - 1e-6)) / 2e-6
    assert_close(found, slope, 1e-7)


def test_log_softmax():
    rng = np.random.default_rng(7)
    dy, scores = rng.normal(size=(2, 2, 3, 5))
    scores[0, 0, 1], scores[1, 1] = -np.inf, -np.inf
    found = activation_gradients.log_softmax_gradient(dy, OFFERED["log_softmax"](scores))
    expected = autograd(IN_TORCH["log_softmax"], dy, scores)[0]
    assert_close(found, expected)
    assert not found[1, 1].any()


@pytest.mark.parametrize("ignored", [0, 1, 6])
def test_perplexity(ignored):
    logits, targets = np.random.default_rng(8).normal(size=(2, 3, 4)), np.arange(6).reshape(2, 3) % 4
    targets.reshape(-1)[:ignored] = losses.IGNORE
    found = BY_HAND["perplexity"](logits, targets)
    expected = autograd(lambda x: IN_TORCH["perplexity"](x, torch.from_numpy(targets)), 1.0, logits)[0]
    assert_close(found, expected)


@pytest.mark.parametrize("temperature", [0.07, 1.0])
@pytest.mark.parametrize("pairs", [0, 1, 2, 5])
def test_info_nce(pairs, temperature):
    x, y = np.random.default_rng(9).normal(size=(2, pairs, 3))
    x[:1] = 0  # no direction
    found = BY_HAND["info_nce"](x, y, temperature)
    expected = autograd(IN_TORCH["info_nce"], 1.0, x, y, np.array(temperature))
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e, rtol=1e-10, atol=1e-10)
    nudged = (losses.info_nce(x, y, temperature + 1e-7) - losses.info_nce(x, y, temperature - 1e-7)) / 2e-7
    np.testing.assert_allclose(found[2], nudged, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["gelu", "gelu_tanh", "relu", "sigmoid", "silu"])
def test_feed_forward_with_every_bend(name):
    module = net_transformer.FeedForward(6, 5, IN_TORCH[name]).double()
    parameters, (dy, x) = to_arrays(module), np.random.default_rng(3).normal(size=(2, 2, 3, 6))
    dx, dparameters = BY_HAND["feed_forward"](dy, x, parameters, OFFERED[name])
    assert_close(dx, autograd(module, dy, x)[0])
    assert_same_gradients(dparameters, learned_gradients(module))


@pytest.mark.parametrize("name", ["multi_head_attention", "grouped_query_attention"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("heads", [4, 6])  # 4 / 2 is 4 - 2, 6 / 2 is not 6 - 2
def test_one_context_for_a_whole_batch_and_maps_without_a_bias(name, bias, heads):
    groups, width = (2,) if name.startswith("grouped") else (), 2 * heads
    module = LEARNING[name](width, heads, *groups, bias=bias).double()
    rng, parameters = np.random.default_rng(10), to_arrays(module)
    (dZ, x), context = rng.normal(size=(2, 2, 3, width)), rng.normal(size=(5, width))
    dx, dcontext, dparameters = BY_HAND[name](dZ, x, context, parameters, heads, *groups)
    for found, expected in zip((dx, dcontext), autograd(module, dZ, x, context), strict=True):
        assert_close(found, expected)
    assert_same_gradients(dparameters, learned_gradients(module))
    assert ("bias" in dparameters["key"]) == bias


@pytest.mark.parametrize("name", ["encoder_block", "post_norm_encoder_block"])
def test_one_text_under_several_masks(name):
    module, rng = build(LEARNING[name]), np.random.default_rng(11)
    width = module.attention_norm.normalized_shape[0]
    dy, x, mask = rng.normal(size=(3, 4, width)), rng.normal(size=(4, width)), rng.random((3, 1, 4, 4)) < 0.6
    dx, dparameters = BY_HAND[name](dy, x, to_arrays(module), module.attention.num_heads, mask)
    repeated = lambda x: module(x.expand(3, 4, width), torch.from_numpy(mask))  # noqa: E731
    assert_close(dx, autograd(repeated, dy, x)[0])
    assert_same_gradients(dparameters, learned_gradients(module))


def test_bias_of_all_heads_of_all_texts():
    rng = np.random.default_rng(12)
    dZ, Q, K, V = (rng.normal(size=(2, 3, 4, 5)) for _ in range(4))
    for bias in (rng.normal(size=(3, 4, 4)), rng.normal(size=(1, 4)), rng.normal(size=())):
        found = BY_HAND["biased_attention"](dZ, Q, K, V, bias)
        expected = autograd(IN_TORCH["biased_attention"], dZ, Q, K, V, bias)
        for f, e in zip(found, expected, strict=True):
            np.testing.assert_allclose(f, e, rtol=1e-10, atol=1e-10)


# Back through time: steps back, one after the other, equal torch's own networks on the whole text


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_back_through_time(kind):
    module, rng = getattr(torch.nn, kind)(3, 4, batch_first=True).double(), np.random.default_rng(13)
    x, dy = rng.normal(size=(2, 6, 3)), rng.normal(size=(2, 6, 4))
    parameters = {
        name: dict(weight=w.detach().numpy().T, bias=b.detach().numpy())
        for name, w, b in (
            ("input", module.weight_ih_l0, module.bias_ih_l0),
            ("hidden", module.weight_hh_l0, module.bias_hh_l0),
        )
    }
    step, back = OFFERED[f"{kind.lower()}_step"], BY_HAND[f"{kind.lower()}_step"]
    kept = [tuple(np.zeros((2, 4)) for _ in range(2 if kind == "LSTM" else 1))]
    for t in range(6):
        kept.append(outputs(step(x[:, t], *kept[-1], parameters)))
    memory, dx, total = [np.zeros((2, 4)) for _ in kept[0]], np.zeros_like(x), each(np.zeros_like, parameters)
    for t in reversed(range(6)):
        memory[0] = memory[0] + dy[:, t]
        dx[:, t], *memory, dparameters = back(*memory, x[:, t], *kept[t], parameters)
        total = {n: {k: total[n][k] + dparameters[n][k] for k in total[n]} for n in total}
    assert_close(dx, autograd(module, dy, x)[0])
    assert_close(total["input"]["weight"], module.weight_ih_l0.grad.numpy().T)
    assert_close(total["input"]["bias"], module.bias_ih_l0.grad.numpy())
    assert_close(total["hidden"]["weight"], module.weight_hh_l0.grad.numpy().T)
    assert_close(total["hidden"]["bias"], module.bias_hh_l0.grad.numpy())


# Shared parts


def test_through_a_map_and_through_a_norm():
    rng = np.random.default_rng(14)
    dy, x, weight, bias = (rng.normal(size=size) for size in ((2, 3, 5), (3, 4), (4, 5), (5,)))
    dx, dparameters = through_linear(dy, x, {"weight": weight, "bias": bias})
    expected = autograd(lambda x, w, b: (x @ w + b).expand(2, 3, 5), dy, x, weight, bias)
    for found, e in zip((dx, *dparameters.values()), expected, strict=True):
        assert_close(found, e)
    gain, epsilon = rng.normal(size=4), 0.1
    dy = rng.normal(size=(3, 4))
    parameters = {"gain": gain, "bias": gain, "epsilon": epsilon}
    dx, dparameters = through_norm(dy, x, parameters)
    expected = autograd(lambda x, g, b: net_norms.layer_norm(x, g, b, epsilon), dy, x, gain, gain.copy())
    for found, e in zip((dx, *dparameters.values()), expected, strict=True):
        assert_close(found, e)
