"""Attention for long texts: the same result in less memory, or the nearest tokens only in less time."""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product

import numpy as np
from threadpoolctl import ThreadpoolController

from .contracts import checked
from .softmax import softmax

_LONG = 4_000_000  # from so many scores on, it pays to begin on every core


@checked
def online_softmax(scores, chunk):
    """Return softmax, from scores that come a few columns at a time.

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
    """Return the Z of attention without ever holding all the weights: queries and keys come a few at a time.

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
        True where a query may look. A core looks at, and copies, only 2 chunk² of it at a time.
    chunk : () int from 1, optional
        How many queries a core holds at a time, and twice as many keys: 2 chunk² scores instead of T · S.
    causal : bool, optional
        Whether query i may look at keys 0 to i only. Needs no mask, and the keys of the future are not read.

    Returns
    -------
    Z : (..., T, e) float
        The same as from `scaled_dot_product_attention`, whatever the chunk.

    References
    ----------
    Rabe & Staats (2021), "Self-attention does not need O(n²) memory"; Dao et al. (2022), "FlashAttention",
    algorithm 1.
    """
    given = [rows for rows in (Q, K, V, mask) if rows is not None]
    leading = np.broadcast_shapes(*(rows.shape[:-2] for rows in given))
    wide = [(*leading, *rows.shape[-2:]) for rows in (Q, K, V)]
    Q, K, V = (np.broadcast_to(rows, shape) for rows, shape in zip((Q, K, V), wide, strict=True))
    T, S = Q.shape[-2], K.shape[-2]
    mask = None if mask is None else np.broadcast_to(mask, (*leading, T, S))
    Z = np.empty((*leading, T, V.shape[-1]), np.result_type(Q, K, V, np.float16))

    def attend(piece):
        head, start = piece
        rows = slice(start, start + chunk)
        q = (Q[head][rows] / math.sqrt(Q.shape[-1])).astype(np.result_type(Z, np.float32))
        may_look = _who_may_look(None if mask is None else mask[head][rows], start if causal else S)
        Z[head][rows] = _over_the_keys(q, K[head], V[head], may_look, 2 * chunk)

    pieces = list(product(np.ndindex(leading), range(0, T, chunk)))
    _share_out(attend, pieces, len(pieces) > 1 and math.prod(leading) * T * S > _LONG)
    return Z


def _share_out(work, pieces, side_by_side):
    """Call `work` on each piece: one by one, or side by side on as many cores as NumPy's products may use.

    NumPy spreads products over the cores, but takes exponentials on one. Side by side, a piece has a core for
    all that it needs, products included.
    """
    cores = max((library["num_threads"] for library in _blas().info()), default=1) if side_by_side else 1
    if cores == 1:
        for piece in pieces:
            work(piece)
        return
    with _blas().limit(limits=1), ThreadPoolExecutor(cores) as pool:
        for _ in pool.map(work, pieces):  # raises what a piece raises
            pass


@cache
def _blas():
    """Return what controls the threads of NumPy's products."""
    return ThreadpoolController().select(user_api="blas")


def _over_the_keys(q, K, V, may_look, chunk):
    """Return the Z of a few queries q (T, d): an online softmax that adds up values on its way.

    Scores are measured from a height near the highest so far: the product of [q, height] and [k, -1]. Only
    when a score stands far above it, the height rises and what was added up shrinks.
    """
    far = math.log(np.finfo(q.dtype).max) / 8  # e to this, times many keys, is no overflow
    q, chunk = np.concatenate([q.T, np.zeros((1, len(q)), q.dtype)]), min(chunk, max(len(K), 1))
    height, total, Z = q[-1], np.zeros(q.shape[1], q.dtype), np.zeros((q.shape[1], V.shape[-1]), q.dtype)
    keys, room = np.full((chunk, len(q)), -1, q.dtype), np.empty((chunk, q.shape[1]), q.dtype)
    ones = np.ones(chunk, q.dtype)
    for start in range(0, len(K), chunk):
        piece = slice(start, min(start + chunk, len(K)))
        n, mask = piece.stop - start, may_look(q.shape[1], piece)
        if mask is not None and not mask.any():
            continue
        keys[:n, :-1] = K[piece]
        scores = np.matmul(keys[:n], q, out=room[:n])  # one row a key
        if mask is not None:
            np.copyto(scores, -np.inf, where=~mask.T)
        if scores.max(initial=-np.inf) > far or not total.all():
            shrink = _rise(height, scores, total)
            total, Z = total * shrink, Z * shrink[:, None]
        powers = np.exp(scores, out=scores)
        total += ones[:n] @ powers
        Z += powers.T @ V[piece]
    return Z / np.where(total > 0, total, 1)[:, None]


def _rise(height, scores, total):
    """Raise the height (T,), in place, to the highest score (S, T); return by how much old sums shrink."""
    rise = scores.max(axis=0)
    rise = np.where(np.isfinite(rise) & ((rise > 0) | (total == 0)), rise, 0)
    scores -= rise
    height += rise
    return np.exp(np.where(total > 0, -rise, 0))


def _who_may_look(mask, first):
    """Return what gives the mask of a piece of the keys, None where all is seen; row i sees first + i."""

    def may_look(queries, piece):
        here = None if mask is None else mask[:, piece]
        if piece.stop - 1 <= first:
            return here
        if piece.start > first + queries - 1:
            return np.False_
        past = np.arange(piece.start, piece.stop) <= np.arange(first, first + queries)[:, None]
        return past if here is None else here & past

    return may_look


@checked
def sliding_window_attention(Q, K, V, window):
    """Return causal attention that reaches back over a few tokens only, in time and memory T · window.

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
