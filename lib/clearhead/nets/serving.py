"""A cache in blocks, and sums in a fixed order. The twin of `clearhead.maths.serving`."""

import torch
from torch.nn import functional as F

from .attention import scaled_dot_product_attention
from .contracts import checked, in_float32


@checked
@in_float32
def paged_attention(Q, key_blocks, value_blocks, block_table, length):
    """Return the attention of queries to a cache that is stored in blocks, and the weights.

    The twin of `clearhead.maths.serving.paged_attention`.

    Raises
    ------
    ValueError
        If the table has too few blocks for `length` tokens.
    """
    if length > len(block_table) * key_blocks.shape[1]:
        raise ValueError(
            f"{len(block_table)} blocks of {key_blocks.shape[1]} tokens have no room for {length} tokens. "
            "Add a block to the table."
        )
    K = key_blocks[block_table].reshape(-1, key_blocks.shape[-1])[:length]
    V = value_blocks[block_table].reshape(-1, value_blocks.shape[-1])[:length]
    return scaled_dot_product_attention(Q, K, V)


@checked
@in_float32
def chunked_sum(x, chunk):
    """Return sums over the last axis whose order of additions depends on nothing but the size of a chunk.

    The twin of `clearhead.maths.serving.chunked_sum`, to the last bit.
    """
    *leading, terms = x.shape
    count = -(-terms // chunk)
    chunks = F.pad(x, (0, count * chunk - terms)).reshape(*leading, count, chunk)
    return _from_left_to_right(_from_left_to_right(chunks))


def _from_left_to_right(x):
    total = torch.zeros_like(x[..., :0].sum(dim=-1))
    for k in range(x.shape[-1]):
        total = total + x[..., k]
    return total
