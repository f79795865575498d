"""The language model of today, whole. The twin of `clearhead.maths.llama`."""

import torch

from .attention import scaled_dot_product_attention
from .contracts import checked
from .heads import merge_heads, split_heads
from .layers import linear
from .norms import rms_norm
from .relative_positions import rotate
from .transformer import gated_feed_forward


@checked
def llama_attention(x, parameters, num_heads, angles, keys, values):
    """Return what each new token takes from the text so far, where each head looks, and what to keep.

    The twin of `clearhead.maths.llama.llama_attention`.
    """
    past, groups = keys.shape[-2], keys.shape[-3]
    Q = rotate(split_heads(linear(x, **parameters["query"]), num_heads), angles)  # (..., H, T, d)
    K = rotate(split_heads(linear(x, **parameters["key"]), groups), angles)  # (..., G, T, d)
    V = split_heads(linear(x, **parameters["value"]), groups)  # (..., G, T, d)
    K, V = torch.cat([keys, K], dim=-2), torch.cat([values, V], dim=-2)
    mask = x.new_ones(x.shape[-2], K.shape[-2], dtype=torch.bool).tril(past)  # (T, S+T)
    together = num_heads // groups  # heads of a group: they ask in a row, of the same keys
    asked = Q.reshape(*K.shape[:-2], together * x.shape[-2], K.shape[-1])  # (..., G, H/G·T, d)
    Z, A = scaled_dot_product_attention(asked, K, V, mask.repeat(together, 1))
    Z, A = Z.reshape(Q.shape), A.reshape(*Q.shape[:-1], K.shape[-2])
    return linear(merge_heads(Z), **parameters["output"]), A, K, V


@checked
def llama_block(x, parameters, num_heads, angles, keys, values):
    """Return the new tokens after one block, where its heads look, and what to keep.

    The twin of `clearhead.maths.llama.llama_block`.
    """
    h = rms_norm(x, **parameters["attention_norm"])
    Z, A, keys, values = llama_attention(h, parameters["attention"], num_heads, angles, keys, values)
    x = x + Z
    h = rms_norm(x, **parameters["feed_forward_norm"])
    return x + gated_feed_forward(h, parameters["feed_forward"]), A, keys, values
