"""How far apart two tokens stand: a bias or a rotation. The twin of `clearhead.maths.relative_positions`."""

import torch

from clearhead.maths.shapes import check_rotation, check_whole

from .positions import frequencies


def relative_bias(table, length):
    """Return a learned number for each distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.relative_positions.relative_bias`.
    """
    check_whole(0, length=length)
    farthest, left = divmod(table.shape[-1] - 1, 2)
    if left:
        raise ValueError(f"The table needs an odd number of columns, got {tuple(table.shape)}.")
    places = torch.arange(length, device=table.device)
    distances = torch.clip(places - places[:, None], -farthest, farthest)
    return table[..., distances + farthest]


def alibi_bias(num_heads, length, device=None):
    """Return a penalty that grows with the distance between query and key, to be added to the scores.

    The twin of `clearhead.maths.relative_positions.alibi_bias`, always in float64.
    """
    check_whole(1, num_heads=num_heads)
    check_whole(0, length=length)
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64, device=device)
    slopes = 2.0 ** (-8 * heads / num_heads)
    places = torch.arange(length, device=device)
    return -slopes[:, None, None] * abs(places[:, None] - places)


def rotary_angles(length, d_k, device=None):
    """Return by how much each pair of columns of a query or key is rotated at each position.

    The twin of `clearhead.maths.relative_positions.rotary_angles`, always in float64.
    """
    check_whole(0, length=length)
    return torch.arange(length, device=device)[:, None] * frequencies(d_k, device)


def rotate(x, angles):
    """Return queries or keys with each pair of columns turned by an angle.

    The twin of `clearhead.maths.relative_positions.rotate`.
    """
    check_rotation(x, angles)
    x = 1.0 * x
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).reshape(x.shape)
