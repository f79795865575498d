"""A language model that sees a window of tokens, through one hidden layer, with its gradient by hand."""

import numpy as np

from clearhead.contracts import checked

from .softmax import softmax


def _one_hot(ids, words, dtype):
    """Return (B, W words): a row for each window, with a 1 for each of its tokens, place by place."""
    rows = np.zeros((len(ids), ids.shape[1] * words), dtype)
    np.put_along_axis(rows, ids + words * np.arange(ids.shape[1]), 1.0, axis=1)
    return rows


@checked
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
