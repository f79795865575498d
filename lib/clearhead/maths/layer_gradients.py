"""Gradients by hand of the layers that treat each token alone. dX stands for ∂loss/∂X, shaped like X."""

import numpy as np

from .gradient_shapes import check_gradient, check_repeated
from .gradients import layer_norm_gradients, summed_to
from .shapes import check_ids, check_linear, check_per_column, check_whole
from .vectors import squares


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
    check_gradient((*x.shape[:-1], weight.shape[1]), dy=dy)
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
    check_gradient((*ids.shape, dx.shape[-1]), dx=dx)
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
        Where gain does not have one number a column, or dy is not shaped like x.
    """
    check_per_column(x, gain=gain)
    check_gradient(x.shape, dy=dy)
    x = 1.0 * x
    size = np.sqrt(squares(x).mean(axis=-1, keepdims=True) + epsilon).astype(x.dtype)
    u, du = x / size, dy * gain
    dx = du - u * (u * du).mean(axis=-1, keepdims=True)
    return dx / size, (u * dy).sum(axis=tuple(range(x.ndim - 1)))


def through_linear(dy, x, parameters):
    """Return the gradients of a linear map with those of its parameters in a dict, under their own names.

        dx, {"weight": dweight, "bias": dbias}   from linear_gradients

    Parameters
    ----------
    dy : (..., T, F) float
        How the loss changes with each output.
    x : (..., T, D) float
        What went into the map.
    parameters : dict of linear
        A map without a bias has none in its gradients.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of linear

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    Notes
    -----
    Where one x served a whole batch, as one context may serve many questions, its gradient is the sum.
    """
    check_linear(x, parameters["weight"])
    check_repeated(dy, (*x.shape[:-1], parameters["weight"].shape[1]))
    repeated = np.broadcast_to(x, (*dy.shape[:-1], x.shape[-1]))
    dx, dweight, dbias = linear_gradients(dy, repeated, parameters["weight"])
    found = {"weight": dweight, "bias": dbias}
    return summed_to(dx, x), {name: found[name] for name in parameters}


def through_norm(dy, x, parameters):
    """Return the gradients of layer_norm with those of its parameters in a dict, under their own names.

        dx, {"gain": dgain, "bias": dbias}   from layer_norm_gradients

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
        What went into the norm.
    parameters : dict
        - gain : (D,) float
        - bias : (D,) float

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict
        - gain : (D,) float
        - bias : (D,) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    epsilon = parameters.get("epsilon", 1e-5)
    dx, dgain, dbias = layer_norm_gradients(summed_to(dy, x), x, parameters["gain"], epsilon)
    return dx, {"gain": dgain, "bias": dbias}
