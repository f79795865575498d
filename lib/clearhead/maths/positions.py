"""Positional encodings: a vector that is added, a bias on the scores, or a rotation of queries and keys."""

import numpy as np

from clearhead.contracts import checked


@checked
def frequencies(d_model, base=10000.0):
    """Return the frequency of each pair of columns, in radians per token, from 1 down to almost 1/base.

        ω_k = base^(-2k/D)

    Parameters
    ----------
    d_model : () int D from 1
        How many columns, D. Two columns make one pair, so it must be even.
    base : () float, optional
        The larger, the slower the last pair turns: models for long texts have 100,000 or more.

    Returns
    -------
    omega : (D/2,) float
    """
    return base ** (-np.arange(0, d_model, 2) / d_model)


@checked
def sinusoidal(length, d_model):
    """Return one vector for each position, whose pairs of columns are like clock hands, from fast to slow.

        PE(t, 2k) = sin(ω_k t),   PE(t, 2k+1) = cos(ω_k t),   ω_k = 10000^(-2k/D)

    Parameters
    ----------
    length : () int T from 0
        T: how many positions.
    d_model : () int D from 1
        D, an even number.

    Returns
    -------
    positions : (T, D) float
        Row t belongs to position t. The squares of a row sum to D/2.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.5.
    """
    angles = np.arange(length)[:, None] * frequencies(d_model)  # (T, D/2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, d_model)


@checked
def sinusoidal_shift(offset, d_model):
    """Return the matrix that maps the sinusoidal vector of any position to the one `offset` positions later.

        PE(t) R = PE(t + offset):  each pair of columns is rotated by ω_k offset

    Parameters
    ----------
    offset : () int
        How many positions forward; negative for back.
    d_model : () int D from 1
        D, an even number.

    Returns
    -------
    R : (D, D) float
        A rotation: R Rᵀ is the identity. The rotations for a and then b make the one for a + b.

    References
    ----------
    Vaswani et al. (2017), section 3.5: "for any fixed offset k, PE_pos+k can be represented as a linear
    function of PE_pos".
    """
    angles = offset * frequencies(d_model)  # (D/2,)
    shift = np.zeros((d_model, d_model))
    even, odd = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    shift[even, even] = shift[odd, odd] = np.cos(angles)
    shift[odd, even], shift[even, odd] = np.sin(angles), -np.sin(angles)
    return shift


@checked
def learned_positions(length, table):
    """Return the first rows of a learned table of positions.

        PE(t) = table[t]

    Parameters
    ----------
    length : () int T from 0 to S
        How many positions are needed. Where the table has fewer, shorten the text.
    table : (S, D) float
        One row for each position that training has seen.

    Returns
    -------
    positions : (T, D) float

    References
    ----------
    Gehring et al. (2017), "Convolutional sequence to sequence learning", section 3.1.
    """
    return table[:length]


@checked
def padded_positions(attention_mask):
    """Return the position of each token among the real tokens of its text, in a padded batch.

        p_t = max(Σ_{s ≤ t} attention_mask_s - 1, 0)

    Parameters
    ----------
    attention_mask : (..., T) bool, no broadcasting
        True at the real tokens, False at the padding.

    Returns
    -------
    position_ids : (..., T) int
        The first real token has position 0, however much padding is before it. What padding has does not
        matter, because no token looks at it.
    """
    return np.maximum(np.cumsum(attention_mask, axis=-1) - 1, 0)


@checked
def relative_bias(table, length):
    """Return a learned bias for each distance between query and key, to be added to the scores.

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
    """Return the angle by which each pair of columns of a query or key is rotated at each position.

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
def apply_rotary(x, angles):
    """Return queries or keys with each pair of columns rotated by an angle.

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
