"""Positional encodings. The twin of `clearhead.maths.positions`."""

import torch

from .contracts import checked


@checked
def frequencies(d_model, base=10000.0, device=None):
    """Return the frequency of each pair of columns, in radians per token.

    The twin of `clearhead.maths.positions.frequencies`, always in float64.
    """
    return base ** (-torch.arange(0, d_model, 2, dtype=torch.float64, device=device) / d_model)


@checked
def sinusoidal(length, d_model, device=None):
    """Return one vector for each position, whose pairs of columns are like clock hands, from fast to slow.

    The twin of `clearhead.maths.positions.sinusoidal`, always in float64: bring it to the precision of the
    tokens before adding.
    """
    angles = torch.arange(length, device=device)[:, None] * frequencies(d_model, device=device)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(length, d_model)


@checked
def learned_positions(length, table):
    """Return the first rows of a learned table of positions.

    The twin of `clearhead.maths.positions.learned_positions`.
    """
    return table[:length]


@checked
def padded_positions(attention_mask):
    """Return the position of each token among the real tokens of its text, in a padded batch.

        p_t = max(Σ_{s ≤ t} attention_mask_s - 1, 0)

    The twin of `clearhead.maths.positions.padded_positions`.
    """
    return (attention_mask.cumsum(dim=-1) - 1).clamp(min=0)


@checked
def relative_bias(table, length):
    """Return a learned bias for each distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.positions.relative_bias`.
    """
    farthest = table.shape[-1] // 2
    places = torch.arange(length, device=table.device)
    distances = torch.clip(places - places[:, None], -farthest, farthest)
    return table[..., distances + farthest]


@checked
def alibi_bias(num_heads, length, device=None):
    """Return a penalty that grows with the distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.positions.alibi_bias`, always in float64.
    """
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64, device=device)
    slopes = 2.0 ** (-8 * heads / num_heads)
    places = torch.arange(length, device=device)
    return -slopes[:, None, None] * abs(places[:, None] - places)


@checked
def rotary_angles(length, d_k, base=10000.0, device=None):
    """Return the angle by which each pair of columns of a query or key is rotated at each position.

    The twin of `clearhead.maths.positions.rotary_angles`, always in float64.
    """
    return torch.arange(length, device=device)[:, None] * frequencies(d_k, base, device)


@checked
def apply_rotary(x, angles):
    """Return queries or keys with each pair of columns rotated by an angle.

    The twin of `clearhead.maths.positions.apply_rotary`.
    """
    x = 1.0 * x
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = torch.cos(angles).to(x), torch.sin(angles).to(x)  # angles may have been made on the CPU
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).reshape(x.shape)
