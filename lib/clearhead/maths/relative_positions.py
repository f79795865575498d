"""How far apart two tokens stand: a bias on their score, or a rotation of query and key."""

import numpy as np

from clearhead.contracts import checked

from .positions import frequencies


@checked
def relative_bias(table, length):
    """Return a learned number for each distance between query and key, to be added to the scores.

        bias_hij = table[h, clip(j - i, -R, R) + R],   R the farthest distance that is told apart

    Parameters
    ----------
    table : (H, 2R+1) float
        For each head, the bias of each distance: R back, ..., the token itself, ..., R ahead. An odd number.
    length : () int T from 0
        How many tokens, T.

    Returns
    -------
    bias : (H, T, T) float
        Added to the scores Q Kᵀ / √d of each head.

    References
    ----------
    Shaw, Uszkoreit & Vaswani (2018), "Self-attention with relative position representations", section 3.2,
    with one number a distance as in Raffel et al. (2020), section 2.1.
    """
    farthest = table.shape[-1] // 2
    places = np.arange(length)
    distances = np.clip(places - places[:, None], -farthest, farthest)  # (T, T)
    return table[..., distances + farthest]


@checked
def alibi_bias(num_heads, length):
    """Return a penalty that grows with the distance between query and key, to be added to the scores.

        bias_hij = -m_h · (distance from i to j),   m_h = 2^(-8h/H),   h = 1 ... H

    Parameters
    ----------
    num_heads : () int H from 1
        How many heads, H. The first head looks nearest.
    length : () int T from 0
        How many tokens, T.

    Returns
    -------
    bias : (H, T, T) float
        Added to the scores Q Kᵀ / √d of each head. Nothing in it is learned.

    Raises
    ------
    ValueError
        Where there is no head, or the length is negative.

    References
    ----------
    Press, Smith & Lewis (2022), "Train short, test long", section 3, there with a causal mask.
    """
    slopes = 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)  # (H,)
    places = np.arange(length)
    return -slopes[:, None, None] * abs(places[:, None] - places)


@checked
def rotary_angles(length, d_k, base=10000.0):
    """Return by how much each pair of columns of a query or key is rotated at each position.

        angle_tk = t ω_k,   ω_k = base^(-2k/d)

    Parameters
    ----------
    length : () int T from 0
        How many tokens, T.
    d_k : () int d from 1
        d: the width of one head, an even number.
    base : () float, optional
        As in `frequencies`.

    Returns
    -------
    angles : (T, d/2) float

    References
    ----------
    Su et al. (2021), "RoFormer: enhanced transformer with rotary position embedding", section 3.2.2.
    """
    return np.arange(length)[:, None] * frequencies(d_k, base)


@checked
def rotate(x, angles):
    """Return queries or keys with each pair of columns turned by an angle.

        (y_2k, y_2k+1) = (x_2k cos θ_k - x_2k+1 sin θ_k,   x_2k sin θ_k + x_2k+1 cos θ_k)

    Parameters
    ----------
    x : (..., T, d) float
        Queries or keys, not values.
    angles : (T, d/2) float
        One for each pair of columns, from `rotary_angles`.

    Returns
    -------
    y : (..., T, d) float
        As long as x, row by row. A rotated query and key meet in a score that depends on their distance only.

    Notes
    -----
    The pairs are neighbours, as in the paper. Llama's weights in `transformers` pair column k with k + d/2.

    References
    ----------
    Su et al. (2021), eq. 34.
    """
    x = 1.0 * x
    even, odd = x[..., 0::2], x[..., 1::2]  # (..., T, d/2)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)
