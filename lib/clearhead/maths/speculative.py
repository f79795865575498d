"""Speculative decoding: a small model drafts, a large one decides, and the text is the large one's."""

import numpy as np

from clearhead.contracts import checked

from .sampling import sample


@checked
def acceptance(p, q):
    """Return how often a word that was drafted with q is kept where p decides.

        Σ_v min(p_v, q_v) = 1 - the total variation distance between p and q

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those of the draft.

    Returns
    -------
    share : (...) float
        From 0 to 1.

    References
    ----------
    Leviathan, Kalman and Matias (2023), "Fast inference from transformers via speculative decoding", 3.1.
    """
    return np.minimum(p, q).sum(axis=-1)


@checked
def remainder(p, q):
    """Return what is drawn from when a drafted word was refused.

        max(p - q, 0) / Σ max(p - q, 0),   and p where nothing remains

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those of the draft.

    Returns
    -------
    rest : (..., V) float
        1 in sum: what the draft says too seldom.
    """
    rest = np.maximum(p - q, 0)
    total = rest.sum(axis=-1, keepdims=True)
    return np.where(total > 0, rest / np.where(total > 0, total, 1), p)


@checked
def speculative_choice(p, q, drafted, rng):
    """Return the word that is said: the drafted one with probability min(1, p / q), else another one.

        P(said = v) = q_v min(1, p_v / q_v) + (1 - acceptance) remainder_v = p_v

    Parameters
    ----------
    p : (..., V) float from 0
        The probabilities of the large model.
    q : (..., V) float from 0, no broadcasting
        Those that the drafted words were drawn with.
    drafted : (...) int from 0 to V - 1
        One word a row.
    rng : numpy.random.Generator
        Where the draws come from: two numbers a row.

    Returns
    -------
    said : (...) int
        Distributed as p. A refused word never comes back: where p is below q, nothing remains.

    References
    ----------
    Leviathan, Kalman and Matias (2023), algorithm 1. Chen et al. (2023), "Accelerating large language model
    decoding with speculative sampling".
    """
    drafted = np.asarray(drafted)
    place = drafted[..., None]
    large, small = (np.take_along_axis(each, place, axis=-1)[..., 0] for each in (p, q))
    kept = rng.random(drafted.shape) * small < large
    with np.errstate(divide="ignore"):
        others = np.log(remainder(p, q))
    return np.where(kept, drafted, sample(others, rng))


@checked
def words_a_round(share, drafted):
    """Return how many words one reading of the large model brings, where each draft is kept with one chance.

        1 + α + α² + ... + αᵏ

    Parameters
    ----------
    share : () float from 0 to 1
        α, the acceptance.
    drafted : () int from 0
        k, the words drafted in a round.

    Returns
    -------
    words : () float
        From 1 (nothing was kept) to k + 1.

    References
    ----------
    Leviathan, Kalman and Matias (2023), equation 1.
    """
    return sum(share**kept for kept in range(drafted + 1))
