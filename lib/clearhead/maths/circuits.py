"""What a head does: scores for two kinds of heads, and a model in which one head is silent."""

import numpy as np

from .shapes import check_rows


def previous_token_score(A):
    """Return how much, on average, each token looks at the one just before it.

        mean over t >= 1 of A[t, t - 1]

    Parameters
    ----------
    A : (..., T, T) float
        Attention weights; rows are the tokens that look.

    Returns
    -------
    score : (...) float
        Between 0 and 1. Token 0 has no token before it, and does not count.

    Raises
    ------
    ValueError
        Where there are fewer than two tokens.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads".
    """
    check_rows(A=A)
    if A.shape[-1] < 2:
        raise ValueError(f"A of shape {A.shape} has no token with one before it: give at least two tokens.")
    return np.diagonal(A, -1, -2, -1).mean(axis=-1)


def induction_score(A, period):
    """Return how much, on average, each token looks at the one that came after it one period ago.

        mean over t >= p of A[t, t - p + 1]

    Parameters
    ----------
    A : (..., T, T) float
        Attention weights on a text that repeats; rows are the tokens that look.
    period : () int
        p: after so many tokens the text begins again.

    Returns
    -------
    score : (...) float
        Between 0 and 1. Tokens of the first period do not count: they have nothing to repeat.

    Raises
    ------
    ValueError
        Where the period is not between 2 and T - 1, so always with fewer than three tokens.

    Notes
    -----
    With a period of 1 every token would have to look at itself: this says nothing, so it is refused.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads": their prefix matching score.
    """
    check_rows(A=A)
    if not 2 <= period < A.shape[-1]:
        raise ValueError(f"A period of {period} does not fit {A.shape[-1]} tokens: take one from 2 to T - 1.")
    return np.diagonal(A, 1 - period, -2, -1)[..., 1:].mean(axis=-1)


def prefix_matching_score(A, ids):
    """Return how much, on average, each token looks at what came after its own earlier places.

        mean over t with an earlier place of Σ_s A[t, s],   over 1 <= s <= t with ids[s - 1] = ids[t]

    Parameters
    ----------
    A : (..., T, T) float
        Attention weights; rows are the tokens that look.
    ids : (T,) int
        Any text: it need not repeat itself as a whole.

    Returns
    -------
    score : (...) float
        Between 0 and 1; 0 where no token comes twice.

    Raises
    ------
    ValueError
        Where there is not one row and one column of A for each token.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads": prefix matching.
    """
    check_rows(A=A)
    if A.shape[-2:] != (len(ids), len(ids)):
        raise ValueError(f"A has shape {A.shape}, but there are {len(ids)} tokens: it needs a row for each.")
    ids = np.asarray(ids)
    after = np.zeros((len(ids), len(ids)), dtype=bool)
    after[:, 1:] = np.tril(ids[:, None] == ids[None, :], -1)[:, :-1]
    again = after.any(axis=-1)
    return np.where(after, A, 0.0).sum(axis=(-1, -2)) / max(again.sum(), 1)


def without_head(parameters, block, head, num_heads):
    """Return the parameters of a model in which one head is silent: it looks, but what it writes is zero.

        W_o[h d : (h + 1) d] = 0

    Parameters
    ----------
    parameters : dict of attention_only
        Or of `gpt`: any model with a list of blocks, each an attention or with one in it.
    block : () int
        Which block, counted from 0.
    head : () int
        Which head of it, counted from 0.
    num_heads : () int
        How many heads, H.

    Returns
    -------
    parameters : dict of attention_only
        Or of `gpt`. New where it differs, and the same arrays everywhere else.

    Raises
    ------
    IndexError
        Where there is no such block or head.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads": ablations.
    """
    if not 0 <= head < num_heads:
        raise IndexError(f"There is no head {head}: the heads are 0 to {num_heads - 1}.")
    blocks = list(parameters["blocks"])
    inside = "attention" in blocks[block]
    attention = blocks[block]["attention"] if inside else blocks[block]
    weight = attention["output"]["weight"].copy()
    weight.reshape(num_heads, -1, weight.shape[-1])[head] = 0
    silent = attention | {"output": attention["output"] | {"weight": weight}}
    blocks[block] = blocks[block] | {"attention": silent} if inside else silent
    return parameters | {"blocks": blocks}
