"""Masks for long texts that leave most of the table out, and how far information travels through them."""

import numpy as np

from .sizes import check_whole


def dilated_window_mask(length, window, dilation=1):
    """Return the mask by which each token sees some neighbours on either side, with gaps between them.

        mask_ij = (the distance from i to j is one of 0, g, 2g, ..., (window - 1) g)   with the dilation g

    Parameters
    ----------
    length : () int
        T: how many tokens there are.
    window : () int
        How many tokens each token sees on either side, itself included.
    dilation : () int, optional
        The step from one seen token to the next; 1 leaves no gap.

    Returns
    -------
    mask : (T, T) bool
        Bands beside the diagonal. For the causal form write `mask & causal_mask(length)`.

    Raises
    ------
    ValueError
        Where the length is negative, or the window or the dilation is below 1.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    check_whole(0, length=length)
    check_whole(1, window=window, dilation=dilation)
    distance = np.abs(np.arange(length)[:, None] - np.arange(length))
    return (distance < window * dilation) & (distance % dilation == 0)


def global_mask(length, num_global):
    """Return the mask by which the first few tokens see all, and are seen by all.

        mask_ij = (i < num_global or j < num_global)

    Parameters
    ----------
    length : () int
        T: how many tokens there are.
    num_global : () int
        How many of them are global.

    Returns
    -------
    mask : (T, T) bool

    Raises
    ------
    ValueError
        Where a number is negative.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    check_whole(0, length=length, num_global=num_global)
    chosen = np.arange(length) < num_global
    return chosen[:, None] | chosen


def layers_until(mask):
    """Return how many layers it takes until each token can have heard of each other one.

        1 where the mask lets i look at j, 2 where it lets i look at one that looked at j, and so on

    Parameters
    ----------
    mask : (T, T) bool
        True where a token may look, the same in each layer.

    Returns
    -------
    layers : (T, T) int
        0 on the diagonal, because a residual connection keeps a token; -1 where no number is enough.

    Raises
    ------
    ValueError
        Where the mask is not square.
    """
    if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
        raise ValueError(f"Each token is query and key, so the mask must be square, got {mask.shape}.")
    heard = np.eye(len(mask), dtype=bool)
    layers = np.where(heard, 0, -1)
    for layer in range(1, len(mask)):
        heard = heard | (mask.astype(float) @ heard > 0)
        layers[heard & (layers < 0)] = layer
    return layers
