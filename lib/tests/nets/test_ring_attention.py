"""A text over several processes gives what one process gives."""

import pytest
import torch

from clearhead.nets.attention import scaled_dot_product_attention
from clearhead.nets.masks import causal_mask
from clearhead.nets.ring_attention import _run, attention_over_processes


def rows(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)), dtype=torch.float64)


def test_several_processes_equal_one():
    """Of 11 tokens, three processes hold 4, 4 and 3. (Chapter 12 runs it without a mask.)"""
    Q, K, V = rows(2, 3, 11, 4), rows(2, 3, 11, 4) + 1, rows(2, 3, 11, 5)
    expected = scaled_dot_product_attention(Q, K, V, causal_mask(11))[0]
    torch.testing.assert_close(attention_over_processes(Q, K, V, 3, causal=True), expected)


def test_more_processes_than_tokens():
    with pytest.raises(ValueError, match="number must be from 1 to 3, got 4"):
        attention_over_processes(rows(3, 2), rows(3, 2), rows(3, 2), number=4)
    with pytest.raises(ValueError, match="number must be from 1 to 3, got 0"):
        attention_over_processes(rows(3, 2), rows(3, 2), rows(3, 2), number=0)


def test_a_process_that_fails_says_why(tmp_path):
    """There are no rows for it to read."""
    with pytest.raises(RuntimeError, match=r"Process 0 of 1 failed: (.|\n)*No such file or directory"):
        _run(str(tmp_path), 1, False)
