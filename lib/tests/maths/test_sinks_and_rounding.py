"""Sinks, eviction, floats of four bits and the permutation test, each against an outside witness."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.linalg
import torch
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

from clearhead.maths.attention import scaled_dot_product_attention, sink_attention
from clearhead.maths.contamination import permutation_p_value
from clearhead.maths.masks import causal_mask, sink_window_mask, sliding_window_mask
from clearhead.maths.quantization import hadamard, round_to_e2m1, round_to_mxfp4
from clearhead.nets import attention as net_attention
from clearhead.nets import quantization as net_quantization

VALUES = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


def rows(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def test_sink_attention_is_that_of_gpt_oss():
    Q, K, V = rows(0, 3, 2, 4, 5, 8)
    sinks, mask = rows(1, 4), causal_mask(5)
    like = SimpleNamespace(num_key_value_groups=1, sinks=torch.from_numpy(sinks), training=False)
    bias = torch.from_numpy(np.where(mask, 0, -1e30))
    tensors = [torch.from_numpy(x) for x in (Q, K, V)]
    expected, weights = eager_attention_forward(like, *tensors, bias, scaling=8**-0.5)
    Z, A = sink_attention(Q, K, V, sinks, mask)
    np.testing.assert_allclose(Z, expected.transpose(1, 2).numpy(), atol=1e-12)
    np.testing.assert_allclose(A, weights.numpy(), atol=1e-12)


def test_sink_is_one_more_key_with_value_zero():
    Q, K, V = rows(2, 3, 6, 4)
    found = sink_attention(Q, K, V, np.array(-np.inf))
    for ours, ordinary in zip(found, scaled_dot_product_attention(Q, K, V), strict=True):
        np.testing.assert_allclose(ours, ordinary, atol=1e-15)
    zero = np.zeros((1, 4))
    expected = scaled_dot_product_attention(Q, np.vstack([K, zero]), np.vstack([V, zero]))[0]
    np.testing.assert_allclose(sink_attention(Q, K, V, np.array(0.0))[0], expected, atol=1e-14)


def test_gradient_of_the_learned_sink():
    Q, K, V = (torch.from_numpy(x) for x in rows(3, 3, 2, 5, 4))
    sink = torch.tensor([0.3, -1.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: net_attention.sink_attention(Q, K, V, s)[0], sink)


@pytest.mark.parametrize(("sinks", "window"), [(0, 3), (1, 3), (2, 1), (9, 2)])
def test_eviction_mask_equals_a_cache_that_is_shortened(sinks, window):
    """Two layers, so that a mask which let evicted tokens pass through the first layer would be found."""
    x, W = rows(4, 8, 6), rows(5, 2, 3, 6, 6)
    expected = x
    for layer in W:
        Q, K, V = expected @ layer
        expected = expected + scaled_dot_product_attention(Q, K, V, sink_window_mask(8, sinks, window))[0]
    caches, found = [[], []], []
    for t, y in enumerate(x):
        for layer, cache in zip(W, caches, strict=True):
            q, k, v = y @ layer
            cache.append((t, k, v))
            cache[:] = [entry for entry in cache if entry[0] < sinks or entry[0] > t - window]
            _, K, V = zip(*cache, strict=True)
            y = y + scaled_dot_product_attention(q[None], np.array(K), np.array(V))[0][0]
        found.append(y)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert (sink_window_mask(8, 0, window) == sliding_window_mask(8, window)).all()


def nearest(x):
    """Return the nearest value of E2M1 by a loop; the second of two mantissas is odd, so ties avoid it."""
    distances = [abs(abs(x) - value) for value in VALUES]
    best = [i for i, each in enumerate(distances) if each == min(distances)]
    return float(np.copysign(VALUES[min(best, key=lambda i: i % 2)], x))


def test_four_bit_floats_are_the_nearest_values():
    x = np.concatenate([np.arange(-8, 8, 1 / 16), 3 * rows(6, 200)])
    expected = [nearest(each) for each in x]
    np.testing.assert_array_equal(round_to_e2m1(x), expected)
    np.testing.assert_array_equal(net_quantization.round_to_e2m1(torch.from_numpy(x)).numpy(), expected)


def test_blocks_share_a_power_of_two():
    x = rows(7, 3, 64) * 10.0 ** np.arange(-1, 2)[:, None]
    x[0, :32], x[1, 3] = 0, -1000
    found = round_to_mxfp4(x)
    for row, done in zip(x.reshape(-1, 32), found.reshape(-1, 32), strict=True):
        scale = 1.0
        if row.any():
            scale = 2.0 ** (int(np.floor(np.log2(np.abs(row).max()))) - 2)
        np.testing.assert_array_equal(done, [scale * nearest(each / scale) for each in row])
    np.testing.assert_array_equal(round_to_mxfp4(found), found)


@pytest.mark.parametrize("size", [1, 2, 4, 64])
def test_hadamard_is_that_of_scipy(size):
    np.testing.assert_allclose(hadamard(size), scipy.linalg.hadamard(size) / np.sqrt(size), atol=1e-15)


@pytest.mark.parametrize("size", [3, 6, 576])
def test_hadamard_of_another_size_is_refused(size):
    with pytest.raises(ValueError, match=f"power of 2, got size = {size}"):
        hadamard(size)


def test_permutation_test_is_exact():
    """Each of the 24 orders may be the observed one; p is at most α for at most a fraction α of them."""
    scores = np.array(
        [np.dot(order, [3, 1, 4, 1]) for order in itertools.permutations(range(4))], dtype=float
    )
    p = np.array([permutation_p_value(s, np.delete(scores, i)) for i, s in enumerate(scores)])
    assert p.min() == 1 / 12  # two orders share the highest score
    for alpha in np.linspace(0, 1, 49):
        assert (p <= alpha).mean() <= alpha + 1e-12
