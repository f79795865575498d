"""A mixture of experts: many feed-forward parts, of which each token goes through a few."""

import numpy as np

from clearhead.contracts import checked

from .activations import relu
from .softmax import softmax


@checked
def top_k_gates(scores, k):
    """Return for each token the weights of its k best experts, which sum to 1; all others get 0.

        gates = softmax of the k highest scores,   0 elsewhere

    Parameters
    ----------
    scores : (..., E) float
        How well each of the E experts suits each token.
    k : () int from 1
        How many experts a token goes through. Where scores are equal, the first experts are taken.

    Returns
    -------
    gates : (..., E) float

    References
    ----------
    Shazeer et al. (2017), "Outrageously large neural networks: the sparsely-gated mixture-of-experts layer",
    eqs. 3 to 5, without the noise.
    """
    best = np.argsort(-scores, axis=-1, kind="stable")[..., :k]
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, best, True, axis=-1)
    return softmax(np.where(chosen, scores, -np.inf))


@checked
def balance_loss(scores, gates):
    """Return how unevenly the experts are used: 1 where all are used alike, up to E where one does all.

        loss = E Σ_e f_e P_e,   f: shares of the choices,   P: the mean of softmax(scores)

    Parameters
    ----------
    scores : (T, E) float, T from 1
        What `top_k_gates` got.
    gates : (T, E) float
        What it gave: an expert with a gate above 0 was chosen.

    Returns
    -------
    loss : () float
        Only P has a gradient: f counts.

    Raises
    ------
    ValueError
        If there is not at least one token, or types and shapes do not fit.

    References
    ----------
    Fedus, Zoph & Shazeer (2022), "Switch transformers", eqs. 4 to 6, here for any k.
    """
    chosen = (gates > 0).astype(scores.dtype)
    used = chosen.sum(axis=0) / chosen.sum()
    return scores.shape[-1] * (used * softmax(scores).mean(axis=0)).sum()


@checked
def mixture_of_experts(x, parameters, k, activation=relu):
    """Return each token after its k best experts, weighted by their gates, and the gates.

        y = Σ_e gates_e activation(x W_up^e) W_down^e,   gates = top_k_gates(x W_router, k)

    Parameters
    ----------
    x : (..., D) float
    parameters : dict
        - router.weight : (D, E) float
        - up.weight : (E, D, F) float
        - down.weight : (E, F, D) float
    k : () int from 1
        How many experts a token goes through.
    activation : function, optional

    Returns
    -------
    y : (..., D) float
    gates : (..., E) float

    Notes
    -----
    Here every expert computes for every token, and most results are multiplied by 0: easy to read, and no
    gain. A fast program gathers the tokens of each expert first.

    References
    ----------
    Shazeer et al. (2017), eq. 1.
    """
    gates = top_k_gates(x @ parameters["router"]["weight"], k)
    hidden = activation(np.einsum("...d,edf->...ef", x, parameters["up"]["weight"]))
    each = np.einsum("...ef,efd->...ed", hidden, parameters["down"]["weight"])
    return (gates[..., None] * each).sum(axis=-2), gates
