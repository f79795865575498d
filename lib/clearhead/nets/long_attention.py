"""Attention for long sequences, in less memory. The twin of `clearhead.maths.long_attention`."""

import math
from functools import partial

import torch
from torch.utils.checkpoint import checkpoint

from .contracts import checked
from .softmax import softmax


@checked
def online_softmax(scores, chunk):
    """Return the softmax of scores that arrive a few columns at a time.

    The twin of `clearhead.maths.long_attention.online_softmax`.
    """
    highest = scores.new_full((*scores.shape[:-1], 1), torch.finfo(scores.dtype).min)
    total = torch.zeros_like(highest)
    for start in range(0, scores.shape[-1], chunk):
        piece = scores[..., start : start + chunk]
        before, highest = highest, torch.maximum(highest, piece.amax(dim=-1, keepdim=True))
        total = total * torch.exp(before - highest) + torch.exp(piece - highest).sum(dim=-1, keepdim=True)
    return torch.exp(scores - highest) / torch.where(total > 0, total, 1)


@checked
def chunked_attention(Q, K, V, mask=None, chunk=512, causal=False):
    """Return the Z of attention without ever holding all weights: queries and keys are processed in chunks.

    The twin of `clearhead.maths.long_attention.chunked_attention`, with `chunk` queries and four times as
    many keys at a time: here the cost of a call counts for more. Sums of half-precision numbers are kept in
    single precision. Where gradients are wanted, the way back computes the scores of each piece again.
    """
    Q, T, S = Q / math.sqrt(Q.shape[-1]), Q.shape[-2], K.shape[-2]
    mask = None if mask is None else mask.expand(*mask.shape[:-2], T, S)
    again = partial(checkpoint, use_reentrant=False, preserve_rng_state=False)  # keeps the inputs only
    attend = partial(again, _over_the_keys) if torch.is_grad_enabled() else _over_the_keys
    Z = []
    for start in range(0, max(T, 1), chunk):  # with no query at all, one empty piece
        rows = slice(start, start + chunk)
        here = None if mask is None else mask[..., rows, :]
        Z.append(attend(Q[..., rows, :], K, V, here, start if causal else S, 4 * chunk))
    return torch.cat(Z, dim=-2)


def _over_the_keys(q, K, V, mask, first, chunk):
    """Return the Z of a few queries (..., T, d), of which query i attends only to the keys 0 to first + i."""
    sofar = init_online_softmax(q, K, V)
    end = min(K.shape[-2], first + q.shape[-2])
    for start in range(0, end, chunk):
        piece = slice(start, min(start + chunk, end))
        scores = q @ K[..., piece, :].mT
        if start + chunk > first + 1:
            scores = scores.masked_fill(~_past(scores, first - start), -torch.inf)
        if mask is not None:
            scores = torch.where(mask[..., piece], scores, -torch.inf)
        sofar = update_online_softmax(sofar, scores, V[..., piece, :])
    return finish_online_softmax(sofar).to(q.dtype)


def init_online_softmax(q, K, V):
    """Return the maximal score, the total and Z of queries that have not seen any key yet."""
    scored = torch.broadcast_shapes(q.shape[:-1], (*K.shape[:-2], 1))
    rows = torch.broadcast_shapes(scored, (*V.shape[:-2], 1))
    highest = q.new_full((*scored, 1), torch.finfo(q.dtype).min)
    total = torch.zeros_like(highest, dtype=torch.promote_types(q.dtype, torch.float32))
    return highest, total, total.new_zeros(*rows, V.shape[-1])


def update_online_softmax(sofar, scores, V):
    """Return the maximal score, total and Z, updated with the scores (..., T, S) and values of more keys.

    The scores are overwritten. The highest of them has no gradient: whatever it is, Z / total stays the same.
    """
    before, total, Z = sofar
    highest = torch.maximum(before, scores.detach().amax(dim=-1, keepdim=True))
    powers, shrink = scores.sub_(highest).exp_(), torch.exp(before - highest)
    return highest, total * shrink + powers.sum(dim=-1, keepdim=True), Z * shrink + powers @ V


def finish_online_softmax(sofar):
    """Return Z / total, or zeros for queries that have seen no key."""
    _, total, Z = sofar
    return Z / torch.where(total > 0, total, 1)


def _past(scores, first):
    """Return the mask (T, S) with which query i sees the keys 0 to first + i."""
    return torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril(first)


@checked
def sliding_window_attention(Q, K, V, window):
    """Return causal attention that reaches back over only a few tokens, in time and memory T · window.

    The twin of `clearhead.maths.long_attention.sliding_window_attention`.
    """
    T, block = Q.shape[-2], min(max(window, 64), 1024)
    pieces = []
    for start in range(0, max(T, 1), block):  # with no token at all, one empty piece
        rows, seen = slice(start, start + block), slice(max(start - window + 1, 0), start + block)
        q, k, v = Q[..., rows, :] / math.sqrt(Q.shape[-1]), K[..., seen, :], V[..., seen, :]
        scores, back = q @ k.mT, start - seen.start
        near = _past(scores, back) & ~_past(scores, back - window)
        pieces.append(softmax(torch.where(near, scores, -torch.inf)) @ v)
    return torch.cat(pieces, dim=-2)
