"""Memories of fixed size that forget by a factor. The twin of `clearhead.maths.linear_recurrence`."""

import torch

from .contracts import checked


@checked
def linear_recurrence(decay, x):
    """Return a memory after each token, of which a share is kept, and to which the token is added.

    The twin of `clearhead.maths.linear_recurrence.linear_recurrence`.
    """
    h = torch.zeros_like(decay * x)
    memory = torch.zeros_like(h.sum(dim=-2))
    for t in range(h.shape[-2]):
        memory = decay[..., t, :] * memory + x[..., t, :]
        h[..., t, :] = memory
    return h


@checked
def linear_scan(decay, x):
    """Return what `linear_recurrence` returns, in log₂ T rounds over all tokens at once.

    The twin of `clearhead.maths.linear_recurrence.linear_scan`.
    """
    h, step = x, 1
    while step < h.shape[-2]:
        before, kept = h[..., :-step, :], decay[..., :-step, :]
        h = torch.cat([h[..., :step, :], decay[..., step:, :] * before + h[..., step:, :]], dim=-2)
        decay = torch.cat([decay[..., :step, :], decay[..., step:, :] * kept], dim=-2)
        step = 2 * step
    return h


@checked
def delta_rule(Q, K, V, rates):
    """Return what each token reads from a table into which each token writes by the delta rule.

    The twin of `clearhead.maths.linear_recurrence.delta_rule`.
    """
    memory, rows = torch.zeros_like(K[..., :1, :].mT @ V[..., :1, :]), []
    for t in range(Q.shape[-2]):
        q, k, v = (each[..., t : t + 1, :] for each in (Q, K, V))
        memory = memory + rates[..., t, None, None] * (k.mT @ (v - k @ memory))
        rows.append(q @ memory)
    return torch.cat(rows, dim=-2) if rows else Q @ memory
