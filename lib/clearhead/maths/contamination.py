"""Contamination: whether a model has seen a test set during its training."""

import numpy as np

from clearhead.contracts import checked


@checked
def permutation_p_value(observed, permuted):
    """Return the probability of a score at least as high as the observed one, if no order was preferred.

        p = (1 + #{k : permuted_k ≥ observed}) / (1 + S)

    Parameters
    ----------
    observed : () float
        The score of the data as they are, such as the log-probability of a file in its published order.
    permuted : (S,) float
        The scores of S random orders.

    Returns
    -------
    p : () float
        From 1/(1 + S) to 1.

    Notes
    -----
    If all orders are equally probable in advance, the probability that p is at most α is at most α, for
    every α and every S: the test is exact. The 1 counts the observed order itself; without it, p could be 0.

    References
    ----------
    Phipson & Smyth (2010), "Permutation p-values should never be zero";
    Oren et al. (2024), "Proving test set contamination in black-box language models".
    """
    at_least = np.append(permuted >= observed, True)  # the observed order is one of them
    return at_least.mean(dtype=np.result_type(permuted.dtype, np.float16))
