"""Gradients by hand of linear attention: small matrices run back, too. dX stands for ∂loss/∂X."""

import numpy as np

from .gradient_shapes import check_gradient
from .gradients import summed_to
from .linear_attention import positive_features
from .shapes import check_attention_shapes, check_self


def positive_features_gradient(dy, x):
    """Return the gradient of positive_features.

        dx = dy exp(min(x, 0)):   dy where x is positive, dy exp(x) elsewhere

    Parameters
    ----------
    dy : (..., T, d) float
        How the loss changes with each feature.
    x : (..., T, d) float
        What went in.

    Returns
    -------
    dx : (..., T, d) float
    """
    return dy * np.exp(np.minimum(x, 0))


def linear_attention_gradients(dZ, Q, K, V):
    """Return the gradients of linear_attention with respect to queries, keys and values.

        M = φ(K)ᵀ [V, 1],   [U, n] = φ(Q) M,   Z = U / n,   dU = dZ / n,   dn = -(dZ · Z) / n,
        dφ(Q) = [dU, dn] Mᵀ,   dM = φ(Q)ᵀ [dU, dn],   dφ(K) = [V, 1] dMᵀ,   [dV, 0] = φ(K) dM

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., S, d) float
    V : (..., S, e) float
        What went into the attention.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., S, d) float
    dV : (..., S, e) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    Notes
    -----
    A column of ones behind V makes the sum of weights n in the same product as U.
    """
    check_attention_shapes(Q, K, V)
    queries, keys, values = positive_features(Q), positive_features(K), _with_ones(V)
    memory = keys.mT @ values
    dsums = _through_division(dZ, queries @ memory)
    dmemory = queries.mT @ dsums
    dQ, dK = (
        positive_features_gradient(dsums @ memory.mT, Q),
        positive_features_gradient(values @ dmemory.mT, K),
    )
    return summed_to(dQ, Q), summed_to(dK, K), summed_to((keys @ dmemory)[..., :-1], V)


def causal_linear_attention_gradients(dZ, Q, K, V):
    """Return the gradients of causal_linear_attention: the memory once forward, its gradient once back.

        M_t = M_{t-1} + φ(k_t)ᵀ [v_t, 1],   dφ(q_t) = [dU, dn]_t M_tᵀ,
        dM_t = dM_{t+1} + φ(q_t)ᵀ [dU, dn]_t,   dφ(k_t) = [v_t, 1] dM_tᵀ,   [dv_t, 0] = φ(k_t) dM_t

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., T, d) float
    V : (..., T, e) float
        What went into the attention.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., T, d) float
    dV : (..., T, e) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    Notes
    -----
    For the sake of short lines all T memories are held at once; the paper holds one at a time.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs", algorithm 1. Its S is our M.
    """
    check_self(Q, K, V)
    queries, keys, values = positive_features(Q), positive_features(K), _with_ones(V)
    memories = np.cumsum(keys[..., None] * values[..., None, :], axis=-3)
    dsums = _through_division(dZ, (queries[..., None, :] @ memories)[..., 0, :])
    seen_by = np.flip(queries[..., None] * dsums[..., None, :], axis=-3)
    dmemories = np.flip(np.cumsum(seen_by, axis=-3), axis=-3)
    dQ = positive_features_gradient((memories @ dsums[..., None])[..., 0], Q)
    dK = positive_features_gradient((dmemories @ values[..., None])[..., 0], K)
    dV = (keys[..., None, :] @ dmemories)[..., 0, :-1]
    return summed_to(dQ, Q), summed_to(dK, K), summed_to(dV, V)


def _with_ones(V):
    """Return V (..., S, e+1) with a column of ones behind it."""
    return np.concatenate([V, np.ones((*V.shape[:-1], 1), V.dtype)], axis=-1)


def _through_division(dZ, sums):
    """Return [dU, dn] (..., T, e+1), the gradients of the sums [U, n] that make Z = U / n."""
    U, n = sums[..., :-1], np.where(sums[..., -1:] > 0, sums[..., -1:], 1)
    check_gradient(U.shape, dZ=dZ)
    return np.concatenate([dZ / n, -(dZ * U).sum(axis=-1, keepdims=True) / n**2], axis=-1)
