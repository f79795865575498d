"""Attention. The twin of `clearhead.maths.attention`.

Two paths give the same Z. The visible one, `scaled_dot_product_attention`, also gives the weights A. The fast
one, `fast_attention`, never keeps A.
"""

import math

import torch
from torch.nn import functional as F

from .contracts import checked, in_float32
from .softmax import scale_by_temperature, softmax


@checked
@in_float32
def soft_lookup(q, K, V, temperature=1.0):
    """Return the mean of the values, weighted by the similarity of their keys to the query, and the weights.

        a = softmax(K q / temperature),   z = Σ_j a_j V_j

    The twin of `clearhead.maths.attention.soft_lookup`.
    """
    a = softmax(scale_by_temperature(K @ q, temperature))
    return a @ V, a


@checked
@in_float32
def nadaraya_watson(x, X, Y, bandwidth):
    """Return, for each position, the mean of the measurements, weighted by how close each one was taken.

        y = Σ_j a_j Y_j,   a = softmax over j of -‖x - X_j‖² / (2 bandwidth²)

    The twin of `clearhead.maths.attention.nadaraya_watson`.
    """
    squared = ((x[..., None, :] - X) ** 2).sum(-1)
    return softmax(-squared / (2 * bandwidth**2)) @ Y


@checked
@in_float32
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one weighted mean of the values for each query, and the attention weights.

        A = softmax(Q Kᵀ / √d),   Z = A V

    The twin of `clearhead.maths.attention.scaled_dot_product_attention`: the path on which A can be seen.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    A = softmax(scores)
    return A @ V, A


@checked
@in_float32
def sink_attention(Q, K, V, sink, mask=None):
    """Return attention with a learned sink, which takes weight and returns nothing, and the weights.

        A_ij = exp(s_ij) / (exp(sink) + Σ_k exp(s_ik)),   s = Q Kᵀ / √d,   Z = A V

    The twin of `clearhead.maths.attention.sink_attention`.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    scores, sink = torch.broadcast_tensors(scores, sink.to(scores.dtype)[..., None, None])
    A = softmax(torch.cat([scores, sink[..., :1]], dim=-1))[..., : K.shape[-2]]
    return A @ V, A


def with_causal_mask(mask, Q, K):
    """Return the causal mask, combined with `mask` if there is one."""
    T, S = Q.shape[-2], K.shape[-2]
    past = torch.ones(T, S, dtype=torch.bool, device=Q.device).tril()
    return past if mask is None else mask & past


@checked
def fast_attention(Q, K, V, mask=None, causal=False):
    """Return the Z of `scaled_dot_product_attention`, computed by PyTorch's own kernel, which never stores A.

        Z = softmax(Q Kᵀ / √d) V

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
    K : (..., S, d) float
    V : (..., S, e) float
    mask : (..., T, S) bool, optional
        True where a query may look. A query with nowhere to look gets zeros.
    causal : bool
        Whether query i may look at keys 0 to i only. Say so here, without a mask, and no mask is built.

    Returns
    -------
    Z : (..., T, e) float

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.
    """
    if mask is None:
        four = (None,) * (4 - Q.dim())  # with fewer axes PyTorch would build A
        Z = F.scaled_dot_product_attention(Q[four], K[four], V[four], is_causal=causal)
        return Z[(0,) * len(four)]
    mask = with_causal_mask(mask, Q, K) if causal else torch.atleast_2d(mask)
    leading = torch.broadcast_shapes(Q.shape[:-2], mask.shape[:-2])  # a mask may have more axes than Q
    Z = F.scaled_dot_product_attention(Q.expand(*leading, -1, -1), K, V, mask)
    return Z.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
