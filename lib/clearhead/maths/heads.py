"""Multi-head attention: each head attends in its own way, and the results are combined."""

import math

import numpy as np

from clearhead.contracts import checked

from .attention import scaled_dot_product_attention
from .layers import linear


@checked
def split_heads(x, num_heads):
    """Return the columns of each token split among the heads: head h gets the h-th block of columns.

        x_head[h, t, c] = x[t, h · (D/H) + c]

    Parameters
    ----------
    x : (..., T, D) float
    num_heads : () int H from 1
        How many heads, H. It must divide D.

    Returns
    -------
    x_head : (..., H, T, D/H) float
    """
    *leading, length, d_model = x.shape
    return x.reshape(*leading, length, num_heads, d_model // num_heads).swapaxes(-3, -2)


@checked
def merge_heads(x):
    """Return the heads concatenated to one row per token; this is the inverse of `split_heads`.

        y[t, h · d + c] = x[h, t, c]

    Parameters
    ----------
    x : (..., H, T, d) float

    Returns
    -------
    y : (..., T, H·d) float
    """
    *leading, num_heads, length, d_k = x.shape
    return x.swapaxes(-3, -2).reshape(*leading, length, num_heads * d_k)


@checked
def multi_head_attention(x, context, parameters, num_heads, mask=None):
    """Return multi-head attention from the tokens of x to those of the context, and the weights of each head.

        head_h = attention(x W_q^h, context W_k^h, context W_v^h),   Z = [head_1 ... head_H] W_o

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that ask.
    context : (..., S, D) float
        The tokens that are looked at: x itself in self-attention, another sentence in cross-attention.
    parameters : dict
        - query.weight : (D, H·d) float
        - query.bias : (H·d,) float, optional
        - key.weight : (D, H·d) float
        - key.bias : (H·d,) float, optional
        - value.weight : (D, H·e) float
        - value.bias : (H·e,) float, optional
        - output.weight : (H·e, D) float
        - output.bias : (D,) float, optional
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, S) bool, optional
        True where a token may look. It is compared from the right: give (T, S) or (S,), if it is the same
        for the whole batch and for all heads, or all axes, with 1 where it is the same: for a batch,
        (B, 1, T, S).

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S) float
        Where each head of each token looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.2.
    """
    Q = split_heads(linear(x, **parameters["query"]), num_heads)  # (..., H, T, d)
    K = split_heads(linear(context, **parameters["key"]), num_heads)  # (..., H, S, d)
    V = split_heads(linear(context, **parameters["value"]), num_heads)  # (..., H, S, e)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)  # (..., H, T, e), (..., H, T, S)
    return linear(merge_heads(Z), **parameters["output"]), A


@checked
def grouped_query_attention(x, context, parameters, num_heads, num_groups, mask=None):
    """Return multi-head attention in which the heads of a group share their keys and values.

        head_h = attention(x W_q^h, context W_k^g, context W_v^g)   with   g = ⌊h G / H⌋

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that ask.
    context : (..., S, D) float
        The tokens that are looked at.
    parameters : dict
        - query.weight : (D, H·d) float
        - query.bias : (H·d,) float, optional
        - key.weight : (D, G·d) float
        - key.bias : (G·d,) float, optional
        - value.weight : (D, G·e) float
        - value.bias : (G·e,) float, optional
        - output.weight : (H·e, D) float
        - output.bias : (D,) float, optional
    num_heads : () int H from 1
        How many heads, H.
    num_groups : () int G from 1, H/G whole
        How many groups, G. It must divide H. G = H is multi-head attention, G = 1 is multi-query attention.
    mask : (..., H, T, S) bool, optional
        True where a token may look.

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S) float
        Where each head of each token looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    A cache of keys and values is H / G times smaller.

    References
    ----------
    Ainslie et al. (2023), "GQA: training generalized multi-query transformer models", section 2.2.
    """
    Q = split_heads(linear(x, **parameters["query"]), num_heads)  # (..., H, T, d)
    K = split_heads(linear(context, **parameters["key"]), num_groups)  # (..., G, S, d)
    V = split_heads(linear(context, **parameters["value"]), num_groups)  # (..., G, S, e)
    # (..., H, S, d) and (..., H, S, e)
    K, V = (np.repeat(shared, num_heads // num_groups, axis=-3) for shared in (K, V))
    Z, A = scaled_dot_product_attention(Q, K, V, mask)  # (..., H, T, e), (..., H, T, S)
    return linear(merge_heads(Z), **parameters["output"]), A


@checked
def multi_head_latent_attention(x, context, parameters, num_heads, mask=None):
    """Return multi-head attention whose keys and values are all computed from one short vector per token.

        C = context W_down,   head_h = attention(x W_q^h, C W_k^h, C W_v^h),   Z = [head_1 ... head_H] W_o

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that have queries.
    context : (..., S, D) float
        The tokens that have keys and values.
    parameters : dict
        - query.weight : (D, H·d) float
        - down.weight : (D, r) float
          It computes the latent vectors C, which are all that a cache has to keep.
        - key.weight : (r, H·d) float
        - value.weight : (r, H·e) float
        - output.weight : (H·e, D) float
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, S) bool, optional
        True where a token may look.

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S) float
        Where each head of each token looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    This is multi-head attention whose matrices for keys and values have the rank r or less. A cache holds r
    numbers per token instead of H (d + e). Positions have to be in x already: rotary positions need a part
    of the keys that is kept apart, which is not computed here (section 2.1.3 of the paper).

    References
    ----------
    DeepSeek-AI (2024), "DeepSeek-V2: a strong, economical, and efficient mixture-of-experts language model",
    section 2.1.2.
    """
    C = linear(context, **parameters["down"])  # (..., S, r)
    Q = split_heads(linear(x, **parameters["query"]), num_heads)  # (..., H, T, d)
    K = split_heads(linear(C, **parameters["key"]), num_heads)  # (..., H, S, d)
    V = split_heads(linear(C, **parameters["value"]), num_heads)  # (..., H, S, e)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)  # (..., H, T, e), (..., H, T, S)
    return linear(merge_heads(Z), **parameters["output"]), A


@checked
def absorbed_latent_attention(x, context, parameters, num_heads, mask=None):
    """Return the result of `multi_head_latent_attention`, computed without the keys and values of the heads.

        A_h = softmax(x W_q^h W_k^hᵀ Cᵀ / √d),   head_h = (A_h C) W_v^h

    The queries take over the matrix of the keys, and the outputs that of the values. All heads then read the
    same vectors C, as in multi-query attention.

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that have queries.
    context : (..., S, D) float
        The tokens that have keys and values.
    parameters : dict of multi_head_latent_attention
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, S) bool, optional
        True where a token may look.

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S) float
        Where each head of each token looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    References
    ----------
    DeepSeek-AI (2024), "DeepSeek-V2: a strong, economical, and efficient mixture-of-experts language model",
    section 2.1.2.
    """
    C = linear(context, **parameters["down"])[..., None, :, :]  # (..., 1, S, r)
    Q = split_heads(linear(x, **parameters["query"]), num_heads)  # (..., H, T, d)
    # (H, r, d) and (H, r, e)
    W_k, W_v = (split_heads(parameters[name]["weight"], num_heads) for name in ("key", "value"))
    scale = math.sqrt(C.shape[-1] / Q.shape[-1])  # attention divides by √r, and √d is meant
    Z, A = scaled_dot_product_attention(scale * (Q @ W_k.mT), C, C, mask)  # (..., H, T, r)
    return linear(merge_heads(Z @ W_v), **parameters["output"]), A
