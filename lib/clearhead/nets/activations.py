"""The activation functions between linear maps. The twin of `clearhead.maths.activations`."""

from torch.nn import functional as F

from .contracts import checked


@checked
def relu(x):
    """Return x where it is positive, and 0 elsewhere. The twin of `clearhead.maths.activations.relu`."""
    return F.relu(x)


@checked
def gelu(x):
    """Return x Φ(x). The twin of `clearhead.maths.activations.gelu`."""
    return F.gelu(x)


@checked
def gelu_tanh(x):
    """Return gelu by its approximation with tanh. The twin of `clearhead.maths.activations.gelu_tanh`."""
    return F.gelu(x, approximate="tanh")


@checked
def silu(x):
    """Return x times its own sigmoid. The twin of `clearhead.maths.activations.silu`."""
    return F.silu(x)
