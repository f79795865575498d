"""Gradients by hand of the layers that treat each token alone. dX stands for ∂loss/∂X, shaped like X."""

import math

import numpy as np

from .activations import erf
from .shapes import check_ids, check_linear, check_per_column
from .sizes import check_whole


def relu_gradient(dy, x):
    """Return the gradient of relu: it passes where x was positive, and stops elsewhere.

        dx = dy where x > 0, 0 elsewhere

    Parameters
    ----------
    dy : (..., F) float
        How the loss changes with each output.
    x : (..., F) float
        What went in.

    Returns
    -------
    dx : (..., F) float
    """
    return dy * (x > 0)


def gelu_gradient(dy, x):
    """Return the gradient of gelu.

        dx = dy (Φ(x) + x φ(x)),   φ(x) = exp(-x²/2) / √(2π)

    Parameters
    ----------
    dy : (..., F) float
        How the loss changes with each output.
    x : (..., F) float
        What went in.

    Returns
    -------
    dx : (..., F) float
    """
    x = 1.0 * np.asarray(x)
    share = (1 + erf(x / math.sqrt(2))) / 2
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return dy * (share.astype(x.dtype) + x * density)


def linear_gradients(dy, x, weight):
    """Return the gradients of a linear map with respect to its input, weight and bias.

        dx = dy weightᵀ,   dweight = Σ over tokens x_t dy_tᵀ,   dbias = Σ over tokens dy_t

    Parameters
    ----------
    dy : (..., T, F) float
        How the loss changes with each output.
    x : (..., T, D) float
    weight : (D, F) float
        What went into the map.

    Returns
    -------
    dx : (..., T, D) float
    dweight : (D, F) float
    dbias : (F,) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    check_linear(x, weight)
    rows, drows = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
    return dy @ weight.T, rows.T @ drows, drows.sum(axis=0)


def embed_gradient(dx, ids, vocab_size):
    """Return the gradient of embed with respect to the table: each row collects from all its tokens.

        dtable_v = Σ dx_t over the tokens t whose id is v

    Parameters
    ----------
    dx : (..., T, D) float
        How the loss changes with each token's vector.
    ids : (..., T) int
    vocab_size : () int
        How many words, V.

    Returns
    -------
    dtable : (V, D) float
        A word that does not occur has a row of zeros.

    Raises
    ------
    ValueError
        Where an id names no row of the table.
    TypeError
        Where the ids are not whole numbers.
    """
    check_whole(0, vocab_size=vocab_size)
    dtable = np.zeros((vocab_size, dx.shape[-1]), dtype=dx.dtype)
    check_ids(ids, dtable)
    np.add.at(dtable, ids, dx)
    return dtable


def rms_norm_gradients(dy, x, gain, epsilon=1e-5):
    """Return the gradients of rms_norm with respect to its input and gain.

        u = x / √(mean of x² + epsilon),   dx = (du - u mean(u du)) / √(mean of x² + epsilon)

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    gain : (D,) float
        What went into the norm.
    epsilon : () float, optional

    Returns
    -------
    dx : (..., T, D) float
    dgain : (D,) float

    Raises
    ------
    ValueError
        Where gain does not have one number a column.
    """
    check_per_column(x, gain=gain)
    size = np.sqrt((x**2).mean(axis=-1, keepdims=True) + epsilon)
    u, du = x / size, dy * gain
    dx = du - u * (u * du).mean(axis=-1, keepdims=True)
    return dx / size, (u * dy).sum(axis=tuple(range(x.ndim - 1)))
