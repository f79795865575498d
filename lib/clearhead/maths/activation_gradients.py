"""Gradients by hand of the bends between linear maps. dX stands for ∂loss/∂X, shaped like X."""

import math

import numpy as np

from .activations import erf, gelu, gelu_tanh, relu, sigmoid, silu


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


def gelu_tanh_gradient(dy, x):
    """Return the gradient of gelu_tanh.

        dx = dy ((1 + t) + x (1 - t²) √(2/π) (1 + 3 · 0.044715 x²)) / 2,   t the tanh in gelu_tanh

    Parameters
    ----------
    dy : (..., F) float
        How the loss changes with each output.
    x : (..., F) float
        What went in.

    Returns
    -------
    dx : (..., F) float
        Beyond ±10 the tanh is 1 or -1 to the last digit; there x² must not overflow.
    """
    near = np.clip(x, -10, 10)
    t = np.tanh(math.sqrt(2 / math.pi) * (near + 0.044715 * near * near * near))
    slope = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * near * near)
    return dy * (1 + t + near * (1 - t * t) * slope) / 2


def sigmoid_gradient(dy, x):
    """Return the gradient of sigmoid: at most a quarter passes, and nothing where the gate is open or shut.

        dx = dy σ(x) (1 - σ(x))

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
    y = sigmoid(x)
    return dy * y * (1 - y)


def tanh_gradient(dy, x):
    """Return the gradient of tanh.

        dx = dy (1 - tanh(x)²)

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
    y = np.tanh(x)
    return dy * (1 - y * y)


def silu_gradient(dy, x):
    """Return the gradient of silu.

        dx = dy σ(x) (1 + x (1 - σ(x)))

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
    share = sigmoid(x)
    return dy * share * (1 + x * (1 - share))


def log_softmax_gradient(dy, y):
    """Return the gradient with respect to the scores, from the gradient with respect to their log_softmax.

        ds_j = dy_j - exp(y_j) Σ_i dy_i

    Parameters
    ----------
    dy : (..., S) float
        How the loss changes with each logarithm.
    y : (..., S) float
        The logarithms that log_softmax gave.

    Returns
    -------
    dscores : (..., S) float
        Each row sums to 0, but for a row of -inf alone: nothing moves it, and it gets zeros.
    """
    somewhere = np.isfinite(y).any(axis=-1, keepdims=True)
    return np.where(somewhere, dy - np.exp(y) * dy.sum(axis=-1, keepdims=True), 0)


GRADIENT_OF = {
    relu: relu_gradient,
    gelu: gelu_gradient,
    gelu_tanh: gelu_tanh_gradient,
    sigmoid: sigmoid_gradient,
    silu: silu_gradient,
    np.tanh: tanh_gradient,
}


def check_activation(activation):
    """Raise where the gradient of an activation is not in the table."""
    if activation not in GRADIENT_OF:
        known = ", ".join(function.__name__ for function in GRADIENT_OF)
        raise ValueError(
            f"The activation must be one of {known}, got {activation!r}: write its gradient first."
        )
