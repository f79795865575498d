"""The layers that process each token separately: embedding, linear map, activation functions, norms."""

import math

import numpy as np

from clearhead.contracts import checked, in_float32

from .vectors import safe_square


@checked
def embed(ids, table):
    """Return the row of the table for each id.

        x_t = table[id_t]

    Parameters
    ----------
    ids : (...) int from 0 to V-1
    table : (V, D) float
        One row for each word of the vocabulary.

    Returns
    -------
    x : (..., D) float
        One vector a token.

    Raises
    ------
    ValueError
        Where an id names no row. (NumPy alone would take -1 for the last row.)
    TypeError
        If the ids are not integers.

    References
    ----------
    Bengio et al. (2003), "A neural probabilistic language model", section 2. Their C is our table.
    """
    return table[ids]


@checked
def linear(x, weight, bias=None):
    """Return x times the weight matrix, plus the bias.

        y = x weight + bias

    Parameters
    ----------
    x : (..., D) float
    weight : (D, F) float
        Row i says what column i of x adds to y. A weight from `torch.nn.Linear` lies the other way round:
        take its .T.
    bias : (F,) float, optional

    Returns
    -------
    y : (..., F) float
    """
    return x @ weight if bias is None else x @ weight + bias


erf = np.vectorize(math.erf, otypes=[float])  # NumPy has no error function


@checked
def relu(x):
    """Return x where it is positive and 0 elsewhere.

        relu(x) = max(x, 0)

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Nair & Hinton (2010), "Rectified linear units improve restricted Boltzmann machines".
    """
    return np.maximum(x, 0)


@checked
def gelu(x):
    """Return x times the probability that a standard normal variable is below x. BERT and ViT use this form.

        gelu(x) = x Φ(x) = x (1 + erf(x / √2)) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    x = 1.0 * np.asarray(x)
    share = (1 + erf(x / math.sqrt(2))) / 2
    return x * share.astype(x.dtype)


@checked
def gelu_tanh(x):
    """Return the tanh approximation of gelu, which differs by less than 0.0005. GPT-2 uses this form.

        gelu_tanh(x) = x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Hendrycks & Gimpel (2016), "Gaussian error linear units (GELUs)", section 2.
    """
    near = np.clip(x, -10, 10)  # beyond, the tanh is 1 or -1, and x³ would overflow
    curve = np.tanh(math.sqrt(2 / math.pi) * (near + 0.044715 * near * near * near))
    return x * ((1 + curve) / 2)


@checked
def sigmoid(x):
    """Return a number between 0 and 1 for each x, such as how far a gate is open.

        sigmoid(x) = 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float
        By tanh, which cannot overflow.
    """
    return (1 + np.tanh(x / 2)) / 2


@checked
def silu(x):
    """Return x times its own sigmoid.

        silu(x) = x sigmoid(x) = x / (1 + exp(-x))

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float

    References
    ----------
    Elfwing, Uchibe & Doya (2018), "Sigmoid-weighted linear units for neural network function
    approximation in reinforcement learning", section 2.
    """
    return x * sigmoid(x)


@checked
@in_float32
def layer_norm(x, gain, bias, eps=1e-5):
    """Return each row normalised to mean 0 and variance 1, then scaled and shifted column by column.

        y = gain (x - mean) / √(variance + eps) + bias

    Parameters
    ----------
    x : (..., D) float
    gain : (D,) float
        Learned; starts at 1.
    bias : (D,) float
        Learned; starts at 0.
    eps : () float
        Keeps a row of equal numbers from dividing by 0.

    Returns
    -------
    y : (..., D) float

    Notes
    -----
    The variance is the mean of squares (it divides by D, not by D - 1), and eps stands inside the root.

    References
    ----------
    Ba, Kiros & Hinton (2016), "Layer normalization", eq. 3, with the epsilon of PyTorch.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = safe_square(centred).mean(axis=-1, keepdims=True)
    spread = np.sqrt(variance + eps).astype(centred.dtype)
    return gain * (centred / spread) + bias


@checked
@in_float32
def rms_norm(x, gain, eps=1e-5):
    """Return each row divided by its root mean square, then scaled column by column.

        y = gain x / √(mean of x² + eps)

    Parameters
    ----------
    x : (..., D) float
    gain : (D,) float
        Learned; starts at 1.
    eps : () float
        Keeps a row of zeros from dividing by 0.

    Returns
    -------
    y : (..., D) float

    References
    ----------
    Zhang & Sennrich (2019), "Root mean square layer normalization", eq. 4.
    """
    x = 1.0 * x
    mean_square = safe_square(x).mean(axis=-1, keepdims=True)
    return gain * (x / np.sqrt(mean_square + eps).astype(x.dtype))
