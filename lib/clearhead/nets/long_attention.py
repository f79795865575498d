"""Attention for long texts: the same result in less memory. The twin of `clearhead.maths.long_attention`."""

import math

import torch
from torch.nn import functional as F

from clearhead.maths.shapes import check_attention_shapes, check_self
from clearhead.maths.sizes import check_whole

from .activations import softmax


def online_softmax(scores, chunk):
    """Return softmax, from scores that come a few columns at a time.

    The twin of `clearhead.maths.long_attention.online_softmax`.
    """
    check_whole(1, chunk=chunk)
    highest = scores.new_full((*scores.shape[:-1], 1), torch.finfo(scores.dtype).min)
    total = torch.zeros_like(highest)
    for start in range(0, scores.shape[-1], chunk):
        piece = scores[..., start : start + chunk]
        before, highest = highest, torch.maximum(highest, piece.amax(dim=-1, keepdim=True))
        total = total * torch.exp(before - highest) + torch.exp(piece - highest).sum(dim=-1, keepdim=True)
    return torch.exp(scores - highest) / torch.where(total > 0, total, 1)


def chunked_attention(Q, K, V, mask=None, chunk=256):
    """Return the Z of attention without ever holding all the weights: keys come a few at a time.

    The twin of `clearhead.maths.long_attention.chunked_attention`.
    """
    check_attention_shapes(Q, K, V, mask)
    check_whole(1, chunk=chunk)
    Q = Q / math.sqrt(Q.shape[-1])
    S = K.shape[-2]
    highest = torch.tensor(torch.finfo(Q.dtype).min, dtype=Q.dtype, device=Q.device)
    total = torch.zeros_like(Q[..., :1])
    Z = total * torch.zeros_like(V[..., :1, :]) if S else Q.new_zeros(*Q.shape[:-1], V.shape[-1])
    for start in range(0, S, chunk):
        piece = slice(start, start + chunk)
        scores = Q @ K[..., piece, :].mT
        if mask is not None:
            scores = torch.where(mask.expand(*mask.shape[:-1], S)[..., piece], scores, -torch.inf)
        before, highest = highest, torch.maximum(highest, scores.amax(dim=-1, keepdim=True))
        powers = torch.exp(scores - highest)
        shrink = torch.exp(before - highest)
        total = total * shrink + powers.sum(dim=-1, keepdim=True)
        Z = Z * shrink + powers @ V[..., piece, :]
    return Z / torch.where(total > 0, total, 1)


def sliding_window_attention(Q, K, V, window):
    """Return causal attention that reaches back over a few tokens only, in time and memory T · window.

    The twin of `clearhead.maths.long_attention.sliding_window_attention`.
    """
    check_self(Q, K, V)
    check_whole(1, window=window)
    padded = (F.pad(rows, (0, 0, window, 0)) for rows in (K, V))
    K_windows, V_windows = (rows.unfold(-2, window, 1)[..., 1:, :, :] for rows in padded)
    scores = (Q / math.sqrt(Q.shape[-1]))[..., None, :] @ K_windows
    places = torch.arange(Q.shape[-2] + window, device=Q.device)
    inside = places[: Q.shape[-2], None] + places[:window] >= window - 1
    A = softmax(torch.where(inside[:, None], scores, -torch.inf))
    return (A @ V_windows.mT)[..., 0, :]
