"""Long texts: the same result, in memory that grows with the length and not with its square."""

import tracemalloc

import numpy as np
import pytest
import torch

from clearhead.maths import long_attention, masks
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.linear_attention import linear_attention
from clearhead.maths.masks import causal_mask
from clearhead.nets import attention as net_attention
from clearhead.nets import long_attention as net_long_attention


def rows(seed, *shape, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def peak(function, *arguments, **options):
    """Return the most bytes that Python held above what it held before."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    function(*arguments, **options)
    most = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return most


@pytest.mark.parametrize(("T", "S"), [(1, 9), (9, 1), (7, 9), (9, 7), (5, 5)])
@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
@pytest.mark.parametrize("masked", [False, True])
def test_causal_chunks(T, S, chunk, masked):
    Q, K, V = rows(0, 2, 1, T, 4), rows(1, 3, S, 4), rows(2, 3, S, 5)
    past = causal_mask(max(T, S))[:T, :S]
    mask = np.random.default_rng(3).random((1, 3, T, S)) < 0.6 if masked else None
    expected = scaled_dot_product_attention(Q, K, V, past & mask if masked else past)[0]
    found = long_attention.chunked_attention(Q, K, V, mask, chunk, causal=True)
    np.testing.assert_allclose(found, expected, atol=1e-12, strict=True)
    tensors = [None if x is None else torch.from_numpy(x) for x in (Q, K, V, mask)]
    found = net_long_attention.chunked_attention(*tensors, chunk, causal=True)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12, strict=True)


def test_very_large_and_very_small_scores():
    """The height from which scores are measured rises by 300, for one query only; 300 is too much for e."""
    K, V = np.linspace(-1, 1, 12, dtype=np.float32)[:, None], rows(0, 12, 3, dtype=np.float32)
    Q = np.array([[300.0], [-300.0], [0.1]], dtype=np.float32)
    expected = scaled_dot_product_attention(Q.astype(float), K.astype(float), V.astype(float))[0]
    for chunk in (1, 2, 5):
        found = long_attention.chunked_attention(Q, K, V, chunk=chunk)
        np.testing.assert_allclose(found, expected, atol=1e-5)
        found = net_long_attention.chunked_attention(*map(torch.from_numpy, (Q, K, V)), chunk=chunk)
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-5)


def test_a_query_whose_first_pieces_are_hidden():
    Q, K, V = rows(0, 3, 4), rows(1, 8, 4) * 50, rows(2, 8, 5)
    mask = np.arange(8) >= np.array([0, 5, 8])[:, None]
    expected = scaled_dot_product_attention(Q, K, V, mask)[0]
    np.testing.assert_allclose(long_attention.chunked_attention(Q, K, V, mask, 2), expected, atol=1e-12)


def test_values_with_more_axes_than_the_scores():
    Q, K, V = rows(0, 5, 4), rows(1, 7, 4), rows(2, 2, 3, 7, 6)
    expected = scaled_dot_product_attention(Q, K, V)[0]
    np.testing.assert_allclose(long_attention.chunked_attention(Q, K, V, chunk=3), expected, strict=True)
    found = net_long_attention.chunked_attention(*map(torch.from_numpy, (Q, K, V)), chunk=2)
    np.testing.assert_allclose(found.numpy(), expected, strict=True)


def test_a_mask_with_more_axes_than_the_queries():
    Q, K, V = rows(0, 5, 4), rows(1, 7, 4), rows(2, 7, 3)
    mask = np.random.default_rng(3).random((2, 6, 1, 7)) < 0.6
    expected = scaled_dot_product_attention(Q, K, V, mask)[0]
    np.testing.assert_allclose(long_attention.chunked_attention(Q, K, V, mask, 3), expected, strict=True)
    tensors = map(torch.from_numpy, (Q, K, V, mask))
    found = net_long_attention.chunked_attention(*tensors, 3)
    np.testing.assert_allclose(found.numpy(), expected, strict=True)


@pytest.mark.parametrize("how", [{}, {"causal": True}, {"mask": np.ones((1, 1), dtype=bool)}])
def test_memory_of_chunks_grows_with_the_length_alone(how):
    inputs = {L: [rows(i, L, 8, dtype=np.float32) for i in range(3)] for L in (1024, 4096)}
    most = {
        L: peak(long_attention.chunked_attention, *given, chunk=128, **how) for L, given in inputs.items()
    }
    output = {L: given[2].nbytes for L, given in inputs.items()}
    assert all(most[L] < output[L] + 400_000 for L in inputs)  # the output, and 256 x 128 scores
    assert most[4096] < 4096**2 * 4 / 100


def test_memory_of_a_window_and_of_linear_attention():
    for attend in (lambda *qkv: long_attention.sliding_window_attention(*qkv, 32), linear_attention):
        small, large = (peak(attend, *[rows(i, L, 8) for i in range(3)]) for L in (4096, 16384))
        assert large < 4.5 * small


@pytest.mark.parametrize("window", [1, 3, 64, 65, 200])
def test_a_window_over_several_blocks(window):
    Q, K, V = rows(0, 2, 150, 4), rows(1, 150, 4), rows(2, 2, 150, 3)
    back = np.arange(150)[:, None] - np.arange(150)
    expected = scaled_dot_product_attention(Q, K, V, (back >= 0) & (back < window))[0]
    np.testing.assert_allclose(long_attention.sliding_window_attention(Q, K, V, window), expected, atol=1e-12)
    tensors = map(torch.from_numpy, (Q, K, V))
    found = net_long_attention.sliding_window_attention(*tensors, window)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


# Which tokens a sparse mask lets look


@pytest.mark.parametrize(("window", "dilation"), [(1, 1), (3, 1), (3, 2), (2, 3), (9, 4)])
def test_a_dilated_window_by_loops(window, dilation):
    seen = {step * dilation for step in range(window)}
    expected = [[abs(i - j) in seen for j in range(8)] for i in range(8)]
    np.testing.assert_array_equal(masks.dilated_window_mask(8, window, dilation), expected)


@pytest.mark.parametrize("itself", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_layers_until_is_the_shortest_way(seed, itself):
    """By loops: a way of k looks is one of k - 1 looks and one more. (A mask of 0 tokens, and of 1, too.)"""
    length = [9, 6, 1, 0][seed]
    mask = np.random.default_rng(seed).random((length, length)) < 0.25
    mask |= np.eye(length, dtype=bool) & itself
    far = {(i, i): 0 for i in range(length)}
    for k in range(1, length):
        for i, j in np.argwhere(mask):
            for end in range(length):
                if far.get((j, end)) == k - 1:
                    far.setdefault((i, end), k)
    expected = np.array([[far.get((i, j), -1) for j in range(length)] for i in range(length)])
    np.testing.assert_array_equal(
        masks.layers_to_full_receptive_field(mask), expected.reshape(length, length)
    )


# The fast path


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize(
    "shape", [(5,), (4, 5), (1, 5), (2, 1, 4, 5), (1, 3, 4, 5), (2, 3, 1, 5), (7, 2, 3, 4, 5)]
)
def test_fast_path_accepts_masks_of_visible_path(shape, dtype):
    """Also masks with more texts than Q, and 16 bits."""
    generator = torch.Generator().manual_seed(0)
    Q, K, V = (torch.randn(1, 3, rows, 8, generator=generator).to(dtype) for rows in (4, 5, 5))
    for mask in (torch.rand(shape, generator=generator) < 0.6, None):
        expected = net_attention.scaled_dot_product_attention(Q.float(), K.float(), V.float(), mask)[0]
        found = net_attention.fast_attention(Q, K, V, mask)
        close = {"atol": 0.03, "rtol": 0.03} if dtype == torch.bfloat16 else {"atol": 1e-5, "rtol": 1e-5}
        torch.testing.assert_close(found.float(), expected, **close)


def test_gradients_of_chunks_keep_the_inputs_only():
    """What is kept for the way back grows with the length; all the weights would be length squared."""
    kept = {}
    for length in (256, 1024):
        Q, K, V = torch.randn(3, length, 8, requires_grad=True)
        tensors = {}
        with torch.autograd.graph.saved_tensors_hooks(
            lambda x, tensors=tensors: tensors.setdefault(x.untyped_storage().data_ptr(), x), lambda x: x
        ):
            net_long_attention.chunked_attention(Q, K, V, chunk=64)
        kept[length] = sum(x.untyped_storage().nbytes() for x in tensors.values())
    assert 0 < kept[1024] < 6 * kept[256]


def test_chunk_longer_than_text_costs_no_more():
    """A chunk longer than the text costs no more than the text."""
    given = [rows(i, 4, 8) for i in range(3)]
    assert peak(long_attention.chunked_attention, *given, chunk=10**9) < 100_000
