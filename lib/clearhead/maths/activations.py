"""From scores to weights (softmax), and the bends between linear maps."""

import math

import numpy as np

from .sizes import check_temperature

erf = np.vectorize(math.erf, otypes=[float])  # NumPy has no error function


def softmax(scores):
    """Return the scores as positive weights that sum to 1 along the last axis.

        softmax(s)_j = exp(s_j - max s) / Σ_i exp(s_i - max s)

    Parameters
    ----------
    scores : (..., S) float
        Any real numbers. -inf gives weight 0; a row of -inf alone gives zeros.

    Returns
    -------
    weights : (..., S) float
        Each row sums to 1 (or is all zeros).

    Notes
    -----
    The maximum cancels; it keeps exp from overflowing. In a row of -inf alone, a finite number stands in.

    References
    ----------
    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs".
    """
    scores = 1.0 * np.asarray(scores)
    lowest = np.finfo(scores.dtype).min
    highest = scores.max(axis=-1, keepdims=True, initial=lowest)
    powers = np.exp(scores - highest)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def log_softmax(scores):
    """Return the logarithm of softmax, without taking the logarithm of a rounded 0.

        log_softmax(s)_j = s_j - max s - log Σ_i exp(s_i - max s)

    Parameters
    ----------
    scores : (..., S) float
        Any real numbers. -inf gives -inf; a row of -inf alone gives -inf.

    Returns
    -------
    log_weights : (..., S) float
        At most 0. exp of each row sums to 1.

    References
    ----------
    Blanchard, Higham & Higham (2021), "Accurately computing the log-sum-exp and softmax functions".
    """
    scores = 1.0 * np.asarray(scores)
    lowest = np.finfo(scores.dtype).min
    highest = scores.max(axis=-1, keepdims=True, initial=lowest)
    total = np.exp(scores - highest).sum(axis=-1, keepdims=True)
    return scores - highest - np.log(np.where(total > 0, total, 1))


def at_temperature(scores, temperature):
    """Return the scores divided by a temperature, ready for softmax.

        at_temperature(s, T)_j = s_j / T

    Parameters
    ----------
    scores : (..., S) float
        At least one number a row.
    temperature : () float
        Below 1 sharpens the softmax, above 1 flattens it. At 0 we take the limit: every score but the highest
        of its row becomes -inf, so that softmax picks the best; equal best scores share.

    Returns
    -------
    scores : (..., S) float

    Raises
    ------
    ValueError
        Where the temperature is negative, infinite or not a number.

    References
    ----------
    Hinton, Vinyals & Dean (2015), "Distilling the knowledge in a neural network", eq. 1.
    """
    check_temperature(temperature)
    if temperature > 0:
        return scores / float(temperature)
    return np.where(scores < scores.max(axis=-1, keepdims=True), -np.inf, scores)


def relu(x):
    """Return x where it is positive, and 0 elsewhere.

        relu(x) = max(x, 0)

    Parameters
    ----------
    x : (..., F) float

    Returns
    -------
    y : (..., F) float

    References
    ----------
    Nair & Hinton (2010), "Rectified linear units improve restricted Boltzmann machines".
    """
    return np.maximum(x, 0)


def gelu(x):
    """Return x times the share of a normal distribution that lies below x. BERT and ViT use this one.

        gelu(x) = x Φ(x) = x (1 + erf(x / √2)) / 2

    Parameters
    ----------
    x : (..., F) float

    Returns
    -------
    y : (..., F) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    x = 1.0 * np.asarray(x)
    share = (1 + erf(x / math.sqrt(2))) / 2
    return x * share.astype(x.dtype)


def gelu_tanh(x):
    """Return gelu by its approximation with tanh, which differs by less than 0.0005. GPT-2 uses this one.

        gelu_tanh(x) = x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2

    Parameters
    ----------
    x : (..., F) float

    Returns
    -------
    y : (..., F) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    near = np.clip(x, -10, 10)  # beyond, the tanh is 1 or -1, and x³ would overflow
    bend = np.tanh(math.sqrt(2 / math.pi) * (near + 0.044715 * near * near * near))
    return x * ((1 + bend) / 2)


def sigmoid(x):
    """Return a number between 0 and 1 for each x: how far a gate is open.

        sigmoid(x) = 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2

    Parameters
    ----------
    x : (..., F) float

    Returns
    -------
    y : (..., F) float
        By tanh, which cannot overflow.
    """
    return (1 + np.tanh(x / 2)) / 2


def silu(x):
    """Return x times its own sigmoid.

        silu(x) = x sigmoid(x) = x / (1 + exp(-x))

    Parameters
    ----------
    x : (..., F) float

    Returns
    -------
    y : (..., F) float

    References
    ----------
    Elfwing, Uchibe & Doya (2018), "Sigmoid-weighted linear units for neural network function
    approximation in reinforcement learning", section 2.
    """
    return x * sigmoid(x)
