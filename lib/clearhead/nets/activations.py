"""Softmax, and the bends between linear maps. The twin of `clearhead.maths.activations`."""

import torch
from torch.nn import functional as F

from clearhead.maths.sizes import check_temperature


def softmax(scores):
    """Return the scores as positive weights that sum to 1 along the last axis.

    The twin of `clearhead.maths.activations.softmax`. A row of -inf alone gives zeros, where PyTorch's own
    softmax gives NaN.
    """
    weights = torch.softmax(scores, dim=-1)
    if not weights[..., :1].isnan().any():
        return weights
    nowhere = torch.isneginf(scores).all(dim=-1, keepdim=True)  # filled before, so that gradients are 0 too
    return torch.softmax(scores.masked_fill(nowhere, 0.0), dim=-1).masked_fill(nowhere, 0.0)


def log_softmax(scores):
    """Return the logarithm of softmax; a row of -inf alone gives -inf.

    The twin of `clearhead.maths.activations.log_softmax`.
    """
    nowhere = torch.isneginf(scores).all(dim=-1, keepdim=True)
    return torch.log_softmax(scores.masked_fill(nowhere, 0.0), dim=-1).masked_fill(nowhere, -torch.inf)


def at_temperature(scores, temperature):
    """Return the scores divided by a temperature, ready for softmax; at 0 only the highest are left.

    The twin of `clearhead.maths.activations.at_temperature`.
    """
    check_temperature(temperature)
    if temperature > 0:
        return scores / float(temperature)
    return torch.where(scores < scores.amax(dim=-1, keepdim=True), -torch.inf, scores)


def relu(x):
    """Return x where it is positive, and 0 elsewhere. The twin of `clearhead.maths.activations.relu`."""
    return F.relu(x)


def gelu(x):
    """Return x Φ(x). The twin of `clearhead.maths.activations.gelu`."""
    return F.gelu(x)


def gelu_tanh(x):
    """Return gelu by its approximation with tanh. The twin of `clearhead.maths.activations.gelu_tanh`."""
    return F.gelu(x, approximate="tanh")


def sigmoid(x):
    """Return a number between 0 and 1 for each x. The twin of `clearhead.maths.activations.sigmoid`."""
    return torch.sigmoid(x)


def silu(x):
    """Return x times its own sigmoid. The twin of `clearhead.maths.activations.silu`."""
    return F.silu(x)
