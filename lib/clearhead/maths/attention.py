"""Attention: look things up by likeness, softly."""

import math

import numpy as np

from clearhead.contracts import checked

from .softmax import softmax


@checked
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one mixture of the values for each query, and the weights of each mixture.

        A = softmax(Q Kᵀ / √d),   Z = A V

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
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

    Notes
    -----
    The queries are divided by √d before the product, not after it: the result is the same, and in float16,
    which holds nothing above 65,504, Q Kᵀ may be √d times as large before it overflows.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", eq. 1. Their d_k is our d.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    A = softmax(scores)
    return A @ V, A
