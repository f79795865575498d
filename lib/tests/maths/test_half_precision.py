"""Sums over an axis in half precision: added in float32 and rounded once, as PyTorch's kernels do it."""

# ruff: noqa: E501 -- a table: one function and its arguments a line

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from clearhead.maths import (
    attention,
    circuits,
    decoding,
    embeddings,
    gradients,
    layers,
    linear_attention,
    long_attention,
    losses,
    low_rank,
    optimizers,
    vectors,
)
from clearhead.maths.softmax import log_softmax, softmax
from clearhead.nets import attention as net_attention
from clearhead.nets import linear_attention as net_linear_attention
from clearhead.nets import losses as net_losses
from clearhead.nets import softmax as net_softmax
from clearhead.nets import vectors as net_vectors

MANY = 70_000  # float16 holds nothing above 65,504
rng = np.random.default_rng(0)


def half(*shape, scale=1.0):
    return (scale * rng.normal(size=shape)).astype(np.float16)


def ones(*shape):
    return np.ones(shape, np.float16)


# a function and its arguments: in each a sum is too long, or too large, for float16
CASES = {
    "softmax": (softmax, ones(MANY)),
    "softmax of a long tail": (softmax, np.r_[np.zeros(1), np.full(10**6, -18.0)].astype(np.float16)),
    "log_softmax": (log_softmax, ones(2, MANY)),
    "online_softmax": (long_attention.online_softmax, ones(MANY), 1000),
    "cross_entropy": (losses.cross_entropy, ones(MANY, 3), np.zeros(MANY, int)),
    "perplexity": (losses.perplexity, half(5000, 40), rng.integers(40, size=5000)),
    "info_nce": (losses.info_nce, half(40, 5000, scale=10), half(40, 5000, scale=10)),
    "norm": (vectors.norm, half(2, 5000, scale=300)),
    "unit_vectors": (vectors.unit_vectors, np.full((2, 4), 60_000, np.float16)),
    "r_squared": (vectors.r_squared, half(9000, scale=100), half(9000, scale=100)),
    "cosine": (embeddings.cosine, half(3, 5000, scale=40), half(3, 5000, scale=40)),
    "pair_cosines": (embeddings.pair_cosines, half(3, 5000, scale=40)),
    "ppmi": (embeddings.ppmi, 300 * ones(30, 30)),
    "layer_norm": (layers.layer_norm, half(2, 5000, scale=400), ones(5000), ones(5000)),
    "rms_norm": (layers.rms_norm, half(2, 5000, scale=400), ones(5000)),
    "soft_lookup": (attention.soft_lookup, ones(4), ones(MANY, 4), ones(MANY, 1)),
    "nadaraya_watson": (attention.nadaraya_watson, half(3, 2, scale=300), half(9, 2, scale=300), half(9, 1), 200.0),
    "attention": (attention.scaled_dot_product_attention, half(3, 8), ones(MANY, 8), ones(MANY, 1)),
    "sliding window": (long_attention.sliding_window_attention, half(90, 8), half(90, 8), half(90, 3), 50),
    "linear_attention": (linear_attention.linear_attention, half(3, 4), half(MANY, 4), half(MANY, 1)),
    "causal_linear_attention": (linear_attention.causal_linear_attention, *np.ones((3, 5000, 2), np.float16)),
    "linear_recurrence": (linear_attention.linear_recurrence, ones(5000, 2), 0.1 * ones(5000, 2)),
    "linear_scan": (linear_attention.linear_scan, ones(5000, 2), 0.1 * ones(5000, 2)),
    "softmax_gradient": (gradients.softmax_gradient, 9 * ones(1, 9000), ones(1, 9000)),
    "linear_gradients": (gradients.linear_gradients, 0.1 * ones(9000, 2), ones(9000, 3), {"weight": ones(3, 2), "bias": ones(2)}),
    "layer_norm_gradients": (gradients.layer_norm_gradients, 0.1 * ones(9000, 4), half(9000, 4), {"gain": ones(4)}),
    "embed_gradient": (gradients.embed_gradient, 0.1 * ones(9000, 2), np.zeros(9000, int), 3),
    "unbroadcast": (gradients.unbroadcast, 0.1 * ones(9000, 2), ones(2)),
    "acceptance_rate": (decoding.acceptance_rate, ones(9000) / 9000, ones(9000) / 9000),
    "residual_distribution": (decoding.residual_distribution, ones(9000) / 100, ones(9000) / 200),
    "prefix_matching_score": (circuits.prefix_matching_score, 0.5 * ones(100, 100), np.zeros(100, int)),
    "clip_grad_norm": (optimizers.clip_grad_norm, half(9000, scale=100)),
    "newton_schulz": (optimizers.newton_schulz, half(40, 30, scale=100)),
    "low_rank_error": (low_rank.low_rank_error, half(9, 9), 3),
}  # fmt: skip


def each(change, given):
    if isinstance(given, np.ndarray | np.generic):
        return change(given) if given.dtype.kind == "f" else given
    if isinstance(given, dict):
        return {name: each(change, entry) for name, entry in given.items()}
    return tuple(each(change, entry) for entry in given) if isinstance(given, tuple) else given


@pytest.mark.parametrize("name", CASES)
def test_half_precision_is_the_rounded_exact_result(name):
    function, *arguments = CASES[name]
    exact = function(*each(lambda x: x.astype(float), tuple(arguments)))
    expected, found = (each(np.asarray, r) for r in (exact, function(*arguments)))
    for want, got in zip(*(flat(r) for r in (expected, found)), strict=True):
        assert got.dtype == np.float16
        np.testing.assert_allclose(
            got, want.astype(np.float16), rtol=3e-3, atol=2e-7 if "soft" in name else 1e-3
        )


def flat(result):
    if isinstance(result, dict):
        result = tuple(result.values())
    return [x for entry in result for x in flat(entry)] if isinstance(result, tuple) else [result]


def test_a_softmax_of_many_sums_to_one():
    found = softmax(np.zeros(MANY, np.float16))
    assert found.dtype == np.float16
    assert found.sum(dtype=float) == pytest.approx(1, abs=2e-3)
    assert log_softmax(np.zeros(MANY, np.float16))[0] == np.float16(-11.156)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    ("ours", "in_torch", "theirs"),
    [
        (softmax, net_softmax.softmax, lambda x: torch.softmax(x, -1)),
        (log_softmax, net_softmax.log_softmax, lambda x: torch.log_softmax(x, -1)),
        (lambda x: layers.rms_norm(x, np.ones(x.shape[-1], x.dtype)), None, lambda x: F.rms_norm(x, x.shape[-1:], eps=1e-5)),
        (vectors.unit_vectors, net_vectors.unit_vectors, lambda x: F.normalize(x, dim=-1)),
    ],
)  # fmt: skip
def test_torch_kernels_agree_in_half_precision(ours, in_torch, theirs, dtype):
    x = torch.from_numpy(half(3, 3000, scale=3)).to(dtype)
    expected, one_step = theirs(x.float()), 2e-3 if dtype == torch.float16 else 1e-2
    for path in (in_torch, theirs):
        if path:
            assert path(x).dtype == dtype
            torch.testing.assert_close(path(x).float(), expected, rtol=one_step, atol=1e-6)
    if dtype == torch.float16:
        found = torch.from_numpy(ours(x.numpy()))
        assert found.dtype == dtype
        torch.testing.assert_close(found.float(), expected, rtol=one_step, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_twins_in_torch_sum_half_precision_in_float32(dtype):
    big = torch.full((2, 4), 60_000.0).to(dtype)
    torch.testing.assert_close(
        net_vectors.unit_vectors(big).float(), torch.full((2, 4), 0.5), rtol=1e-2, atol=0
    )
    assert float(net_softmax.log_softmax(torch.zeros(MANY, dtype=dtype))[0]) == pytest.approx(
        -11.16, abs=0.04
    )
    far = torch.tensor([[300.0, 0], [-300, 0]]).to(dtype)
    found = net_attention.nadaraya_watson(far, far, torch.tensor([[1.0], [2]]).to(dtype), 100.0)
    torch.testing.assert_close(found.float(), torch.tensor([[1.0], [2]]), rtol=1e-2, atol=0)
    Q = torch.ones(5000, 2, dtype=dtype)
    for path in (net_linear_attention.linear_attention, net_linear_attention.causal_linear_attention):
        torch.testing.assert_close(path(Q, Q, Q).float(), torch.ones(5000, 2), rtol=1e-2, atol=0)
        assert path(Q, Q, Q).dtype == dtype
    loss = net_losses.cross_entropy(torch.zeros(MANY, 3, dtype=dtype), torch.zeros(MANY, dtype=torch.long))
    assert float(loss) == pytest.approx(np.log(3), rel=1e-2)


def test_a_wider_argument_keeps_the_result_wide():
    x, gain = half(2, 5), np.ones(5, np.float32)
    assert layers.rms_norm(x, gain).dtype == np.float32
    assert layers.rms_norm(x, gain.astype(float)).dtype == float


def test_gradients_pass_through_half_precision():
    x = torch.ones(3, dtype=torch.float16, requires_grad=True)
    net_softmax.softmax(x)[0].backward()
    torch.testing.assert_close(x.grad, torch.tensor([2, -1, -1], dtype=torch.float16) / 9)
