"""The attention of an encoder, block by block, and attention rollout, which combines the blocks."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .heads import multi_head_attention
from .layers import layer_norm
from .transformer import encoder_block


@checked
def encoder_attention(x, blocks, num_heads, mask=None):
    """Return the attention weights of each head of each block in a stack of pre-norm blocks.

        A_l = the attention weights in block l of x_l,   x_{l+1} = block_l(x_l)

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that enter the first block.
    blocks : list of dict of encoder_block
        Their parameters, first block first.
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, T) bool, optional
        True where a token may look.

    Returns
    -------
    A : (L, ..., H, T, T) float
        For each of the L blocks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.
    """
    maps = []
    for block in blocks:
        h = layer_norm(x, **block["attention_norm"])
        maps.append(multi_head_attention(h, h, block["attention"], num_heads, mask)[1])
        x = encoder_block(x, block, num_heads, mask)
    return np.stack(maps)


@checked
@in_float32
def attention_rollout(A):
    """Return the contribution of each input token to each output token, if blocks did nothing but mix tokens.

        R = M_L ... M_2 M_1,   M_l = ½ mean over heads of A_l + ½ I

    Parameters
    ----------
    A : (L, ..., H, T, T) float
        Attention weights of L blocks, first block first. Each row sums to 1.

    Returns
    -------
    R : (..., T, T) float
        Row i says where token i of the last block comes from. Each row sums to 1.

    Raises
    ------
    ValueError
        Where there are fewer than four axes, or queries and keys are not the same tokens.

    Notes
    -----
    The ½ I stands for the residual stream. Values, feed-forward networks and norms are left out, so this is a
    guess about the flow of information, not a computation of it.

    References
    ----------
    Abnar and Zuidema (2020), "Quantifying attention flow in transformers", section 3. They have one
    sequence and average over heads, as we do.
    """
    length = A.shape[-1]
    mixed = A.mean(axis=-3) / 2 + np.eye(length, dtype=A.dtype) / 2  # (L, ..., T, T)
    R = mixed[0]
    for M in mixed[1:]:
        R = M @ R
    return R
