"""Who may look where. True = may look; rows are queries, columns are keys."""

import numpy as np

from .sizes import check_whole


def causal_mask(length):
    """Return the mask by which each token looks at itself and at what stands before it.

        mask_ij = (j ≤ i)

    Parameters
    ----------
    length : () int
        T: how many tokens there are.

    Returns
    -------
    mask : (T, T) bool
        True on the diagonal and below.

    Raises
    ------
    ValueError
        Where the length is negative.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.3, third point.
    """
    check_whole(0, length=length)
    return np.tril(np.ones((length, length), dtype=bool))


def padding_mask(lengths, longest):
    """Return the mask that hides the padding behind each sentence of a batch.

        mask_bj = (j < lengths_b)

    Parameters
    ----------
    lengths : (B,) int
        How many real tokens each sentence has.
    longest : () int
        S: the length to which all sentences were padded.

    Returns
    -------
    mask : (B, 1, 1, S) bool
        Broadcasts over heads and queries: no query looks at padding.

    Raises
    ------
    ValueError
        Where a length is negative or above the longest.
    """
    check_whole(0, longest=longest)
    lengths = np.asarray(lengths)
    if lengths.size and not 0 <= lengths.min() <= lengths.max() <= longest:
        raise ValueError(f"lengths must lie from 0 to {longest}, got {lengths.min()} to {lengths.max()}.")
    return np.arange(longest) < lengths[:, None, None, None]


def sliding_window_mask(length, window):
    """Return the causal mask that reaches back over a fixed number of tokens only.

        mask_ij = (0 ≤ i - j < window)

    Parameters
    ----------
    length : () int
        T: how many tokens there are.
    window : () int
        How many tokens each token sees, itself included.

    Returns
    -------
    mask : (T, T) bool
        A band on and below the diagonal.

    Raises
    ------
    ValueError
        Where the length is negative or the window is below 1.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    Jiang et al. (2023), "Mistral 7B", section 2: the causal form.
    """
    check_whole(0, length=length)
    check_whole(1, window=window)
    steps_back = np.arange(length)[:, None] - np.arange(length)
    return (steps_back >= 0) & (steps_back < window)
