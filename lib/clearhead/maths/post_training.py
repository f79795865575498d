"""Learning from preferences and from rewards, and a small language model to try both on."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .softmax import log_softmax, softmax


@checked
@in_float32
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
@in_float32
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
@in_float32
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


@checked
def group_advantages(rewards, epsilon=1e-4):
    """Return how much better each try was than the others at the same question.

        a = (r - mean of the group) / (spread of the group + ε)

    Parameters
    ----------
    rewards : (..., G) float
        One row a question, one number a try.
    epsilon : () float, optional
        Keeps a group whose tries are all alike from dividing by 0: its advantages are 0.

    Returns
    -------
    advantages : (..., G) float
        Each row has the mean 0. A constant added to all rewards changes nothing.

    References
    ----------
    Shao et al. (2024), "DeepSeekMath", section 4.1. Liu et al. (2025), "Understanding R1-zero-like training",
    leave the spread out.
    """
    above = rewards - rewards.mean(axis=-1, keepdims=True)
    return above / ((above**2).mean(axis=-1, keepdims=True) ** 0.5 + epsilon)


def _one_hot(ids, words, dtype):
    """Return (B, W words): a row for each window, with a 1 for each of its tokens, place by place."""
    rows = np.zeros((len(ids), ids.shape[1] * words), dtype)
    np.put_along_axis(rows, ids + words * np.arange(ids.shape[1]), 1.0, axis=1)
    return rows


@checked
@in_float32
def window_logits(ids, parameters):
    """Return the scores of the next token after each window.

        h = tanh(Σ_w up_w[ids_w] + bias),   logits = h W_down

    Parameters
    ----------
    ids : (B, W) int from 0 to V-1
        The last W tokens before each place.
    parameters : dict
        - up.weight : (W, V, F) float
        - up.bias : (F,) float
        - down.weight : (F, V) float

    Returns
    -------
    logits : (B, V) float

    References
    ----------
    Bengio et al. (2003), "A neural probabilistic language model", without its shared word vectors.
    """
    up, (W, V, F) = parameters["up"], parameters["up"]["weight"].shape
    hidden = np.tanh(_one_hot(ids, V, up["weight"].dtype) @ up["weight"].reshape(W * V, F) + up["bias"])
    return hidden @ parameters["down"]["weight"]


@checked
@in_float32
def window_gradient(ids, targets, weights, parameters):
    """Return the gradient of a weighted surprise: Σ over windows of weight times -ln P(target).

        dlogits = weight (softmax(logits) - one-hot of the target),   then back through both maps

    Parameters
    ----------
    ids : (B, W) int from 0 to V-1
        The windows.
    targets : (B,) int from 0 to V-1
        What came next.
    weights : (B,) float
        How much each target counts: 0 in a prompt, and an advantage, of either sign, where there is a reward.
    parameters : dict
        - up.weight : (W, V, F) float
        - up.bias : (F,) float
        - down.weight : (F, V) float

    Returns
    -------
    gradient : dict
        Shaped like the parameters.

    References
    ----------
    Williams (1992), "Simple statistical gradient-following algorithms for connectionist reinforcement
    learning", eq. 4, where the weights are advantages. With equal weights it is that of the cross-entropy.
    """
    up, down = parameters["up"], parameters["down"]["weight"]
    W, V, F = up["weight"].shape
    x = _one_hot(ids, V, down.dtype)
    hidden = np.tanh(x @ up["weight"].reshape(W * V, F) + up["bias"])
    dlogits = weights[:, None] * (softmax(hidden @ down) - np.eye(V, dtype=down.dtype)[targets])
    dz = dlogits @ down.T * (1 - hidden**2)
    first = {"weight": (x.T @ dz).reshape(W, V, F), "bias": dz.sum(axis=0)}
    return {"up": first, "down": {"weight": hidden.T @ dlogits}}
