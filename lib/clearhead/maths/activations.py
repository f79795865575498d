"""The activation functions between linear maps."""

import math

import numpy as np

from clearhead.contracts import checked

erf = np.vectorize(math.erf, otypes=[float])  # NumPy has no error function


@checked
def relu(x):
    """Return x where it is positive, and 0 elsewhere.

        relu(x) = max(x, 0)

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Nair & Hinton (2010), "Rectified linear units improve restricted Boltzmann machines".
    """
    return np.maximum(x, 0)


@checked
def gelu(x):
    """Return x times the share of a normal distribution that lies below x. BERT and ViT use this one.

        gelu(x) = x Φ(x) = x (1 + erf(x / √2)) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    x = 1.0 * np.asarray(x)
    share = (1 + erf(x / math.sqrt(2))) / 2
    return x * share.astype(x.dtype)


@checked
def gelu_tanh(x):
    """Return gelu by its approximation with tanh, which differs by less than 0.0005. GPT-2 uses this one.

        gelu_tanh(x) = x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    near = np.clip(x, -10, 10)  # beyond, the tanh is 1 or -1, and x³ would overflow
    curve = np.tanh(math.sqrt(2 / math.pi) * (near + 0.044715 * near * near * near))
    return x * ((1 + curve) / 2)


@checked
def sigmoid(x):
    """Return a number between 0 and 1 for each x: how far a gate is open.

        sigmoid(x) = 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float
        By tanh, which cannot overflow.
    """
    return (1 + np.tanh(x / 2)) / 2


@checked
def silu(x):
    """Return x times its own sigmoid.

        silu(x) = x sigmoid(x) = x / (1 + exp(-x))

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Elfwing, Uchibe & Doya (2018), "Sigmoid-weighted linear units for neural network function
    approximation in reinforcement learning", section 2.
    """
    return x * sigmoid(x)
