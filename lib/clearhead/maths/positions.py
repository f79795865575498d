"""Where a token stands: attention alone cannot tell, so a vector for each position is added."""

import numpy as np

from clearhead.contracts import checked


@checked
def frequencies(d_model, base=10000.0):
    """Return how fast each pair of columns turns, in radians a token: from 1 down to almost 1/base.

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
    """Return one vector for each position: pairs of columns are the hands of clocks, from fast to slow.

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
    """Return the matrix that turns the sinusoidal vector of any position into the one `offset` later.

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
    """Return the first rows of a table of positions that training has filled.

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
