"""Learning from a reward that can be checked: several tries at one question, compared with each other."""

from clearhead.contracts import checked


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
