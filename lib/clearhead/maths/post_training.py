"""Learning from preferences and from rewards, and a small language model on which to try both."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .softmax import log_softmax, softmax


@checked
@in_float32
def preference_loss(chosen, rejected):
    """Return the mean surprisal of the preferences, if answers with a higher reward win more often.

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
    """Return the DPO loss: the preference loss of the implicit rewards of a policy, without a reward model.

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
def kl_regularized_policy(reference, reward, beta=0.1):
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
def grpo_advantages(rewards, eps=1e-4):
    """Return how much better each completion is than the mean of its group, in standard deviations.

        a = (r - mean of the group) / (standard deviation of the group + ε)

    The mean and the standard deviation are those of all G tries, the try itself included, and the variance
    divides by G. TRL and other libraries take `torch.std`, which divides by G - 1.

    Parameters
    ----------
    rewards : (..., G) float
        One row per question, one entry per try.
    eps : () float, optional
        Keeps a group whose tries all have the same reward from dividing by 0: its advantages are 0.

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
    return above / ((above**2).mean(axis=-1, keepdims=True) ** 0.5 + eps)


@checked
def grpo_loss(log_p, old_log_p, reference_log_p, advantages, completion_mask, epsilon=0.2, beta=0.04):
    """Return the GRPO loss: clipped probability ratios, a KL penalty, and a mean over each completion.

        loss = - 1/G Σ_i 1/n_i Σ_t [ min(ρ a_i, clip(ρ, 1-ε, 1+ε) a_i) - β (e^{-k} + k - 1) ]

        ρ = π/π_old of token t of try i,   k = ln(π/π_ref),   n_i: how many tokens of try i count

    Parameters
    ----------
    log_p : (G, T) float, G from 1
        ln π of each token of each try, under the policy that is trained.
    old_log_p : (G, T) float, no broadcasting
        The same under the policy that drew the tries: it stays fixed during the inner steps.
    reference_log_p : (G, T) float, no broadcasting
        The same under the model that the policy should stay near.
    advantages : (G,) float, no broadcasting
        One per try, such as `grpo_advantages` of its reward.
    completion_mask : (G, T) bool, no broadcasting
        True for the tokens that the policy wrote; False for the prompt and for padding.
    epsilon : () float from 0, optional
        How far a ratio may move away from 1 before a token gains nothing more by it. 0.2 in PPO.
    beta : () float from 0, optional
        The price of leaving the reference.

    Returns
    -------
    loss : () float

    Notes
    -----
    TRL calls ε `epsilon`, β `beta` and the number of inner steps `num_iterations`. Dividing by n_i, the
    length of the try, makes each token of a long wrong answer count less than one of a short wrong answer;
    Liu et al. (2025) divide by a constant instead, and leave out the standard deviation of the advantages
    ("Dr. GRPO").

    References
    ----------
    Shao et al. (2024), "DeepSeekMath", eq. 3, and eq. 4 for the KL term, which is Schulman's estimator. The
    clipped ratio is that of Schulman et al. (2017), "Proximal policy optimization algorithms", eq. 7.
    """
    ratio, k = np.exp(log_p - old_log_p), log_p - reference_log_p
    a = advantages[:, None]
    gain = np.minimum(ratio * a, np.clip(ratio, 1 - epsilon, 1 + epsilon) * a)
    each = np.where(completion_mask, gain - beta * (np.exp(-k) + k - 1), 0.0)  # (G, T)
    lengths = np.maximum(completion_mask.sum(axis=1, dtype=log_p.dtype), 1)
    return -(each.sum(axis=1) / lengths).mean()


@checked
def grpo_weights(log_p, old_log_p, reference_log_p, advantages, completion_mask, epsilon=0.2, beta=0.04):
    """Return the weight of each token in a step of GRPO: minus the gradient of `grpo_loss` in log_p.

        weight = 1/(G n_i) [ ρ a_i where the clip does not bind, 0 elsewhere,   + β (e^{-k} - 1) ]

    The clip binds where ρ > 1 + ε and a_i > 0, or where ρ < 1 - ε and a_i < 0. On the first inner step
    every ρ is 1, nothing is clipped, and the first term is a_i: the plain policy gradient.

    Parameters
    ----------
    log_p : (G, T) float, G from 1
        As in `grpo_loss`, like all other arguments.
    old_log_p : (G, T) float, no broadcasting
    reference_log_p : (G, T) float, no broadcasting
    advantages : (G,) float, no broadcasting
    completion_mask : (G, T) bool, no broadcasting
    epsilon : () float from 0, optional
    beta : () float from 0, optional

    Returns
    -------
    weights : (G, T) float
        What `window_gradient` takes as the weight of each target.

    References
    ----------
    Shao et al. (2024), "DeepSeekMath", eqs. 3 and 4.
    """
    ratio, k = np.exp(log_p - old_log_p), log_p - reference_log_p
    a = advantages[:, None]
    bound = np.where(a > 0, ratio > 1 + epsilon, ratio < 1 - epsilon)
    each = np.where(bound, 0.0, ratio * a) + beta * (np.exp(-k) - 1)
    size = len(log_p) * np.maximum(completion_mask.sum(axis=1, keepdims=True, dtype=log_p.dtype), 1)
    return np.where(completion_mask, each, 0.0) / size


def _one_hot(ids, words, dtype):
    """Return (B, W words): one row per window, the concatenated one-hot vectors of its tokens."""
    rows = np.zeros((len(ids), ids.shape[1] * words), dtype)
    np.put_along_axis(rows, ids + words * np.arange(ids.shape[1]), 1.0, axis=1)
    return rows


@checked
@in_float32
def window_logits(ids, parameters):
    """Return the logits of the next token after each window.

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
    """Return the gradient of a weighted surprisal, the sum over windows of weight times -ln P(target).

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
