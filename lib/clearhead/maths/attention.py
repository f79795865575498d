"""Attention: look things up by likeness, softly."""

import math

import numpy as np

from .activations import at_temperature, softmax
from .shapes import check_attention_shapes, check_lookup, check_projections


def soft_lookup(q, K, V, temperature=1.0):
    """Return the mixture of the values whose keys are like the query, and the weights of the mixture.

        a = softmax(K q / temperature),   z = Σ_j a_j V_j

    Parameters
    ----------
    q : (d,) float
        The query: what we look for.
    K : (S, d) float
        The keys: what each entry offers to be found by.
    V : (S, e) float
        The values: what each entry gives.
    temperature : () float
        At 0 the look-up is hard, as in a Python dictionary: the best key wins, equal best keys share.
        A high temperature gives the mean of all values.

    Returns
    -------
    z : (e,) float
        A weighted mean of the values.
    a : (S,) float
        The weights: at least 0, sum 1.

    Raises
    ------
    ValueError
        Where the shapes do not fit, there is nothing to look up, or the temperature is below 0.

    References
    ----------
    Graves, Wayne & Danihelka (2014), "Neural Turing machines", eqs. 2 and 5. Their β_t is our 1/temperature.
    """
    check_lookup(q, K, V)
    a = softmax(at_temperature(K @ q, temperature))
    return a @ V, a


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one mixture of the values for each query, and the weights of each mixture.

        A = softmax(Q Kᵀ / √d),   Z = A V

    Parameters
    ----------
    Q : (..., T, d) float
        One query a row.
    K : (..., S, d) float
        One key a row.
    V : (..., S, e) float
        One value a row, row j belonging to key j.
    mask : (..., T, S) bool, optional
        True where a query may look. Anything that broadcasts to this shape will do.

    Returns
    -------
    Z : (..., T, e) float
        The outputs. A query with nowhere to look gets zeros.
    A : (..., T, S) float
        The weights. Row i says how much query i takes from each value.

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.

    Notes
    -----
    The queries are divided by √d before the product, not after it: the result is the same, and the large
    numbers of Q Kᵀ, which float16 cannot hold above 65,504, never arise.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", eq. 1. Their d_k is our d.
    """
    check_attention_shapes(Q, K, V, mask)
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    A = softmax(scores)
    return A @ V, A


def self_attention(x, W_q, W_k, W_v, mask=None):
    """Return for each token a mixture of what all tokens give, and the weights of each mixture.

        Q = x W_q,   K = x W_k,   V = x W_v,   Z = softmax(Q Kᵀ / √d) V

    Parameters
    ----------
    x : (..., T, D) float
        One token a row.
    W_q : (D, d) float
        Makes the queries: what each token looks for.
    W_k : (D, d) float
        Makes the keys: what each token offers to be found by.
    W_v : (D, e) float
        Makes the values: what each token gives.
    mask : (..., T, T) bool, optional
        True where a token may look.

    Returns
    -------
    Z : (..., T, e) float
        One new vector a token.
    A : (..., T, T) float
        Row i says where token i looks.

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.3.
    """
    check_projections(x, W_q=W_q, W_k=W_k, W_v=W_v)
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    return scaled_dot_product_attention(Q, K, V, mask)


def biased_attention(Q, K, V, bias, mask=None):
    """Return attention whose scores get a bias, such as one for the distance between query and key.

        A = softmax(Q Kᵀ / √d + bias),   Z = A V

    Parameters
    ----------
    Q : (..., T, d) float
        One query a row.
    K : (..., S, d) float
        One key a row.
    V : (..., S, e) float
        One value a row.
    bias : (..., T, S) float
        Added to the scores. Anything that broadcasts to this shape will do.
    mask : (..., T, S) bool, optional
        True where a query may look.

    Returns
    -------
    Z : (..., T, e) float
        The outputs.
    A : (..., T, S) float
        The weights.

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.

    References
    ----------
    Raffel et al. (2020), "Exploring the limits of transfer learning", section 2.1.
    """
    check_attention_shapes(Q, K, V, mask)
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT + bias
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    A = softmax(scores)
    return A @ V, A
