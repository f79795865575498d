"""Low-rank adaptation: a large matrix is frozen, and two thin matrices learn its update."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
@in_float32
def lora_linear(x, weight, A, B, scale=1.0):
    """Return x times a frozen weight plus a trainable low-rank update.

        y = x W + s (x A) B

    Parameters
    ----------
    x : (..., T, D) float
    weight : (D, F) float
        The map W that was learned before, and is not changed.
    A : (D, d) float
        Down to d numbers: d is the rank.
    B : (d, F) float
        And up again. Zeros at the start, so that nothing changes at first.
    scale : () float, optional
        The factor s. In the paper it is α/d.

    Returns
    -------
    y : (..., T, F) float

    References
    ----------
    Hu et al. (2022), "LoRA: low-rank adaptation of large language models", eq. 3. Its B A is our A B, for our
    rows are tokens.
    """
    return x @ weight + scale * ((x @ A) @ B)


@checked
@in_float32
def merge_lora(weight, A, B, scale=1.0):
    """Return the single weight matrix that is equivalent to the three of `lora_linear`.

        W + s A B

    Parameters
    ----------
    weight : (D, F) float
    A : (D, d) float
    B : (d, F) float
    scale : () float, optional

    Returns
    -------
    weight : (D, F) float

    References
    ----------
    Hu et al. (2022), section 4.1, "no additional inference latency".
    """
    return weight + scale * (A @ B)


@checked
@in_float32
def low_rank_error(change, rank):
    """Return the smallest sum of squared errors of any approximation of this rank.

        floor = Σ s_i² over i > rank,   s: the singular values of the change, falling

    Parameters
    ----------
    change : (D, F) float
        The matrix that is to be met, such as the change of a weight.
    rank : () int from 0

    Returns
    -------
    floor : () float
        0 from the true rank on.

    References
    ----------
    Eckart & Young (1936), "The approximation of one matrix by another of lower rank".
    """
    return (np.linalg.svd(change, compute_uv=False)[rank:] ** 2).sum()
