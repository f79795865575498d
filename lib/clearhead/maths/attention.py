"""Attention as a soft lookup by similarity: first for one query, as in a dictionary, then for all of them."""

import math

import numpy as np

from clearhead.contracts import checked, in_float32

from .softmax import scale_by_temperature, softmax


@checked
@in_float32
def soft_lookup(q, K, V, temperature=1.0):
    """Return the mean of the values, weighted by the similarity of their keys to the query, and the weights.

        a = softmax(K q / temperature),   z = Σ_j a_j V_j

    Parameters
    ----------
    q : (d,) float
        The query: what we look for.
    K : (S, d) float, S from 1
        The keys: what each entry offers to be found by.
    V : (S, e) float
        The values: what each entry gives.
    temperature : () float from 0
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
    a = softmax(scale_by_temperature(K @ q, temperature))  # (S,)
    return a @ V, a


@checked
@in_float32
def nadaraya_watson(x, X, Y, bandwidth):
    """Return, for each position, the mean of the measurements, weighted by how close each one was taken.

        y = Σ_j a_j Y_j,   a = softmax over j of -‖x - X_j‖² / (2 bandwidth²)

    Parameters
    ----------
    x : (..., d) float
        Where to guess: the queries.
    X : (S, d) float, S from 1
        Where something was measured: the keys.
    Y : (S, e) float
        What was measured there: the values.
    bandwidth : () float above 0
        How far a measurement is felt, in the unit of x. Its square acts as a temperature.

    Returns
    -------
    y : (..., e) float
        The guesses. None lies outside the range of Y.

    Raises
    ------
    ValueError
        Where the shapes do not fit, there is nothing to average, or the bandwidth is not above 0.

    References
    ----------
    Nadaraya (1964), "On estimating regression"; Watson (1964), "Smooth regression analysis".
    """
    squared = ((x[..., None, :] - X) ** 2).sum(-1)  # (..., S)
    return softmax(-squared / (2 * bandwidth**2)) @ Y


@checked
@in_float32
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one weighted mean of the values for each query, and the attention weights.

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
        True where a query may look. It is compared from the right: give its last axes, (T, S) or (S,), if it
        is the same for the whole batch and for all heads, or all axes, with 1 where it is the same.

    Returns
    -------
    Z : (..., T, e) float
        The outputs. A query with nowhere to look gets zeros.
    A : (..., T, S) float
        The weights. Row i says how much query i takes from each value.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

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


@checked
@in_float32
def sink_attention(Q, K, V, sink, mask=None):
    """Return attention with a learned sink, which takes weight and returns nothing, and the weights.

        A_ij = exp(s_ij) / (exp(sink) + Σ_k exp(s_ik)),   s = Q Kᵀ / √d,   Z = A V

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
    K : (..., S, d) float
    V : (..., S, e) float
    sink : (...) float
        The score of the sink: one number for each head. With -inf it is ordinary attention.
    mask : (..., T, S) bool, optional
        True where a query may look. The sink is never hidden.

    Returns
    -------
    Z : (..., T, e) float
    A : (..., T, S) float
        The weights of the keys. A row sums to less than 1; the missing part is the weight of the sink.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    The result is that of one additional key whose value is zero. It also equals ordinary attention times
    an output gate: Z = sigmoid(log Σ_k exp(s_ik) - sink) · softmax(s_i) V.

    References
    ----------
    Xiao et al. (2024), "Efficient streaming language models with attention sinks", eq. 2, where
    sink = 0; OpenAI (2025), "gpt-oss-120b & gpt-oss-20b model card", with a learned sink.
    """
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT  # (..., T, S)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    sink = np.asarray(sink, dtype=scores.dtype)[..., None, None]
    scores, sink = np.broadcast_arrays(scores, sink)
    A = softmax(np.concatenate([scores, sink[..., :1]], axis=-1))[..., : K.shape[-2]]
    return A @ V, A
