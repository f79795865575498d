"""Gradients by hand: how the loss changes when an input changes. dX means ∂loss/∂X, with the shape of X."""

import math

import numpy as np

from clearhead.contracts import checked, in_float32

from .losses import IGNORE
from .shapes import check_repeated
from .softmax import softmax
from .vectors import safe_square


@checked
@in_float32
def softmax_gradient(dA, A):
    """Return the gradient with respect to the scores, from the gradient with respect to their softmax.

        ds_j = a_j (da_j - Σ_i a_i da_i)

    Parameters
    ----------
    dA : (..., T, S) float
        How the loss changes with each weight.
    A : (..., T, S) float
        The weights that softmax gave.

    Returns
    -------
    dscores : (..., T, S) float
        Each row sums to 0: adding one number to all scores of a row changes nothing.

    References
    ----------
    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs".
    """
    return A * (dA - (A * dA).sum(axis=-1, keepdims=True))


@checked
@in_float32
def attention_gradients(dZ, Q, K, V, A):
    """Return the gradients of attention with respect to queries, keys and values.

        dV = Aᵀ dZ,   dS = softmax_gradient(dZ Vᵀ, A),   dQ = dS K / √d,   dK = dSᵀ Q / √d

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., S, d) float
    V : (..., S, e) float
        What went into attention.
    A : (..., T, S) float
        The weights that attention used. Where the mask was False they are 0, so no mask is needed here.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., S, d) float
    dV : (..., S, e) float
        Each shaped like its input: summed where one table of keys, say, served a whole batch.

    References
    ----------
    Dao et al. (2022), "FlashAttention", appendix B.2. Their P is our A, their S our scores.
    """
    dscores = softmax_gradient(dZ @ V.mT, A) / math.sqrt(Q.shape[-1])  # (..., T, S)
    dQ, dK, dV = dscores @ K, dscores.mT @ Q, A.mT @ dZ
    return unbroadcast(dQ, Q), unbroadcast(dK, K), unbroadcast(dV, V)


@checked
@in_float32
def cross_entropy_gradient(logits, targets, ignore=IGNORE):
    """Return the gradient of cross_entropy with respect to the logits: predicted minus true probabilities.

        dlogits_t = (softmax(logits_t) - one_hot(target_t)) / n,   n the number of targets that count

    Parameters
    ----------
    logits : (..., T, V) float
    targets : (..., T) int from 0 to V-1 or ignore, no broadcasting
    ignore : () int, optional
        A target with this value is not counted; its row of the gradient is 0.

    Returns
    -------
    dlogits : (..., T, V) float
        Each row sums to 0.
    """
    counts = (targets != ignore)[..., None]
    true = np.arange(logits.shape[-1]) == targets[..., None]
    return np.where(counts, softmax(logits) - true, 0) / max(int(counts.sum()), 1)


@checked
@in_float32
def linear_gradients(dy, x, parameters):
    """Return the gradients of a linear map with respect to its input and its parameters.

        dx = dy weightᵀ,   dweight = Σ over tokens x_t dy_tᵀ,   dbias = Σ over tokens dy_t

    Parameters
    ----------
    dy : (..., T, F) float
        How the loss changes with each output.
    x : (..., T, D) float, no broadcasting
    parameters : dict of linear
        What went into the map.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of linear
        Under the same names. A map without a bias has none here.
    """
    rows, drows = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
    found = {"weight": rows.T @ drows, "bias": drows.sum(axis=0)}
    return dy @ parameters["weight"].T, {name: found[name] for name in parameters}


@checked
def relu_gradient(dy, x):
    """Return the gradient of relu, which is dY where x was positive and 0 elsewhere.

        dx = dy where x > 0, 0 elsewhere

    Parameters
    ----------
    dy : (..., F) float
        How the loss changes with each output.
    x : (..., F) float, no broadcasting
        What went in.

    Returns
    -------
    dx : (..., F) float
    """
    return dy * (x > 0)


@checked
@in_float32
def layer_norm_gradients(dy, x, parameters):
    """Return the gradients of layer_norm with respect to its input and its parameters.

        u = (x - mean) / spread,   dx = (du - mean(du) - u mean(u du)) / spread,   du = gain dy

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float, no broadcasting
    parameters : dict
        - gain : (D,) float
        - bias : (D,) float, optional

    Returns
    -------
    dx : (..., T, D) float
        Each row sums to 0: adding one number to a row of x changes nothing.
    dparameters : dict
        - gain : (D,) float
        - bias : (D,) float

    Notes
    -----
    The spread is √(variance + eps); parameters may hold an `eps` of their own, too.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = safe_square(centred).mean(axis=-1, keepdims=True)
    spread = np.sqrt(variance + parameters.get("eps", 1e-5)).astype(centred.dtype)
    u, du, tokens = centred / spread, dy * parameters["gain"], tuple(range(x.ndim - 1))
    dx = du - du.mean(axis=-1, keepdims=True) - u * (u * du).mean(axis=-1, keepdims=True)
    return dx / spread, {"gain": (u * dy).sum(axis=tokens), "bias": dy.sum(axis=tokens)}


@checked
@in_float32
def embed_gradient(dx, ids, vocab_size):
    """Return the gradient of embed with respect to the table: each row sums the gradients of all its tokens.

        dtable_v = Σ dx_t over the tokens t whose id is v

    Parameters
    ----------
    dx : (..., T, D) float
        How the loss changes with each token's vector.
    ids : (..., T) int from 0 to V-1, no broadcasting
    vocab_size : () int V from 0
        How many words, V.

    Returns
    -------
    dtable : (V, D) float
        A word that does not occur has a row of zeros.
    """
    dtable = np.zeros((vocab_size, dx.shape[-1]), dtype=dx.dtype)
    np.add.at(dtable, ids, dx)
    return dtable


@checked
@in_float32
def unbroadcast(gradient, x):
    """Return a gradient summed over the axes along which x was broadcast, since each copy adds its part.

        dx_i = Σ gradient_j over the places j to which x_i was copied

    Parameters
    ----------
    gradient : (...) float
        How the loss changes with what x had become when it was broadcast.
    x : (...) float
        The array itself; only its shape counts. It may lack axes in front, or have 1 where it was copied.

    Returns
    -------
    dx : (...) float
        Shaped like x.
    """
    check_repeated(gradient, x.shape)
    front = gradient.ndim - x.ndim
    repeated = (front + axis for axis, size in enumerate(x.shape) if size == 1)
    return gradient.sum(axis=(*range(front), *repeated)).reshape(x.shape)


@checked
def numerical_gradient(f, x, eps=1e-6):
    """Return the gradient of a function by finite differences: move one entry up and down, and compare.

        g_i = (f(x + eps e_i) - f(x - eps e_i)) / (2 eps),   e_i = 1 at place i, 0 elsewhere

    Parameters
    ----------
    f : function
        Takes an array like x, returns one number.
    x : (...) float
        Where the gradient is wanted, in float64.
    eps : () float, optional
        How far.

    Returns
    -------
    gradient : (...) float
        Right to about 1e-9 where f and x are about 1. It costs two calls of f for each number in x, so it is
        for proofs on small arrays.
    """
    gradient = np.zeros_like(x, dtype=float)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(gradient)
        step[place] = eps
        gradient[place] = (f(x + step) - f(x - step)) / (2 * eps)
    return gradient
