"""Attention for long texts: the same result in less memory, or the nearest tokens only in less time."""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .activations import softmax
from .shapes import check_attention_shapes, check_self
from .sizes import check_whole


def online_softmax(scores, chunk):
    """Return softmax, from scores that come a few columns at a time.

        m' = max(m, max s),   total' = total exp(m - m') + Σ exp(s - m')

    Parameters
    ----------
    scores : (..., S) float
        Any real numbers; -inf gives weight 0.
    chunk : () int
        How many columns are read at a time.

    Returns
    -------
    weights : (..., S) float
        Each row sums to 1 (or is all zeros).

    Raises
    ------
    ValueError
        Where the chunk is below 1.

    References
    ----------
    Milakov & Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.
    """
    check_whole(1, chunk=chunk)
    highest = np.full((*scores.shape[:-1], 1), np.finfo(scores.dtype).min, dtype=scores.dtype)
    total = np.zeros_like(highest)
    for start in range(0, scores.shape[-1], chunk):
        piece = scores[..., start : start + chunk]
        before, highest = highest, np.maximum(highest, piece.max(axis=-1, keepdims=True))
        shrink = np.exp(np.where(total > 0, before, highest) - highest)
        total = total * shrink + np.exp(piece - highest).sum(axis=-1, keepdims=True)
    return np.exp(scores - highest) / np.where(total > 0, total, 1)


def chunked_attention(Q, K, V, mask=None, chunk=256):
    """Return the Z of attention without ever holding all the weights: keys come a few at a time.

        m' = max(m, max s),   [Z, total]' = [Z, total] exp(m - m') + exp(s - m') [V_piece, 1],   Z / total

    Parameters
    ----------
    Q : (..., T, d) float
        One query a row.
    K : (..., S, d) float
        One key a row.
    V : (..., S, e) float
        One value a row.
    mask : (..., T, S) bool, optional
        True where a query may look.
    chunk : () int, optional
        How many keys are held at a time: T · chunk scores instead of T · S.

    Returns
    -------
    Z : (..., T, e) float
        The same as from `scaled_dot_product_attention`, whatever the chunk.

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or the chunk is below 1.
    TypeError
        Where the mask is not boolean.

    References
    ----------
    Rabe & Staats (2021), "Self-attention does not need O(n²) memory"; Dao et al. (2022), "FlashAttention",
    algorithm 1.
    """
    check_attention_shapes(Q, K, V, mask)
    check_whole(1, chunk=chunk)
    Q = Q / math.sqrt(Q.shape[-1])
    S = K.shape[-2]
    highest = lowest = np.finfo(Q.dtype).min
    total, Z = Q.dtype.type(0), Q.dtype.type(0)
    for start in range(0, max(S, 1), chunk):  # with no key at all, one empty piece
        piece = slice(start, start + chunk)
        scores = Q @ K[..., piece, :].mT
        if mask is not None:
            scores = np.where(np.broadcast_to(mask, (*mask.shape[:-1], S))[..., piece], scores, -np.inf)
        before, highest = highest, np.maximum(highest, scores.max(axis=-1, keepdims=True, initial=lowest))
        powers = np.exp(scores - highest)
        shrink = np.exp(np.where(total > 0, before, highest) - highest)  # 1 while there is nothing to shrink
        total = total * shrink + powers.sum(axis=-1, keepdims=True)
        Z = Z * shrink + powers @ V[..., piece, :]
    return Z / np.where(total > 0, total, 1)


def sliding_window_attention(Q, K, V, window):
    """Return causal attention that reaches back over a few tokens only, in time and memory T · window.

        z_t = Σ_j a_tj V_j   over   t - window < j ≤ t

    Parameters
    ----------
    Q : (..., T, d) float
        One query a row.
    K : (..., T, d) float
        One key a row.
    V : (..., T, e) float
        One value a row.
    window : () int
        How many tokens each token sees, itself included.

    Returns
    -------
    Z : (..., T, e) float
        The same as from `scaled_dot_product_attention` with `sliding_window_mask`.

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or the window is below 1.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    check_self(Q, K, V)
    check_whole(1, window=window)
    padded = [np.pad(rows, [(0, 0)] * (rows.ndim - 2) + [(window, 0), (0, 0)]) for rows in (K, V)]
    K_windows, V_windows = (sliding_window_view(rows, window, axis=-2)[..., 1:, :, :] for rows in padded)
    scores = (Q / math.sqrt(Q.shape[-1]))[..., None, :] @ K_windows
    inside = np.arange(Q.shape[-2])[:, None] + np.arange(window) >= window - 1
    A = softmax(np.where(inside[:, None], scores, -np.inf))
    return (A @ V_windows.mT)[..., 0, :]
