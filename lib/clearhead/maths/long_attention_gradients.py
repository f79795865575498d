"""Gradients by hand of attention for long texts: weights are made again, a few rows at a time."""

import numpy as np

from .attention import scaled_dot_product_attention
from .gradient_shapes import check_gradient
from .gradients import attention_gradients
from .shapes import check_attention_shapes, check_self, check_whole


def chunked_attention_gradients(dZ, Q, K, V, mask=None, chunk=512, causal=False):
    """Return the gradients of chunked_attention: weights of a few queries are made again, used, forgotten.

        dQ_rows, dK', dV' = attention_gradients(of these rows),   dK = Σ dK',   dV = Σ dV'

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., S, d) float
    V : (..., S, e) float
    mask : (..., T, S) bool, optional
        What went into the attention.
    chunk : () int, optional
        How many queries are held at a time: chunk · S weights instead of T · S.
    causal : bool, optional
        Whether query i looked at keys 0 to i only.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., S, d) float
    dV : (..., S, e) float
        The same as from `attention_gradients`, whatever the chunk.

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or the chunk is below 1.
    TypeError
        Where the mask is not boolean.

    References
    ----------
    Chen et al. (2016), "Training deep nets with sublinear memory cost": compute again instead of keeping;
    Dao et al. (2022), "FlashAttention", algorithm 4.
    """
    check_attention_shapes(Q, K, V, mask)
    check_whole(1, chunk=chunk)
    T, S = Q.shape[-2], K.shape[-2]
    if mask is None:
        mask = np.True_
    mask = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, (T, S)))

    def may_look(rows, seen):
        past = np.arange(S)[seen] <= np.arange(T)[rows, None]
        return mask[..., rows, seen] & past if causal else mask[..., rows, seen]

    rows = [slice(start, start + chunk) for start in range(0, T, chunk)]
    pieces = ((r, slice(0, r.stop if causal else S)) for r in rows)
    return _add_up(dZ, Q, K, V, pieces, may_look, mask.shape[:-2])


def sliding_window_attention_gradients(dZ, Q, K, V, window):
    """Return the gradients of sliding_window_attention, in time and memory T · window.

        dK_j = Σ over the window queries that saw key j,   dV_j the same

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., T, d) float
    V : (..., T, e) float
        What went into the attention.
    window : () int
        How many tokens each token saw, itself included.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., T, d) float
    dV : (..., T, e) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or the window is below 1.
    """
    check_self(Q, K, V)
    check_whole(1, window=window)
    places = np.arange(Q.shape[-2])

    def may_look(rows, seen):
        back = places[rows, None] - places[seen]
        return (back >= 0) & (back < window)

    rows = [slice(start, start + window) for start in range(0, len(places), window)]
    pieces = ((r, slice(max(r.start - window + 1, 0), r.stop)) for r in rows)
    return _add_up(dZ, Q, K, V, pieces, may_look)


def _add_up(dZ, Q, K, V, pieces, may_look, leading=()):
    """Return the gradients of attention, from pieces (queries, keys they saw) of it, one after the other."""
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2], leading)
    check_gradient((*leading, Q.shape[-2], V.shape[-1]), dZ=dZ)
    dQ, dK, dV = (np.zeros(part.shape, np.result_type(dZ, part, np.float16)) for part in (Q, K, V))
    for rows, seen in pieces:
        q, k, v = Q[..., rows, :], K[..., seen, :], V[..., seen, :]
        A = scaled_dot_product_attention(q, k, v, may_look(rows, seen))[1]
        dq, dk, dv = attention_gradients(dZ[..., rows, :], q, k, v, A)
        dQ[..., rows, :] += dq
        dK[..., seen, :] += dk
        dV[..., seen, :] += dv
    return dQ, dK, dV
