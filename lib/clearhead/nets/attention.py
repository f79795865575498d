"""Attention: look things up by likeness, softly. The twin of `clearhead.maths.attention`.

Two paths give the same Z. The visible one, `scaled_dot_product_attention`, also gives the weights A. The fast
one, `fast_attention`, never keeps A.
"""

import math

import torch
from torch.nn import functional as F

from .contracts import checked
from .softmax import softmax


@checked
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one mixture of the values for each query, and the weights of each mixture.

        A = softmax(Q Kᵀ / √d),   Z = A V

    The twin of `clearhead.maths.attention.scaled_dot_product_attention`: the path on which A can be seen.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    A = softmax(scores)
    return A @ V, A


@checked
def biased_attention(Q, K, V, bias, mask=None):
    """Return attention whose scores get a bias, such as one for the distance between query and key.

        A = softmax(Q Kᵀ / √d + bias),   Z = A V

    The twin of `clearhead.maths.attention.biased_attention`.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT + bias  # (..., T, S)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    A = softmax(scores)
    return A @ V, A


def and_causal(mask, Q, K):
    """Return the mask that also hides, from query i, all keys after key i. No mask hides nothing."""
    T, S = Q.shape[-2], K.shape[-2]
    past = torch.ones(T, S, dtype=torch.bool, device=Q.device).tril()
    return past if mask is None else mask & past


def plain_is_faster(Q, K, causal):
    """Return whether building A beats PyTorch's kernel: in bfloat16, on a CPU, where texts are short.

    Measured in CPU time against the kernel, 4 heads of width 32, causal: 0.9 forward and 0.3 forward and
    backward at 64 tokens, 1.1 and 0.6 at 256. Not causal, where the kernel skips nothing, by the clock on two
    cores, 8 heads of width 64: 0.6 and 0.7 at 512 tokens, 1.4 and 1.1 at 1,024. In single precision 1.4 and
    more everywhere.
    """
    learns = torch.is_grad_enabled() and Q.requires_grad
    longest = (256 if learns else 128) if causal else 512
    short = max(Q.shape[-2], K.shape[-2]) <= longest
    return short and Q.dtype == torch.bfloat16 and Q.device.type == "cpu"


def plain_attention(Q, K, V, causal):
    """Return the Z of `scaled_dot_product_attention` for queries that can all look somewhere."""
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if causal:
        scores = scores + scores.new_full(scores.shape[-2:], -torch.inf).triu(1)  # no mask for the gradient
    return torch.softmax(scores, dim=-1) @ V


def pytorch_attention(Q, K, V, mask=None, causal=False):
    """Return Z by the kernel of PyTorch, which builds no A, but works so only where it gets four axes."""
    mask = mask[None] if mask is not None and mask.dim() == 1 else mask
    given = [Q, K, V] if mask is None else [Q, K, V, mask]
    if Q.dim() == K.dim() == V.dim() == 4 and _is_for_all_of(mask, Q):
        return F.scaled_dot_product_attention(*given, is_causal=causal)
    leading = torch.broadcast_shapes(*(each.shape[:-2] for each in given))
    four = [each.expand(*leading, -1, -1).reshape(1, leading.numel(), *each.shape[-2:]) for each in given]
    Z = F.scaled_dot_product_attention(*four, is_causal=causal)
    return Z.reshape(*leading, *Z.shape[-2:])


def _is_for_all_of(mask, Q):
    """Return whether the leading axes of a mask, where there is one, are those of Q, or 1."""
    if mask is None:
        return True
    masks, rows = mask.shape[-3::-1], Q.shape[-3::-1]
    return len(masks) <= len(rows) and all(one in (1, other) for one, other in zip(masks, rows, strict=False))


@checked
def fast_attention(Q, K, V, mask=None, causal=False):
    """Return the Z of `scaled_dot_product_attention` by the fastest way for these shapes.

        Z = softmax(Q Kᵀ / √d) V

    That is PyTorch's own kernel, which never builds A, except where `plain_is_faster`.

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
    """
    if mask is None and plain_is_faster(Q, K, causal):
        return plain_attention(Q, K, V, causal)
    if mask is None:
        return pytorch_attention(Q, K, V, causal=causal)
    if causal:
        mask = and_causal(mask, Q, K)
    Z = pytorch_attention(Q, K, V, mask)
    return Z.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
