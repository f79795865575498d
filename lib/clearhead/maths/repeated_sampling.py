"""Drawing several answers and returning one of them."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
@in_float32
def best_of_n(probabilities, scores, n):
    """Return the probability that each answer is the best of n independent samples, as a judge scores them.

        P(i) = p_i / (F_i - F_i') · (F_i^n - F_i'^n)

        F_i: the probability of a score of at most s_i,   F_i': of a score below s_i

    The best score of n samples is at most s if all n of them are. Answers with equal scores are told apart
    at random, so that they divide the probability of their common score in proportion to p.

    Parameters
    ----------
    probabilities : (V,) float from 0
        How often the model gives each answer: 1 in sum.
    scores : (V,) float, no broadcasting
        What the judge thinks of each answer.
    n : () int from 1
        How many answers are sampled.

    Returns
    -------
    best : (V,) float
        1 in sum, and equal to `probabilities` for n = 1.

    References
    ----------
    Beirami et al. (2024), "Theoretical guarantees on the best-of-n alignment policy", section 2, for scores
    that all differ. Gao, Schulman & Hilton (2023) measure best of n with a learned reward.
    """
    _, level = np.unique(scores, return_inverse=True)
    mass = np.bincount(level, probabilities).astype(probabilities.dtype)  # of each score, in ascending order
    at_most = np.minimum(mass.cumsum(), 1)
    below = np.concatenate([np.zeros_like(at_most[:1]), at_most[:-1]])
    share = np.where(mass > 0, (at_most**n - below**n) / np.where(mass > 0, mass, 1), 0)
    return probabilities * share[level]
