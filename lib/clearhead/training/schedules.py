"""Learning-rate schedules: a factor for each training step."""

import math


def constant(step):
    """Return 1 for every step.

    Parameters
    ----------
    step : int
        The number of updates so far.

    Returns
    -------
    factor : float
        1.
    """
    return 1.0


def warmup_cosine(warmup, steps, min_lr_ratio=0.1):
    """Return a schedule that rises linearly and then falls along half a cosine.

        factor(t) = (t + 1) / (warmup + 1)                                        while t < warmup
        factor(t) = r + (1 - r) (1 + cos(π (t - warmup) / (steps - warmup))) / 2   after it

    with r = `min_lr_ratio`.

    Parameters
    ----------
    warmup : int
        How many steps to rise.
    steps : int
        When the lowest factor is reached; it stays there.
    min_lr_ratio : float
        The last factor: the smallest learning rate as a fraction of the largest.

    Returns
    -------
    schedule : function
        Takes the step, gives the factor.

    Raises
    ------
    ValueError
        If the warm-up does not end before the last step.

    References
    ----------
    Loshchilov and Hutter (2017), "SGDR: stochastic gradient descent with warm restarts", eq. 5;
    Vaswani et al. (2017), section 5.3, for the rise.
    """
    if not 0 <= warmup < steps:
        raise ValueError(
            f"The warm-up of {warmup} steps must end before the last of {steps}: make it shorter."
        )

    def schedule(step):
        if step < warmup:
            return (step + 1) / (warmup + 1)
        share = min((step - warmup) / (steps - warmup), 1.0)
        return min_lr_ratio + (1 - min_lr_ratio) * (1 + math.cos(math.pi * share)) / 2

    return schedule
