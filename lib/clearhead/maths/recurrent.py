"""Models before attention: one step of a recurrent network, and a convolution along the tokens."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .layers import linear, sigmoid


@checked
def rnn_step(x, h, parameters):
    """Return the hidden state after reading one more token.

        h' = tanh(x W_x + b_x + h W_h + b_h)

    Parameters
    ----------
    x : (..., D) float
        The token.
    h : (..., F) float
        The memory before it; zeros at the start.
    parameters : dict
        - input.weight : (D, F) float
        - input.bias : (F,) float, optional
        - hidden.weight : (F, F) float
        - hidden.bias : (F,) float, optional

    Returns
    -------
    h : (..., F) float
        The memory after it.

    References
    ----------
    Elman (1990), "Finding structure in time". The two biases are those of `torch.nn.RNN`.
    """
    return np.tanh(linear(x, **parameters["input"]) + linear(h, **parameters["hidden"]))


@checked
def lstm_step(x, h, c, parameters):
    """Return the hidden state and the cell state of an LSTM after reading one more token.

        c' = f c + i g,   h' = o tanh(c'),   gates i, f, o = sigmoid(...),   proposal g = tanh(...)

    Parameters
    ----------
    x : (..., D) float
        The token.
    h : (..., F) float
        The short memory: what the outside sees.
    c : (..., F) float
        The long memory: it changes by a gate f that forgets and a gate i that lets in.
    parameters : dict
        - input.weight : (D, 4F) float
        - input.bias : (4F,) float, optional
        - hidden.weight : (F, 4F) float
        - hidden.bias : (4F,) float, optional

    Returns
    -------
    h : (..., F) float
    c : (..., F) float

    Notes
    -----
    The columns of the weights come in the order i, f, g, o of PyTorch.

    References
    ----------
    Hochreiter & Schmidhuber (1997), "Long short-term memory"; the gate f is from Gers et al. (2000).
    """
    gates = linear(x, **parameters["input"]) + linear(h, **parameters["hidden"])  # (..., 4F)
    i, f, g, o = np.split(gates, 4, axis=-1)  # (..., F) each
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


@checked
def gru_step(x, h, parameters):
    """Return the hidden state of a GRU after reading one more token.

        h' = (1 - z) n + z h,   n = tanh(x W_n + b_n + r (h U_n + d_n)),   gates r, z = sigmoid(...)

    Parameters
    ----------
    x : (..., D) float
        The token.
    h : (..., F) float
        The memory before it.
    parameters : dict
        - input.weight : (D, 3F) float
        - input.bias : (3F,) float, optional
        - hidden.weight : (F, 3F) float
        - hidden.bias : (3F,) float, optional

    Returns
    -------
    h : (..., F) float
        The memory after it.

    Notes
    -----
    The columns of the weights come in the order r, z, n of PyTorch, whose conventions we keep: z is the part
    that stays, and r acts after the product. In the paper z stays, too, but r acts before the product.

    References
    ----------
    Cho et al. (2014), "Learning phrase representations using RNN encoder-decoder", eqs. 5 to 8.
    """
    r_x, z_x, n_x = np.split(linear(x, **parameters["input"]), 3, axis=-1)  # (..., F) each
    r_h, z_h, n_h = np.split(linear(h, **parameters["hidden"]), 3, axis=-1)
    r, z = sigmoid(r_x + r_h), sigmoid(z_x + z_h)
    return (1 - z) * np.tanh(n_x + r * n_h) + z * h


@checked
@in_float32
def conv1d(x, weight, bias):
    """Return the convolution of a sequence: the same linear map of each window of neighbouring tokens.

        y_t = Σ_w x_{t+w} weight_w + bias

    Parameters
    ----------
    x : (..., T, D) float
    weight : (W, D, F) float, W from 1 to T
        One matrix for each place in the window. Where it is wider than the sentence, pad the tokens first.
    bias : (F,) float

    Returns
    -------
    y : (..., T-W+1, F) float
        No padding: a window that does not fit is left out.

    Raises
    ------
    ValueError
        Where the window is wider than the sentence.

    References
    ----------
    LeCun et al. (1989), "Backpropagation applied to handwritten zip code recognition". PyTorch's `F.conv1d`
    wants (..., D, T) and the weight as (F, D, W).
    """
    windows = np.lib.stride_tricks.sliding_window_view(x, len(weight), axis=-2)
    return np.einsum("...tdw,wdf->...tf", windows, weight, optimize=True) + bias


@checked
def toeplitz(weight, length):
    """Return the matrix of a convolution, which acts on all tokens of a sentence in one long row.

        conv1d(x)  =  x as one row  @  matrix,   the same block of weights in every diagonal step

    Parameters
    ----------
    weight : (W, D, F) float, W from 1
        The weight of `conv1d`.
    length : () int T from W
        How many tokens the sentence has: at least one window.

    Returns
    -------
    matrix : (T·D, (T-W+1)·F) float
        Mostly zeros, and the other numbers repeat: this is what a convolution saves.

    Raises
    ------
    ValueError
        Where the window is wider than the sentence.
    """
    width, d_in, d_out = weight.shape
    blocks = np.zeros((length, d_in, length - width + 1, d_out), dtype=weight.dtype)
    for t in range(length - width + 1):
        blocks[t : t + width, :, t] = weight
    return blocks.reshape(length * d_in, -1)
