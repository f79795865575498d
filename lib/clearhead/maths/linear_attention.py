"""Attention whose cost grows with the length of the text, not with its square: another kernel than exp."""

import numpy as np

from clearhead.contracts import checked


@checked
def positive_features(x):
    """Return numbers above 0 that grow with x: what linear attention puts in the place of exp.

        φ(x) = elu(x) + 1 = exp(min(x, 0)) + max(x, 0)

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    features : (...) float

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", eq. 7.
    """
    return np.exp(np.minimum(x, 0)) + np.maximum(x, 0)


@checked
def linear_attention(Q, K, V):
    """Return attention with φ(q) · φ(k) in the place of exp(q · k / √d): its cost grows with T, not with T².

        Z = φ(Q) (φ(K)ᵀ V) / φ(Q) (Σ_j φ(K_j))

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
        One query a row.
    K : (..., S, d) float
        One key a row.
    V : (..., S, e) float
        One value a row.

    Returns
    -------
    Z : (..., T, e) float
        Weighted means of the values, with other weights than softmax gives.

    Notes
    -----
    The brackets are the whole idea: φ(K)ᵀ V is a small (d, e) matrix. The (T, S) matrix φ(Q) φ(K)ᵀ never
    arises.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", eqs. 4 to 6.
    """
    K = positive_features(K)
    memory, total = K.mT @ V, K.sum(axis=-2)[..., None]  # (..., d, e), (..., d, 1)
    Q = positive_features(Q)
    norm = Q @ total  # (..., T, 1)
    return Q @ memory / np.where(norm > 0, norm, 1)


@checked
def causal_linear_attention(Q, K, V):
    """Return linear attention in which each token sees only the past: a recurrent network at heart.

        M_t = M_{t-1} + φ(k_t) v_tᵀ,   n_t = n_{t-1} + φ(k_t),   z_t = φ(q_t) M_t / (φ(q_t) · n_t)

    Parameters
    ----------
    Q : (..., T, d) float, d from 1
        One query a row.
    K : (..., T, d) float
        One key a row, as many as queries.
    V : (..., T, e) float
        One value a row.

    Returns
    -------
    Z : (..., T, e) float

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", eqs. 18 to 20.
    """
    Q, K = positive_features(Q), positive_features(K)
    memory = np.zeros_like(K[..., :1, :].mT @ V[..., :1, :])  # (..., d, e)
    leading = np.broadcast_shapes(Q.shape[:-2], memory.shape[:-2])
    Z = np.zeros((*leading, Q.shape[-2], V.shape[-1]), memory.dtype)
    total = np.zeros_like(K[..., :1, :].mT)  # (..., d, 1)
    for t in range(Q.shape[-2]):
        k, v, q = (rows[..., t : t + 1, :] for rows in (K, V, Q))
        memory, total = memory + k.mT @ v, total + k.mT
        Z[..., t : t + 1, :] = q @ memory / (q @ total)
    return Z
