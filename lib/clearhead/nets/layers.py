"""The layers that treat each token alone. The twin of `clearhead.maths.layers`."""

from torch import nn
from torch.nn import functional as F

from clearhead.maths.shapes import check_ids, check_linear, check_per_column

from .activations import gelu


def embed(ids, table):
    """Return, for each id, its row of the table. The twin of `clearhead.maths.layers.embed`."""
    check_ids(ids, table)
    return F.embedding(ids, table)


def linear(x, weight, bias=None):
    """Return x weight + bias, with the weight as (D, F). The twin of `clearhead.maths.layers.linear`."""
    check_linear(x, weight, bias)
    return x @ weight if bias is None else x @ weight + bias


def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

    The twin of `clearhead.maths.layers.layer_norm`.
    """
    check_per_column(x, gain=gain, bias=bias)
    return F.layer_norm(x, x.shape[-1:], gain, bias, epsilon)


def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

    The twin of `clearhead.maths.layers.rms_norm`.
    """
    check_per_column(x, gain=gain)
    return F.rms_norm(x, x.shape[-1:], gain, epsilon)


class FeedForward(nn.Module):
    """Two linear maps with a bend between them, each token alone.

        y = activation(x W_up + b_up) W_down + b_down

    The twin of `clearhead.maths.layers.feed_forward`.

    Parameters
    ----------
    d_model : int
        D: numbers for a token.
    d_ff : int
        F: numbers in between, mostly 4 D.
    activation : function
        The bend.
    """

    def __init__(self, d_model, d_ff, activation=gelu):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        """Return y (..., T, D) for x (..., T, D)."""
        return self.down(self.activation(self.up(x)))
