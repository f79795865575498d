"""What a serving program needs beside the model: a cache in blocks, and sums in a fixed order."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .attention import scaled_dot_product_attention


@checked
@in_float32
def paged_attention(Q, key_blocks, value_blocks, block_table, length):
    """Return the attention of queries to a cache that is stored in blocks, and the weights.

        K_t = key_blocks[block_table[t // P], t mod P],   Z, A = scaled_dot_product_attention(Q, K, V)

    Parameters
    ----------
    Q : (T, d) float
        Queries of one text, each of which may attend to the whole cache.
    key_blocks : (R, P, d) float, P from 1
        The blocks of all texts, each with room for P keys.
    value_blocks : (R, P, e) float
        The same for the values.
    block_table : (C,) int from 0 to R-1
        The blocks of this text, in the order of its tokens.
    length : () int S from 0
        How many tokens the text has. The rest of its last block is not read.

    Returns
    -------
    Z : (T, e) float
    A : (T, S) float

    Raises
    ------
    ValueError
        If the table has too few blocks for `length` tokens.

    References
    ----------
    Kwon et al. (2023), "Efficient memory management for large language model serving with PagedAttention",
    section 4.
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

        c_k = (...((x_{k chunk} + x_{k chunk + 1}) + ...) + x_{k chunk + chunk - 1},   (...(c_0 + c_1) + ...)

    Floating-point addition rounds each partial sum, so another order may give another last bit. Here each
    chunk is summed from left to right, and then the sums of the chunks are: a row gives the same bits alone
    and in a batch of any size.

    Parameters
    ----------
    x : (..., d) float
    chunk : () int from 1
        How many neighbouring terms form a chunk. The last chunk may be shorter.

    Returns
    -------
    total : (...) float

    References
    ----------
    He et al. (2025), "Defeating nondeterminism in LLM inference", on batch-invariant reductions.
    """
    *leading, terms = x.shape
    count = -(-terms // chunk)
    zeros = np.zeros_like(x, shape=(*leading, count * chunk - terms))
    chunks = np.concatenate([x, zeros], axis=-1).reshape(*leading, count, chunk)
    return _from_left_to_right(_from_left_to_right(chunks))


def _from_left_to_right(x):
    total = np.zeros_like(x, shape=x.shape[:-1])
    for k in range(x.shape[-1]):
        total = total + x[..., k]
    return total
