"""The layers that treat each token alone: embedding, linear map, the two norms, feed-forward."""

import numpy as np

from .activations import gelu
from .shapes import check_ids, check_linear, check_per_column
from .vectors import squares


def embed(ids, table):
    """Return, for each id, its row of the table.

        x_t = table[id_t]

    Parameters
    ----------
    ids : (..., T) int
        Whole numbers from 0 to V - 1.
    table : (V, D) float
        One row for each word of the vocabulary.

    Returns
    -------
    x : (..., T, D) float
        One vector a token.

    Raises
    ------
    ValueError
        Where an id names no row. (NumPy alone would take -1 for the last row.)
    TypeError
        Where the ids are not whole numbers.

    References
    ----------
    Bengio et al. (2003), "A neural probabilistic language model", section 2. Their C is our table.
    """
    check_ids(ids, table)
    return table[ids]


def linear(x, weight, bias=None):
    """Return each row of x as a mixture of the rows of the weight, shifted by the bias.

        y = x weight + bias

    Parameters
    ----------
    x : (..., T, D) float
    weight : (D, F) float
        Row i says what column i of x adds to y. `torch.nn.Linear` stores the transpose.
    bias : (F,) float, optional

    Returns
    -------
    y : (..., T, F) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    check_linear(x, weight, bias)
    return x @ weight if bias is None else x @ weight + bias


def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

        y = gain (x - mean) / √(variance + epsilon) + bias

    Parameters
    ----------
    x : (..., T, D) float
    gain : (D,) float
        Learned; starts at 1.
    bias : (D,) float
        Learned; starts at 0.
    epsilon : () float
        Keeps a row of equal numbers from dividing by 0.

    Returns
    -------
    y : (..., T, D) float

    Raises
    ------
    ValueError
        Where gain or bias do not have one number a column.

    Notes
    -----
    The variance is the mean of squares (it divides by D, not by D - 1), and epsilon stands inside the root.

    References
    ----------
    Ba, Kiros & Hinton (2016), "Layer normalization", eq. 3, with the epsilon of PyTorch.
    """
    check_per_column(x, gain=gain, bias=bias)
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = squares(centred).mean(axis=-1, keepdims=True)
    spread = np.sqrt(variance + epsilon).astype(centred.dtype)
    return gain * (centred / spread) + bias


def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

        y = gain x / √(mean of x² + epsilon)

    Parameters
    ----------
    x : (..., T, D) float
    gain : (D,) float
        Learned; starts at 1.
    epsilon : () float
        Keeps a row of zeros from dividing by 0.

    Returns
    -------
    y : (..., T, D) float

    Raises
    ------
    ValueError
        Where gain does not have one number a column.

    References
    ----------
    Zhang & Sennrich (2019), "Root mean square layer normalization", eq. 4.
    """
    check_per_column(x, gain=gain)
    x = 1.0 * x
    mean_square = squares(x).mean(axis=-1, keepdims=True)
    return gain * (x / np.sqrt(mean_square + epsilon).astype(x.dtype))


def feed_forward(x, parameters, activation=gelu):
    """Return each token after two linear maps with a bend between them. No token sees another one.

        y = activation(x W_up + b_up) W_down + b_down

    Parameters
    ----------
    x : (..., T, D) float
    parameters : dict
        - up.weight : (D, F) float
        - up.bias : (F,) float
        - down.weight : (F, D) float
        - down.bias : (D,) float
    activation : function, optional
        The bend: gelu, or relu as in the first transformer.

    Returns
    -------
    y : (..., T, D) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", eq. 2. Their W_1 and W_2 are our up and down.
    """
    hidden = activation(linear(x, **parameters["up"]))
    return linear(hidden, **parameters["down"])
