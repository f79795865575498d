"""Learning from preferences: which of two answers did somebody like better?"""

import numpy as np

from clearhead.contracts import checked

from .softmax import log_softmax, softmax


@checked
def preference_loss(chosen, rejected):
    """Return the mean surprise at who won, where the better rewarded answer wins more often.

        loss = mean of -ln p,   p = 1 / (1 + exp(-(reward of the chosen - reward of the rejected)))

    Parameters
    ----------
    chosen : (T,) float, T from 1, no broadcasting
        The rewards of the answers that won, one a pair.
    rejected : (T,) float, no broadcasting
        The rewards of those that lost.

    Returns
    -------
    loss : () float
        In nats. ln 2 where nothing can be told apart.

    Raises
    ------
    ValueError
        With fewer than one pair: a mean of nothing is no number.

    References
    ----------
    Bradley & Terry (1952), "Rank analysis of incomplete block designs".
    """
    return np.logaddexp(0, rejected - chosen).mean()


@checked
def dpo_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    """Return the preference loss of the rewards that a policy has by itself, without a reward model.

        loss = preference_loss of the rewards β (ln π - ln π_ref)

    Parameters
    ----------
    chosen : (T,) float, T from 1, no broadcasting
        ln π of the answers that won: the logarithm of the probability of the whole answer.
    rejected : (T,) float, no broadcasting
        ln π of those that lost.
    reference_chosen : (T,) float, no broadcasting
        ln π_ref of the answers that won, for the model from which we began.
    reference_rejected : (T,) float, no broadcasting
        ln π_ref of those that lost.
    beta : () float above 0, optional
        How dear it is to leave the reference.

    Returns
    -------
    loss : () float

    Raises
    ------
    ValueError
        With fewer than one pair: a mean of nothing is no number.

    References
    ----------
    Rafailov et al. (2023), "Direct preference optimization", eq. 7.
    """
    return preference_loss(beta * (chosen - reference_chosen), beta * (rejected - reference_rejected))


@checked
def best_policy(reference, reward, beta=0.1):
    """Return the policy with the largest mean reward minus β times its distance from the reference.

        π = π_ref exp(r/β) / Z,   the best of E_π[r] - β KL(π, π_ref)

    Parameters
    ----------
    reference : (..., V) float
        Logits of π_ref: its probabilities are their softmax.
    reward : (..., V) float
        The reward r of each answer.
    beta : () float above 0, optional

    Returns
    -------
    policy : (..., V) float
        Probabilities.

    References
    ----------
    Rafailov et al. (2023), eq. 4; Ziebart et al. (2008) and others before.
    """
    return softmax(log_softmax(reference) + reward / beta)
