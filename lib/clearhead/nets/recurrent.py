"""Before attention: a recurrent step, and a convolution. The twin of `clearhead.maths.recurrent`."""

import torch
from torch.nn import functional as F

from .contracts import checked
from .layers import linear


@checked
def rnn_step(x, h, parameters):
    """Return the memory after reading one more token. The twin of `clearhead.maths.recurrent.rnn_step`."""
    return torch.tanh(linear(x, **parameters["input"]) + linear(h, **parameters["hidden"]))


@checked
def lstm_step(x, h, c, parameters):
    """Return the two memories of an LSTM after reading one more token.

    The twin of `clearhead.maths.recurrent.lstm_step`.
    """
    gates = linear(x, **parameters["input"]) + linear(h, **parameters["hidden"])
    i, f, g, o = gates.chunk(4, dim=-1)  # (..., F) each
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@checked
def gru_step(x, h, parameters):
    """Return the memory of a GRU after reading one more token.

    The twin of `clearhead.maths.recurrent.gru_step`.
    """
    r_x, z_x, n_x = linear(x, **parameters["input"]).chunk(3, dim=-1)
    r_h, z_h, n_h = linear(h, **parameters["hidden"]).chunk(3, dim=-1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    return (1 - z) * torch.tanh(n_x + r * n_h) + z * h


@checked
def conv1d(x, weight, bias):
    """Return, for each window of neighbouring tokens, the same linear map of the window.

    The twin of `clearhead.maths.recurrent.conv1d`, with its axes: x (..., T, D), weight (W, D, F).
    """
    sentences = x.reshape(-1, *x.shape[-2:]).mT
    y = F.conv1d(sentences, weight.permute(2, 1, 0), bias).mT
    return y.reshape(*x.shape[:-2], *y.shape[-2:])


@checked
def toeplitz(weight, length):
    """Return the matrix that does what a convolution does, on all tokens of a sentence in one long row.

    The twin of `clearhead.maths.recurrent.toeplitz`.
    """
    width, d_in, d_out = weight.shape
    blocks = weight.new_zeros(length, d_in, length - width + 1, d_out)
    for t in range(length - width + 1):
        blocks[t : t + width, :, t] = weight
    return blocks.reshape(length * d_in, -1)
