"""Linear attention, whose cost grows linearly with the sequence length, and recurrences that decay."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
def feature_map(x):
    """Return the positive features with which linear attention replaces exp: elu(x) + 1.

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
@in_float32
def linear_attention(Q, K, V):
    """Return attention with φ(q) · φ(k) instead of exp(q · k / √d), at a cost that grows with T and not T².

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
    K = feature_map(K)
    memory, total = K.mT @ V, K.sum(axis=-2)[..., None]  # (..., d, e), (..., d, 1)
    Q = feature_map(Q)
    norm = Q @ total  # (..., T, 1)
    return Q @ memory / np.where(norm > 0, norm, 1)


@checked
@in_float32
def causal_linear_attention(Q, K, V):
    """Return linear attention in which each token sees only the past, computed like a recurrent network.

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
    Q, K = feature_map(Q), feature_map(K)
    memory = np.zeros_like(K[..., :1, :].mT @ V[..., :1, :])  # (..., d, e)
    leading = np.broadcast_shapes(Q.shape[:-2], memory.shape[:-2])
    Z = np.zeros((*leading, Q.shape[-2], V.shape[-1]), memory.dtype)
    total = np.zeros_like(K[..., :1, :].mT)  # (..., d, 1)
    for t in range(Q.shape[-2]):
        k, v, q = (rows[..., t : t + 1, :] for rows in (K, V, Q))
        memory, total = memory + k.mT @ v, total + k.mT
        Z[..., t : t + 1, :] = q @ memory / (q @ total)
    return Z


@checked
@in_float32
def linear_recurrence(decay, x):
    """Return the state after each token, of which a fraction is kept and to which the token is added.

        h_t = a_t h_{t-1} + x_t,   h before the first token is 0,   column by column

    Parameters
    ----------
    decay : (..., T, D) float
        a: how much of each number is kept. A state space model computes it from the token.
    x : (..., T, D) float
        What is added.

    Returns
    -------
    h : (..., T, D) float

    References
    ----------
    Martin & Cundy (2018), "Parallelizing linear recurrent neural nets over sequence length", eq. 1; Gu & Dao
    (2023), "Mamba", eq. 2a, with Ā = a and B̄x = x.
    """
    h = np.zeros_like(decay * x)
    memory = np.zeros_like(h.sum(axis=-2))
    for t in range(h.shape[-2]):
        memory = decay[..., t, :] * memory + x[..., t, :]
        h[..., t, :] = memory
    return h


@checked
@in_float32
def linear_scan(decay, x):
    """Return the result of `linear_recurrence`, computed in log₂ T rounds over all tokens in parallel.

        (a, x) after (b, y)  =  (a b, a y + x):   two steps are one step of the same kind

    Parameters
    ----------
    decay : (..., T, D) float
        a: how much of each number is kept.
    x : (..., T, D) float
        What is added.

    Returns
    -------
    h : (..., T, D) float

    Notes
    -----
    In round r each token takes in what stood 2^r tokens before it. There is more work than in the loop, by a
    factor of log₂ T, but no token waits for its neighbour.

    References
    ----------
    Hillis & Steele (1986), "Data parallel algorithms"; Martin & Cundy (2018), section 2.2.
    """
    decay, h, step = decay + np.zeros_like(x), x + np.zeros_like(decay), 1
    while step < h.shape[-2]:
        before, kept = h[..., :-step, :], decay[..., :-step, :]
        h = np.concatenate([h[..., :step, :], decay[..., step:, :] * before + h[..., step:, :]], axis=-2)
        decay = np.concatenate([decay[..., :step, :], decay[..., step:, :] * kept], axis=-2)
        step = 2 * step
    return h


@checked
@in_float32
def delta_rule(Q, K, V, rates):
    """Return what each token reads from a matrix of fixed size, to which all tokens write by the delta rule.

        M_t = M_{t-1} + β_t k_t (v_t - k_tᵀ M_{t-1}),   z_t = q_tᵀ M_t

    Parameters
    ----------
    Q : (..., T, d) float
        One query a row.
    K : (..., T, d) float
        One key a row, best of length 1.
    V : (..., T, e) float
        One value a row.
    rates : (..., T) float
        β: 0 writes nothing; 1 replaces, for a key of length 1, what was stored under it.

    Returns
    -------
    Z : (..., T, e) float

    References
    ----------
    Schlag, Irie & Schmidhuber (2021), "Linear transformers are secretly fast weight programmers", eqs. 24-25.
    """
    memory = np.zeros_like(K[..., :1, :].mT @ V[..., :1, :])  # (..., d, e)
    Z = np.zeros_like(Q[..., :1] * V)
    for t in range(Q.shape[-2]):
        q, k, v = (rows[..., t : t + 1, :] for rows in (Q, K, V))
        memory = memory + rates[..., t, None, None] * (k.mT @ (v - k @ memory))
        Z[..., t : t + 1, :] = q @ memory
    return Z
