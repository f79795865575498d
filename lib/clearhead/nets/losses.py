"""Losses, which are means in nats. The twin of `clearhead.maths.losses`."""

import torch
from torch.nn import functional as F

from clearhead.maths.losses import IGNORE

from .contracts import checked, in_float32
from .vectors import unit_vectors


@checked
def cross_entropy(logits, targets, ignore=IGNORE):
    """Return the mean surprisal of the targets; 0 if every target is ignored, for which PyTorch gives NaN.

    The twin of `clearhead.maths.losses.cross_entropy`, with the axes of `maths`: V comes last.
    """
    counts = (targets != ignore).sum().clamp(min=1)
    rows, answers = logits.reshape(targets.numel(), logits.shape[-1]), targets.reshape(-1)
    wide = rows.to(torch.promote_types(rows.dtype, torch.float32))  # a long sum is too much for 16 bits
    return (F.cross_entropy(wide, answers, ignore_index=ignore, reduction="sum") / counts).to(rows.dtype)


@checked
def multi_token_loss(logits, ids):
    """Return the cross-entropy of each head of a model that predicts several tokens at once.

    The twin of `clearhead.maths.losses.multi_token_loss`.
    """
    T, H = logits.shape[-3:-1]
    seen = [logits[..., : max(T - 1 - h, 0), h, :] for h in range(H)]
    return torch.stack([cross_entropy(seen[h], ids[..., 1 + h :]) for h in range(H)])


@checked
@in_float32
def perplexity(logits, targets, ignore=IGNORE):
    """Return the perplexity: the number of equally likely tokens that would give the same loss.

    The twin of `clearhead.maths.losses.perplexity`.
    """
    return torch.exp(cross_entropy(logits, targets, ignore))


@checked
@in_float32
def info_nce(x, y, temperature=0.07):
    """Return the InfoNCE loss: row i of x should be most similar to row i of y, and the reverse.

    The twin of `clearhead.maths.losses.info_nce`.
    """
    similarity = unit_vectors(x) @ unit_vectors(y).T / temperature
    partners = torch.arange(len(x), device=x.device)
    return (cross_entropy(similarity, partners) + cross_entropy(similarity.T, partners)) / 2
