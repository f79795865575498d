"""Gradients by hand of the losses beyond cross-entropy, and of directions. dX stands for ∂loss/∂X."""

import numpy as np

from .gradient_shapes import check_gradient
from .gradients import cross_entropy_gradient
from .losses import IGNORE, perplexity
from .shapes import check_pairs
from .vectors import directions, lengths


def directions_gradient(dy, x):
    """Return the gradient of directions: the part of dy that turns x. Making x longer changes nothing.

        dx = (dy - y (y · dy)) / ‖x‖,   y = x / ‖x‖

    Parameters
    ----------
    dy : (..., D) float
        How the loss changes with each direction.
    x : (..., D) float
        What went in.

    Returns
    -------
    dx : (..., D) float
        At a right angle to x, row by row. A row of zeros, which has no direction, gets zeros.

    Raises
    ------
    ValueError
        Where dy is not shaped like x.
    """
    check_gradient(x.shape, dy=dy)
    y, norms = directions(x), lengths(x)
    turning = dy - y * (y * dy).sum(axis=-1, keepdims=True)
    return turning / np.where(norms > 0, norms, np.inf)


def perplexity_gradient(logits, targets, ignore=IGNORE):
    """Return the gradient of perplexity with respect to the logits.

        dlogits = perplexity · (the gradient of cross_entropy)

    Parameters
    ----------
    logits : (..., T, V) float
    targets : (..., T) int
    ignore : () int, optional
        A target with this value is not counted; its row of the gradient is 0.

    Returns
    -------
    dlogits : (..., T, V) float

    Raises
    ------
    ValueError
        As `cross_entropy_gradient`.
    """
    return perplexity(logits, targets, ignore) * cross_entropy_gradient(logits, targets, ignore)


def info_nce_gradients(x, y, temperature=0.07):
    """Return the gradients of info_nce with respect to both tables and the temperature.

        dS = (softmax(S) - I + (softmax(Sᵀ) - I)ᵀ) / 2B,   dx̂ = dS ŷ / temperature,   dŷ = dSᵀ x̂ / temperature

    Parameters
    ----------
    x : (B, D) float
    y : (B, D) float
        What went into the loss: row i of one is the partner of row i of the other.
    temperature : () float, optional

    Returns
    -------
    dx : (B, D) float
        Pulls towards its partner, and pushes away from the others, the likeliest most.
    dy : (B, D) float
    dtemperature : () float
        CLIP learns it.

    Raises
    ------
    ValueError
        Where the two do not have the same shape, or the temperature is not above 0.
    """
    check_pairs(x, y, temperature)
    S, partners = directions(x) @ directions(y).T / temperature, np.arange(len(x))
    dS = (cross_entropy_gradient(S, partners) + cross_entropy_gradient(S.T, partners).T) / 2
    dx = directions_gradient(dS @ directions(y) / temperature, x)
    dy = directions_gradient(dS.T @ directions(x) / temperature, y)
    return dx, dy, -(dS * S).sum() / temperature
