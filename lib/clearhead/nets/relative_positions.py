"""How far apart two tokens stand: a bias or a rotation. The twin of `clearhead.maths.relative_positions`."""

import torch

from .contracts import checked
from .positions import frequencies


@checked
def relative_bias(table, length):
    """Return a learned number for each distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.relative_positions.relative_bias`.
    """
    farthest = table.shape[-1] // 2
    places = torch.arange(length, device=table.device)
    distances = torch.clip(places - places[:, None], -farthest, farthest)
    return table[..., distances + farthest]


@checked
def alibi_bias(num_heads, length, device=None):
    """Return a penalty that grows with the distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.relative_positions.alibi_bias`, always in float64.
    """
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64, device=device)
    slopes = 2.0 ** (-8 * heads / num_heads)
    places = torch.arange(length, device=device)
    return -slopes[:, None, None] * abs(places[:, None] - places)


@checked
def rotary_angles(length, d_k, base=10000.0, device=None):
    """Return by how much each pair of columns of a query or key is rotated at each position.

    The twin of `clearhead.maths.relative_positions.rotary_angles`, always in float64.
    """
    return torch.arange(length, device=device)[:, None] * frequencies(d_k, base, device)


@checked
def rotate(x, angles):
    """Return queries or keys with each pair of columns turned by an angle.

    The twin of `clearhead.maths.relative_positions.rotate`.
    """
    x = 1.0 * x
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).reshape(x.shape)
