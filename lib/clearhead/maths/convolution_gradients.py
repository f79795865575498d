"""Gradients by hand of a convolution, and of its matrix. dX stands for ∂loss/∂X, shaped like X."""

import numpy as np

from .gradient_shapes import check_gradient
from .layer_gradients import linear_gradients
from .shapes import check_windows


def conv1d_gradients(dy, x, weight):
    """Return the gradients of conv1d with respect to its input, weight and bias.

        dx_s = Σ_w dy_{s-w} weight_wᵀ,   dweight_w = Σ_t x_{t+w}ᵀ dy_t,   dbias = Σ_t dy_t

    Parameters
    ----------
    dy : (..., T-W+1, F) float
        How the loss changes with each output.
    x : (..., T, D) float
    weight : (W, D, F) float
        What went into the convolution.

    Returns
    -------
    dx : (..., T, D) float
        A token collects from all the windows that saw it.
    dweight : (W, D, F) float
    dbias : (F,) float

    Raises
    ------
    ValueError
        Where the window is wider than the sentence, or the shapes do not fit together.

    Notes
    -----
    A convolution is W linear maps, each of the same sentence moved by one token more.
    """
    check_windows(x.shape[-2], len(weight))
    count = x.shape[-2] - len(weight) + 1
    dx, dweight = (np.zeros(part.shape, np.result_type(dy, weight)) for part in (x, weight))
    for w, matrix in enumerate(weight):
        seen = slice(w, w + count)
        dseen, dweight[w], dbias = linear_gradients(dy, x[..., seen, :], matrix)
        dx[..., seen, :] += dseen
    return dx, dweight, dbias


def toeplitz_gradient(dmatrix, weight, length):
    """Return the gradient of toeplitz: a weight that stands in many places collects from all of them.

        dweight = Σ_t dmatrix[rows of the tokens t to t+W-1, columns of window t]

    Parameters
    ----------
    dmatrix : (T·D, (T-W+1)·F) float
        How the loss changes with each number of the matrix.
    weight : (W, D, F) float
        The weight of `conv1d`; only its shape counts.
    length : () int
        T: how many tokens the sentence has.

    Returns
    -------
    dweight : (W, D, F) float

    Raises
    ------
    ValueError
        Where the window is wider than the sentence, or dmatrix is not shaped like the matrix.
    """
    check_windows(length, len(weight))
    width, d_in, d_out = weight.shape
    windows = length - width + 1
    check_gradient((length * d_in, windows * d_out), dmatrix=dmatrix)
    blocks = dmatrix.reshape(length, d_in, windows, d_out)
    return sum(blocks[t : t + width, :, t] for t in range(windows))
