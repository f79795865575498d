"""Images as sentences: cut into patches, each patch a token."""

import numpy as np

from clearhead.contracts import checked

from .layers import linear


@checked
def patchify(images, patch_size):
    """Return each image as a sentence of patches: row by row of patches, each patch as one vector.

        patches[r · (C/P) + c] = the pixels of the square at (r P, c P), row by row, channels innermost

    Parameters
    ----------
    images : (..., R, C, c) float
        Height R, width C, and c channels, last.
    patch_size : () int P from 1
        P: the side of a patch. It must divide height and width.

    Returns
    -------
    patches : (..., R/P·C/P, P·P·c) float

    References
    ----------
    Dosovitskiy et al. (2021), "An image is worth 16x16 words", section 3.1.
    """
    *leading, height, width, channels = images.shape
    P = patch_size
    # (..., R/P, C/P, P, P, c)
    squares = images.reshape(*leading, height // P, P, width // P, P, channels).swapaxes(-4, -3)
    return squares.reshape(*leading, (height // P) * (width // P), P * P * channels)


@checked
def unpatchify(patches, height, width, patch_size):
    """Return the images that were cut into patches: the inverse of `patchify`.

        images[r P + i, c P + j] = patches[r · (C/P) + c][(i P + j) c : (i P + j + 1) c]

    Parameters
    ----------
    patches : (..., R/P·C/P, P·P·c) float
    height : () int R from 1
        The height of the image, R.
    width : () int C from 1
        The width of the image, C.
    patch_size : () int P from 1
        The side of a patch, P.

    Returns
    -------
    images : (..., R, C, c) float
    """
    *leading, _, columns = patches.shape
    P = patch_size
    # (..., R/P, C/P, P, P, c)
    squares = patches.reshape(*leading, height // P, width // P, P, P, columns // (P * P))
    return squares.swapaxes(-4, -3).reshape(*leading, height, width, columns // (P * P))


@checked
def patch_embed(images, parameters, patch_size):
    """Return one vector for each patch of an image: the tokens of a vision transformer.

        x = patchify(images) weight + bias

    Parameters
    ----------
    images : (..., R, C, c) float
        Channels last.
    parameters : dict
        - weight : (P·P·c, D) float
        - bias : (D,) float
    patch_size : () int P from 1
        The side of a patch, P.

    Returns
    -------
    x : (..., R/P·C/P, D) float

    Notes
    -----
    A convolution with kernel P and stride P is the same map, with its weight in another order.

    References
    ----------
    Dosovitskiy et al. (2021), eq. 1. Their E is our weight.
    """
    return linear(patchify(images, patch_size), **parameters)


@checked
def add_class_token(x, cls, positions):
    """Return the tokens of an image with one more in front, and what says where each of them stands.

        y = [cls; x_1; x_2; ...] + positions

    Parameters
    ----------
    x : (..., T, D) float
        One token a patch.
    cls : (D,) float
        The class token: learned, the same for each image, and made of no pixel.
    positions : (T+1, D) float
        One row a place, learned. Row 0 is that of the class token.

    Returns
    -------
    y : (..., T+1, D) float

    References
    ----------
    Dosovitskiy et al. (2021), eq. 1. Their x_class is our cls, their E_pos our positions.
    """
    first = np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1]))  # (..., 1, D)
    return np.concatenate([first, x], axis=-2) + positions


@checked
def cut_series(series, window, stride=None):
    """Return a series cut into windows: each window is a token.

        tokens_n = series[n · stride : n · stride + W],   n = 0 ... ⌊(T - W) / stride⌋

    Parameters
    ----------
    series : (..., T) float, array or list
        Measurements, equally far apart in time.
    window : () int W from 1 to T
        How many measurements make a token, W.
    stride : () int from 1, optional
        From the start of one token to the start of the next; W if not said, so that nothing is twice.

    Returns
    -------
    tokens : (..., T//W, W) float
        Another stride gives ⌊(T - W) / stride⌋ + 1 of them. What fills no whole window at the end is left
        out.

    Raises
    ------
    ValueError
        Where the window is wider than the series, or window or stride is below 1.

    References
    ----------
    Nie et al. (2023), "A time series is worth 64 words: long-term forecasting with transformers".
    """
    series, stride = np.asarray(series), window if stride is None else stride
    starts = np.arange(0, series.shape[-1] - window + 1, stride)  # (N,)
    return series[..., starts[:, None] + np.arange(window)]
