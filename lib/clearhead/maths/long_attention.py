"""Attention for long sequences: the same result in less memory, or only nearby tokens in less time."""

import math

import numpy as np

from clearhead.contracts import checked, in_float32

from .softmax import softmax


@checked
@in_float32
def online_softmax(scores, chunk):
    """Return the softmax of scores that arrive a few columns at a time.

        m' = max(m, max s),   total' = total exp(m - m') + Σ exp(s - m')

    Parameters
    ----------
    scores : (..., S) float, array or list
        Any real numbers; -inf gives weight 0.
    chunk : () int from 1
        How many columns are read at a time.

    Returns
    -------
    weights : (..., S) float
        Each row sums to 1 (or is all zeros).

    References
    ----------
    Milakov & Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.
    """
    scores = 1.0 * np.asarray(scores)
    highest = np.full((*scores.shape[:-1], 1), np.finfo(scores.dtype).min, dtype=scores.dtype)
    total = np.zeros_like(highest)
    for start in range(0, scores.shape[-1], chunk):
        piece = scores[..., start : start + chunk]
        before, highest = highest, np.maximum(highest, piece.max(axis=-1, keepdims=True))
        shrink = np.exp(np.where(total > 0, before, highest) - highest)
        total = total * shrink + np.exp(piece - highest).sum(axis=-1, keepdims=True)
    return np.exp(scores - highest) / np.where(total > 0, total, 1)


@checked
def chunked_attention(Q, K, V, mask=None, chunk=512, causal=False):
    """Return the Z of attention without ever holding all weights: queries and keys are processed in chunks.

        m' = max(m, max s),   [Z, total]' = [Z, total] exp(m - m') + exp(s - m') [V_piece, 1],   Z / total

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
        One query a row.
    K : (..., S, d) float
        One key a row.
    V : (..., S, e) float
        One value a row.
    mask : (..., T, S) bool, optional
        True where a query may look.
    chunk : () int from 1, optional
        How many queries are held at a time, and twice as many keys: 2 chunk² scores a head instead of T · S.
    causal : bool, optional
        Whether query i may look at keys 0 to i only. Needs no mask, and the keys of the future are not read.

    Returns
    -------
    Z : (..., T, e) float
        The same as from `scaled_dot_product_attention`, whatever the chunk.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    References
    ----------
    Rabe & Staats (2021), "Self-attention does not need O(n²) memory"; Dao et al. (2022), "FlashAttention",
    algorithm 1.
    """
    T, S = Q.shape[-2], K.shape[-2]
    mask = None if mask is None else np.broadcast_to(mask, (*mask.shape[:-2], T, S))
    leading = np.broadcast_shapes(*(x.shape[:-2] for x in (Q, K, V, mask) if x is not None))
    Z = np.empty((*leading, T, V.shape[-1]), np.result_type(Q, K, V, np.float16))
    for start in range(0, T, chunk):
        rows = slice(start, start + chunk)
        q = (Q[..., rows, :] / math.sqrt(Q.shape[-1])).astype(np.result_type(Z, np.float32))
        here = None if mask is None else mask[..., rows, :]
        Z[..., rows, :] = _over_the_keys(q, K, V, here, start if causal else S, 2 * chunk)
    return Z


def _over_the_keys(q, K, V, mask, first, chunk):
    """Return the Z of a few queries (..., T, d), of which query i attends only to the keys 0 to first + i."""
    last = np.arange(first, first + q.shape[-2])  # the last key of each query
    end = min(K.shape[-2], first + q.shape[-2])
    highest, total, Z = np.finfo(q.dtype).min, np.zeros(1, q.dtype), np.zeros(1, q.dtype)
    for start in range(0, end, chunk):
        piece = slice(start, min(start + chunk, end))
        scores = _scores(q, K[..., piece, :], _who_may_look(mask, piece, last))
        before, highest = highest, np.maximum(highest, scores.max(axis=-1, keepdims=True))
        shrink = np.exp(np.where(total > 0, before, highest) - highest)
        powers = np.exp(np.subtract(scores, highest, out=scores), out=scores)
        total = total * shrink + powers.sum(axis=-1, keepdims=True)
        Z = Z * shrink + powers @ V[..., piece, :]
        del scores, powers  # so that two pieces are never held at a time
    return Z / np.where(total > 0, total, 1)


def _who_may_look(mask, piece, last):
    """Return the mask of a chunk of keys, for queries that see keys up to a last one; None hides nothing."""
    here = None if mask is None else mask[..., piece]
    if piece.stop - 1 <= last[0]:
        return here
    past = np.arange(piece.start, piece.stop) <= last[:, None]
    return past if here is None else here & past


def _scores(q, K, mask):
    scores = q @ K.mT
    return scores if mask is None else np.where(mask, scores, -np.inf)


@checked
@in_float32
def sliding_window_attention(Q, K, V, window):
    """Return causal attention that reaches back over only a few tokens, in time and memory T · window.

        z_t = Σ_j a_tj V_j   over   t - window < j ≤ t

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
        One query a row.
    K : (..., T, d) float
        One key a row, as many as queries.
    V : (..., T, e) float
        One value a row.
    window : () int from 1
        How many tokens each token sees, itself included.

    Returns
    -------
    Z : (..., T, e) float
        The same as from `scaled_dot_product_attention` with `sliding_window_mask`.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    T, block = Q.shape[-2], min(max(window, 64), 1024)
    pieces = []
    for start in range(0, max(T, 1), block):  # with no token at all, one empty piece
        rows, seen = slice(start, start + block), slice(max(start - window + 1, 0), start + block)
        q, k, v = Q[..., rows, :] / math.sqrt(Q.shape[-1]), K[..., seen, :], V[..., seen, :]
        back = np.arange(start, start + q.shape[-2])[:, None] - np.arange(
            seen.start, seen.start + k.shape[-2]
        )
        scores = np.where((back >= 0) & (back < window), q @ k.mT, -np.inf)
        pieces.append(softmax(scores) @ v)
    return np.concatenate(pieces, axis=-2)
