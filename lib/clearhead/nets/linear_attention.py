"""Linear attention, at a cost linear in the length. The twin of `clearhead.maths.linear_attention`."""

import torch

from .contracts import checked, in_float32


@checked
def feature_map(x):
    """Return elu(x) + 1. The twin of `clearhead.maths.linear_attention.feature_map`."""
    return torch.exp(x.clamp(max=0)) + torch.relu(x)  # F.elu(x) + 1 would round small ones to 0


@checked
@in_float32
def linear_attention(Q, K, V):
    """Return attention with φ(q) · φ(k) instead of exp(q · k / √d).

    The twin of `clearhead.maths.linear_attention.linear_attention`.
    """
    Q, K = feature_map(Q), feature_map(K)
    total = Q @ K.sum(dim=-2)[..., None]  # (..., T, 1)
    return Q @ (K.mT @ V) / torch.where(total > 0, total, 1)


@checked
@in_float32
def causal_linear_attention(Q, K, V):
    """Return linear attention in which each token sees only the past, computed like a recurrent network.

    The twin of `clearhead.maths.linear_attention.causal_linear_attention`.
    """
    Q, K = feature_map(Q), feature_map(K)
    memory = torch.cumsum(K[..., :, None] * V[..., None, :], dim=-3)  # (..., T, d, e)
    total = torch.cumsum(K, dim=-2)
    return (Q[..., None, :] @ memory)[..., 0, :] / (Q * total).sum(dim=-1, keepdim=True)
