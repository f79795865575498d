"""The two norms: each token brought to one scale."""

import numpy as np

from clearhead.contracts import checked

from .vectors import squares


@checked
def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

        y = gain (x - mean) / √(variance + epsilon) + bias

    Parameters
    ----------
    x : (..., D) float
    gain : (D,) float
        Learned; starts at 1.
    bias : (D,) float
        Learned; starts at 0.
    epsilon : () float
        Keeps a row of equal numbers from dividing by 0.

    Returns
    -------
    y : (..., D) float

    Notes
    -----
    The variance is the mean of squares (it divides by D, not by D - 1), and epsilon stands inside the root.

    References
    ----------
    Ba, Kiros & Hinton (2016), "Layer normalization", eq. 3, with the epsilon of PyTorch.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = squares(centred).mean(axis=-1, keepdims=True)
    spread = np.sqrt(variance + epsilon).astype(centred.dtype)
    return gain * (centred / spread) + bias


@checked
def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

        y = gain x / √(mean of x² + epsilon)

    Parameters
    ----------
    x : (..., D) float
    gain : (D,) float
        Learned; starts at 1.
    epsilon : () float
        Keeps a row of zeros from dividing by 0.

    Returns
    -------
    y : (..., D) float

    References
    ----------
    Zhang & Sennrich (2019), "Root mean square layer normalization", eq. 4.
    """
    x = 1.0 * x
    mean_square = squares(x).mean(axis=-1, keepdims=True)
    return gain * (x / np.sqrt(mean_square + epsilon).astype(x.dtype))
