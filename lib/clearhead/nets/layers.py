"""The layers that process each token separately. The twin of `clearhead.maths.layers`."""

import torch
from torch import nn
from torch.nn import functional as F

from .contracts import checked


class OutOfRange(IndexError, ValueError):
    """Raised for an id that is not the index of a row of a table."""


class Embedding(nn.Embedding):
    """An embedding table that names an id out of range, which `torch.nn.Embedding` does not.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        V and D.
    """

    def forward(self, ids):
        """Return rows (..., D) for ids (...), integers of any width.

        Raises
        ------
        TypeError
            Where the ids are not integers.
        IndexError
            Where an id names no row. It is a ValueError as well, as in NumPy's version.

        Notes
        -----
        The ids are looked at only after PyTorch has refused them, so that nothing waits for the device. On a
        GPU, PyTorch itself stops the program with an assertion on the device.
        """
        if ids.dtype not in (torch.int64, torch.int32):
            if ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool:
                raise TypeError(f"ids must be integers, got {str(ids.dtype).removeprefix('torch.')}.")
            ids = ids.long()
        if torch.compiler.is_compiling():
            return super().forward(ids)
        try:
            return super().forward(ids)
        except IndexError:
            last = self.num_embeddings - 1
            outside = ids[(ids < 0) | (ids > last)]
            raise OutOfRange(
                f"Id {int(outside[0])} is out of range: the table has {last + 1} rows, for ids 0 to {last}."
            ) from None


@checked
def embed(ids, table):
    """Return the row of the table for each id. The twin of `clearhead.maths.layers.embed`."""
    return F.embedding(ids, table)


@checked
def linear(x, weight, bias=None):
    """Return x weight + bias, with the weight as (D, F). The twin of `clearhead.maths.layers.linear`."""
    return x @ weight if bias is None else x @ weight + bias


@checked
def relu(x):
    """Return x where it is positive and 0 elsewhere. The twin of `clearhead.maths.layers.relu`."""
    return F.relu(x)


@checked
def gelu(x):
    """Return x Φ(x). The twin of `clearhead.maths.layers.gelu`."""
    return F.gelu(x)


@checked
def gelu_tanh(x):
    """Return the tanh approximation of gelu. The twin of `clearhead.maths.layers.gelu_tanh`."""
    return F.gelu(x, approximate="tanh")


@checked
def silu(x):
    """Return x times its own sigmoid. The twin of `clearhead.maths.layers.silu`."""
    return F.silu(x)


@checked
def layer_norm(x, gain, bias, eps=1e-5):
    """Return each row normalised to mean 0 and variance 1, then scaled and shifted column by column.

    The twin of `clearhead.maths.layers.layer_norm`.
    """
    return F.layer_norm(x, x.shape[-1:], gain, bias, eps)


@checked
def rms_norm(x, gain, eps=1e-5):
    """Return each row divided by its root mean square, then scaled column by column.

    The twin of `clearhead.maths.layers.rms_norm`.
    """
    return F.rms_norm(x, x.shape[-1:], gain, eps)
