"""Multi-head attention: each head attends in its own way, and the results are combined."""

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
