"""The layers that treat each token alone. The twin of `clearhead.maths.layers`."""

from torch.nn import functional as F

from .contracts import checked


@checked
def embed(ids, table):
    """Return, for each id, its row of the table. The twin of `clearhead.maths.layers.embed`."""
    return F.embedding(ids, table)


@checked
def linear(x, weight, bias=None):
    """Return x weight + bias, with the weight as (D, F). The twin of `clearhead.maths.layers.linear`."""
    return x @ weight if bias is None else x @ weight + bias


@checked
def relu(x):
    """Return x where it is positive, and 0 elsewhere. The twin of `clearhead.maths.layers.relu`."""
    return F.relu(x)


@checked
def gelu(x):
    """Return x Φ(x). The twin of `clearhead.maths.layers.gelu`."""
    return F.gelu(x)


@checked
def gelu_tanh(x):
    """Return gelu by its approximation with tanh. The twin of `clearhead.maths.layers.gelu_tanh`."""
    return F.gelu(x, approximate="tanh")


@checked
def silu(x):
    """Return x times its own sigmoid. The twin of `clearhead.maths.layers.silu`."""
    return F.silu(x)


@checked
def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

    The twin of `clearhead.maths.layers.layer_norm`.
    """
    return F.layer_norm(x, x.shape[-1:], gain, bias, epsilon)


@checked
def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

    The twin of `clearhead.maths.layers.rms_norm`.
    """
    return F.rms_norm(x, x.shape[-1:], gain, epsilon)
