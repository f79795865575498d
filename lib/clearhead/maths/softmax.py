"""From scores to weights: softmax, its logarithm, and its temperature."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
@in_float32
def softmax(scores):
    """Return the scores as positive weights that sum to 1 along the last axis.

        softmax(s)_j = exp(s_j - max s) / Σ_i exp(s_i - max s)

    Parameters
    ----------
    scores : (..., S) float, array or list
        Any real numbers. -inf gives weight 0; a row of -inf alone gives zeros.

    Returns
    -------
    weights : (..., S) float
        Each row sums to 1 (or is all zeros).

    Notes
    -----
    The maximum cancels; it keeps exp from overflowing. In a row of -inf alone, a finite number stands in.

    References
    ----------
    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs".
    """
    scores = 1.0 * np.asarray(scores)
    lowest = np.finfo(scores.dtype).min
    highest = scores.max(axis=-1, keepdims=True, initial=lowest)  # (..., 1)
    powers = np.exp(scores - highest)
    total = powers.sum(axis=-1, keepdims=True)  # (..., 1)
    return powers / np.where(total > 0, total, 1)


@checked
@in_float32
def log_softmax(scores):
    """Return the logarithm of softmax, without taking the logarithm of a rounded 0.

        log_softmax(s)_j = s_j - max s - log Σ_i exp(s_i - max s)

    Parameters
    ----------
    scores : (..., S) float, array or list
        Any real numbers. -inf gives -inf; a row of -inf alone gives -inf.

    Returns
    -------
    log_weights : (..., S) float
        At most 0. exp of each row sums to 1.

    References
    ----------
    Blanchard, Higham & Higham (2021), "Accurately computing the log-sum-exp and softmax functions".
    """
    scores = 1.0 * np.asarray(scores)
    lowest = np.finfo(scores.dtype).min
    highest = scores.max(axis=-1, keepdims=True, initial=lowest)  # (..., 1)
    total = np.exp(scores - highest).sum(axis=-1, keepdims=True)
    return scores - highest - np.log(np.where(total > 0, total, 1))


@checked
def scale_by_temperature(scores, temperature):
    """Return the scores divided by a temperature, ready for softmax.

        scale_by_temperature(s, T)_j = s_j / T

    Parameters
    ----------
    scores : (..., S) float
        At least one number a row.
    temperature : () float from 0
        Below 1 sharpens the softmax, above 1 flattens it. At 0 we take the limit: every score but the highest
        of its row becomes -inf, so that softmax picks the best; equal best scores share.

    Returns
    -------
    scores : (..., S) float

    References
    ----------
    Hinton, Vinyals & Dean (2015), "Distilling the knowledge in a neural network", eq. 1.
    """
    if temperature > 0:
        return scores / float(temperature)
    return np.where(scores < scores.max(axis=-1, keepdims=True), -np.inf, scores)
