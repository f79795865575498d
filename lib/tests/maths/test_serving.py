"""A cache in blocks reads what a plain cache reads, and sums in a fixed order keep their bits in a batch."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from clearhead.maths.losses import multi_token_loss
from clearhead.maths.serving import chunked_sum, paged_attention
from clearhead.nets import serving as in_torch

# Pages


@pytest.mark.parametrize("seed", range(5))
def test_paged_attention_is_attention_to_a_plain_cache(seed):
    """Keys and values are scattered over random blocks, and every slot that is not in use holds NaN."""
    rng = np.random.default_rng(seed)
    length, size, d, e = int(rng.integers(1, 30)), int(rng.integers(1, 7)), 5, 3
    Q, K, V = rng.normal(size=(2, d)), rng.normal(size=(length, d)), rng.normal(size=(length, e))
    needed = -(-length // size)
    table = rng.permutation(needed + 4)[:needed]
    keys, values = np.full((needed + 4, size, d), np.nan), np.full((needed + 4, size, e), np.nan)
    for t in range(length):
        keys[table[t // size], t % size], values[table[t // size], t % size] = K[t], V[t]
    expected = F.scaled_dot_product_attention(*(torch.tensor(x)[None] for x in (Q, K, V)))[0]
    Z, A = paged_attention(Q, keys, values, table, length)
    np.testing.assert_allclose(Z, expected, atol=1e-12)
    np.testing.assert_allclose(A.sum(axis=1), 1)


def test_paged_attention_by_hand():
    """Two blocks of two tokens, the second one half full: equal keys give the mean of three values."""
    values = np.array([[[9.0], [99.0]], [[3.0], [6.0]]])
    Z, A = paged_attention(np.zeros((1, 1)), np.zeros((2, 2, 1)), values, np.array([1, 0]), 3)
    np.testing.assert_allclose(Z, [[6.0]])
    np.testing.assert_allclose(A, [[1 / 3, 1 / 3, 1 / 3]])


def test_too_short_a_block_table_is_an_error():
    given = np.zeros((1, 2)), np.zeros((3, 4, 2)), np.zeros((3, 4, 2))
    with pytest.raises(ValueError, match="2 blocks of 4 tokens have no room for 9 tokens"):
        paged_attention(*given, np.array([0, 1]), 9)
    with pytest.raises(ValueError, match="2 blocks of 4 tokens"):
        in_torch.paged_attention(*map(torch.tensor, given), torch.tensor([0, 1]), 9)


# Order


def one_by_one(row, chunk):
    """Return the same sum by a loop over scalars."""
    sums = []
    for start in range(0, len(row), chunk):
        total = row.dtype.type(0)
        for term in row[start : start + chunk]:
            total = total + term
        sums.append(total)
    total = row.dtype.type(0)
    for part in sums:
        total = total + part
    return total


@pytest.mark.parametrize("chunk", [1, 3, 8, 50, 99])
def test_chunked_sum_has_the_bits_of_a_scalar_loop(chunk):
    x = np.random.default_rng(chunk).normal(size=(4, 50)).astype(np.float32)
    expected = np.array([one_by_one(row, chunk) for row in x])
    assert (chunked_sum(x, chunk) == expected).all()
    assert (in_torch.chunked_sum(torch.tensor(x), chunk).numpy() == expected).all()


def test_row_has_the_same_bits_in_every_batch():
    x = np.random.default_rng(0).normal(size=(64, 300)).astype(np.float32)
    whole = chunked_sum(x, 16)
    for size in (1, 2, 7, 64):
        assert (chunked_sum(x[:size], 16) == whole[:size]).all()
        assert (chunked_sum(np.asfortranarray(x[:size]), 16) == whole[:size]).all()


def test_order_is_that_of_the_chunks():
    """In float32, 1 is lost beside 10^8: the order decides which ones survive."""
    x = np.array([1e8, 1, -1e8, 1], dtype=np.float32)
    assert chunked_sum(x, 4) == 1
    assert chunked_sum(x, 2) == 0
    assert math.fsum(x.tolist()) == 2


# Several tokens at once


def test_multi_token_loss_is_that_of_pytorch_for_each_head():
    rng = np.random.default_rng(0)
    logits, ids = rng.normal(size=(3, 7, 2, 5)), rng.integers(5, size=(3, 7))
    found = multi_token_loss(logits, ids)
    for h in range(2):
        rows = torch.tensor(logits[:, : 6 - h, h].reshape(-1, 5))
        expected = F.cross_entropy(rows, torch.tensor(ids[:, 1 + h :].reshape(-1)))
        assert found[h] == pytest.approx(expected.item())


def test_multi_token_loss_by_hand():
    """Head 0 knows the next token of 0, 1, 2; head 1 guesses among three words."""
    logits = np.zeros((3, 2, 3))
    logits[0, 0, 1] = logits[1, 0, 2] = 50
    np.testing.assert_allclose(multi_token_loss(logits, np.array([0, 1, 2])), [0, np.log(3)], atol=1e-12)


def test_head_without_any_target_has_no_loss():
    found = multi_token_loss(np.zeros((2, 2, 4)), np.zeros(2, dtype=int))
    assert found.tolist() == [pytest.approx(np.log(4)), 0]
