"""From logits to the next token: temperature, truncation of unlikely tokens, and sampling."""

import numpy as np

from clearhead.contracts import checked

from .softmax import softmax

ROUNDING = 1e-12  # 0.6 + 0.3 falls short of 0.9 by less than this


@checked
def temperature(logits, t):
    """Return the logits divided by a temperature and shifted, so that the largest of each row is 0.

        temperature(z, t)_v = (z_v - max z) / t

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers; -inf is a token that cannot come.
    t : () float from 0 to inf
        1 leaves softmax as it is, below 1 sharpens it, above 1 flattens it. At inf, all tokens that can come
        are equally likely. At 0, only the token stays that `greedy` takes: of equal logits, the first.

    Returns
    -------
    logits : (..., V) float
        At most 0.

    Notes
    -----
    Moving a row does not change its softmax, and keeps a small t from overflowing.

    References
    ----------
    Ackley, Hinton and Sejnowski (1985), "A learning algorithm for Boltzmann machines".
    """
    below = _below_the_largest(logits)
    if t == 0:
        return np.where(np.arange(below.shape[-1]) == greedy(below)[..., None], below, -np.inf)
    if t == np.inf:
        return np.where(below == -np.inf, below, 0.0)
    with np.errstate(over="ignore"):
        return below / t


def _below_the_largest(logits):
    logits = 1.0 * np.asarray(logits)
    return logits - logits.max(axis=-1, keepdims=True, initial=np.finfo(logits.dtype).min)


@checked
def top_k(logits, k):
    """Return the logits with all but the k largest set to -inf.

        top_k(z)_v = z_v if fewer than k tokens come before v, otherwise -inf

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers. Of equal ones, the smaller id comes first.
    k : () int from 1
        At least 1. More than V keeps all.

    Returns
    -------
    logits : (..., V) float
        Exactly min(k, V) of each row are unchanged.

    References
    ----------
    Fan, Lewis and Dauphin (2018), "Hierarchical neural story generation", section "Generation".
    """
    largest_first = np.argsort(-1.0 * np.asarray(logits), axis=-1, kind="stable")
    keep = np.zeros(largest_first.shape, dtype=bool)
    np.put_along_axis(keep, largest_first[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@checked
def top_p(logits, p):
    """Return the logits, with -inf outside the smallest set of likely tokens whose probability reaches p.

        top_p(z)_v = z_v if the tokens that come before v have mass less than p, otherwise -inf

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers. Of equal ones, the smaller id comes first.
    p : () float from 0 to 1
        Between 0 (keeps the likeliest token alone) and 1 (keeps all).

    Returns
    -------
    logits : (..., V) float
        At least one of each row is unchanged.

    Notes
    -----
    A mass that falls short of p by less than 1e-12 counts as p, so that probabilities .6 .3 .1 and
    p = .9 keep two tokens although .6 + .3 is rounded below .9.

    References
    ----------
    Holtzman et al. (2020), "The curious case of neural text degeneration", section 3.1.
    """
    if p == 1:
        return np.array(logits, dtype=float)
    largest_first = np.argsort(-1.0 * np.asarray(logits), axis=-1, kind="stable")
    weights = np.take_along_axis(softmax(np.asarray(logits, dtype=float)), largest_first, axis=-1)
    mass_before = np.cumsum(weights, axis=-1) - weights
    mass_before[..., :1] = -np.inf  # the likeliest token always stays
    keep = np.zeros(largest_first.shape, dtype=bool)
    np.put_along_axis(keep, largest_first, mass_before < p - ROUNDING, axis=-1)
    return np.where(keep, logits, -np.inf)


@checked
def min_p(logits, p_base):
    """Return the logits, with -inf for tokens less likely than a fraction of the most likely one.

        min_p(z)_v = z_v if P_v ≥ p_base · max P, otherwise -inf,   P = softmax(z)

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers.
    p_base : () float from 0 to 1
        0 keeps all, 1 the likeliest and its equals.

    Returns
    -------
    logits : (..., V) float
        At least one of each row is unchanged.

    References
    ----------
    Nguyen et al. (2025), "Turning up the heat: min-p sampling for creative and coherent LLM outputs".
    Schaeffer et al. (2025), "Turning down the heat", who did not find the gain again.
    """
    P = softmax(np.asarray(logits, dtype=float))
    least = p_base * P.max(axis=-1, keepdims=True) * (1 - 1e-12)  # 0.3 * 3 is rounded above 0.9
    return np.where(least <= P, logits, -np.inf)


@checked
def repetition_penalty(logits, generated_ids, penalty):
    """Return the logits with those of already generated tokens reduced, as in CTRL.

        z_v / penalty if z_v > 0, z_v · penalty otherwise, for each v among the generated tokens

    Parameters
    ----------
    logits : (V,) float from -inf, no row of -inf, array or list
        Any real numbers.
    generated_ids : (T,) int from 0 to V - 1, array or list
        The tokens so far; one that came twice counts once.
    penalty : () float from 1
        1 changes nothing.

    Returns
    -------
    logits : (V,) float

    Notes
    -----
    Softmax does not see a number added to all logits. This rule does: where 0 lies decides.

    References
    ----------
    Keskar et al. (2019), "CTRL: a conditional transformer language model", section 4.1.
    """
    logits = 1.0 * np.asarray(logits)
    z = logits[generated_ids]
    logits[generated_ids] = np.where(z > 0, z / penalty, z * penalty)
    return logits


@checked
def greedy(logits):
    """Return the token with the largest logit.

        argmax_v z_v

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers. Of equal ones, the smaller id wins.

    Returns
    -------
    tokens : (...) int
        One id a row.
    """
    return np.argmax(logits, axis=-1)


@checked
def sample(logits, rng):
    """Return one token per row, sampled with the probabilities softmax(logits).

        v = the first token with softmax(z)_0 + ... + softmax(z)_v > u,   u uniform in [0, 1)

    Parameters
    ----------
    logits : (..., V) float from -inf, no row of -inf, array or list
        Any real numbers; -inf is never drawn.
    rng : numpy.random.Generator
        Where the draws come from: one number a row.

    Returns
    -------
    tokens : (...) int
        One id a row.

    Raises
    ------
    ValueError
        If a row has no token that can come, or holds NaN.
    """
    reached = np.cumsum(softmax(np.asarray(logits, dtype=float)), axis=-1)
    total = reached[..., -1:]
    return (reached <= rng.random(total.shape) * total).sum(axis=-1)
