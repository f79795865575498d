"""The language model of today, whole: rotary positions, grouped heads, a gate, and norms without a mean."""

import numpy as np

from clearhead.contracts import checked

from .attention import scaled_dot_product_attention
from .heads import merge_heads, split_heads
from .layers import embed, linear
from .norms import rms_norm
from .relative_positions import rotary_angles, rotate
from .transformer import gated_feed_forward


@checked
def llama_attention(x, parameters, num_heads, angles, keys, values):
    """Return what each new token takes from the text so far, where each head looks, and what to keep.

        K = [K_past, rotate(x W_k)],   V = [V_past, x W_v],   head_h = attention(rotate(x W_q^h), K^g, V^g)

    Parameters
    ----------
    x : (..., T, D) float
        The new tokens.
    parameters : dict
        - query.weight : (D, H·d) float
        - key.weight : (D, G·d) float
        - value.weight : (D, G·d) float
        - output.weight : (H·d, D) float
    num_heads : () int H from 1, H/G whole
        How many heads, H. Those of a group share keys and values: g = ⌊h G / H⌋.
    angles : (T, d/2) float
        Of the new tokens, from `rotary_angles`.
    keys : (..., G, S, d) float
        What was kept of the S tokens before. At the start, S = 0.
    values : (..., G, S, d) float

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S+T) float
    keys : (..., G, S+T, d) float
    values : (..., G, S+T, d) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2, with the
    groups of Ainslie et al. (2023).
    """
    past, groups = keys.shape[-2], keys.shape[-3]
    Q = rotate(split_heads(linear(x, **parameters["query"]), num_heads), angles)  # (..., H, T, d)
    K = rotate(split_heads(linear(x, **parameters["key"]), groups), angles)  # (..., G, T, d)
    V = split_heads(linear(x, **parameters["value"]), groups)  # (..., G, T, d)
    K, V = np.concatenate([keys, K], axis=-2), np.concatenate([values, V], axis=-2)
    mask = np.tri(x.shape[-2], K.shape[-2], past, dtype=bool)  # (T, S+T)
    together = num_heads // groups  # heads of a group: they ask in a row, of the same keys
    asked = Q.reshape(*K.shape[:-2], together * x.shape[-2], K.shape[-1])  # (..., G, H/G·T, d)
    Z, A = scaled_dot_product_attention(asked, K, V, np.tile(mask, (together, 1)))
    Z, A = Z.reshape(Q.shape), A.reshape(*Q.shape[:-1], K.shape[-2])
    return linear(merge_heads(Z), **parameters["output"]), A, K, V


@checked
def llama_block(x, parameters, num_heads, angles, keys, values):
    """Return the new tokens after one block, where its heads look, and what to keep.

        x = x + attention(norm(x)),   y = x + gated_feed_forward(norm(x))

    Parameters
    ----------
    x : (..., T, D) float
        The new tokens.
    parameters : dict
        - attention_norm.gain : (D,) float
        - attention : dict of llama_attention
        - feed_forward_norm.gain : (D,) float
        - feed_forward : dict of gated_feed_forward
    num_heads : () int H from 1, H/G whole
        How many heads, H.
    angles : (T, d/2) float
        Of the new tokens.
    keys : (..., G, S, d) float
        What was kept of the S tokens before.
    values : (..., G, S, d) float

    Returns
    -------
    y : (..., T, D) float
    A : (..., H, T, S+T) float
    keys : (..., G, S+T, d) float
    values : (..., G, S+T, d) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2.
    """
    h = rms_norm(x, **parameters["attention_norm"])
    Z, A, keys, values = llama_attention(h, parameters["attention"], num_heads, angles, keys, values)
    x = x + Z
    h = rms_norm(x, **parameters["feed_forward_norm"])
    return x + gated_feed_forward(h, parameters["feed_forward"]), A, keys, values


@checked
def llama(ids, parameters, num_heads, num_groups, base=10000.0):
    """Return, at every token, the scores of all words to come next.

        x = tokens[id],   x = block(x) for each block,   logits = norm(x) tokensᵀ

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict
        - tokens : (V, D) float
        - blocks : list of dict of llama_block
        - norm.gain : (D,) float
    num_heads : () int H from 1, H/G whole
        How many heads, H.
    num_groups : () int G from 1
        How many of them have keys and values of their own.
    base : () float, optional
        Of the rotary positions.

    Returns
    -------
    logits : (..., T, V) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2, with one table
    for reading and for scoring.
    """
    x = embed(ids, parameters["tokens"])  # (..., T, D)
    for block in parameters["blocks"]:
        d_k = block["attention"]["key"]["weight"].shape[-1] // num_groups
        nothing = np.zeros((*x.shape[:-2], num_groups, 0, d_k), dtype=x.dtype)
        angles = rotary_angles(ids.shape[-1], d_k, base)
        x = llama_block(x, block, num_heads, angles, nothing, nothing)[0]
    return rms_norm(x, **parameters["norm"]) @ parameters["tokens"].T  # (..., T, V)
