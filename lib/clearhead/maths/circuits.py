"""Attention-only transformers: what each head attends to, and what it adds to the residual stream."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .attention import scaled_dot_product_attention
from .heads import multi_head_attention, split_heads
from .layers import embed, linear
from .masks import causal_mask
from .positions import learned_positions


@checked
def attention_only(ids, parameters, num_heads):
    """Return the logits of the next token at every position, computed by an attention-only transformer.

        x = tokens[id] + positions,   x = x + attention(x) for each block,   logits = x U

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict
        - tokens : (V, D) float
        - positions : (S, D) float
          One row for each position, up to the longest text S of the training.
        - blocks : list of dict of multi_head_attention
        - unembed.weight : (D, V) float
          The matrix U.
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    logits : (..., T, V) float

    Notes
    -----
    No norm and no feed-forward network: what the blocks write adds up, and nothing changes it.

    References
    ----------
    Elhage et al. (2021), "A mathematical framework for transformer circuits", section "Transformer overview".
    """
    # (..., T, D)
    x = embed(ids, parameters["tokens"]) + learned_positions(ids.shape[-1], parameters["positions"])
    for block in parameters["blocks"]:
        x = x + multi_head_attention(x, x, block, num_heads, causal_mask(ids.shape[-1]))[0]
    return linear(x, **parameters["unembed"])


@checked
def attention_weights(ids, parameters, num_heads):
    """Return the attention weights of every head of every block.

        A^l = softmax(Q Kᵀ / √d),   Q and K from what the blocks before l left in the stream

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict of attention_only
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    A : (L, ..., H, T, T) float
    """
    # (..., T, D)
    x = embed(ids, parameters["tokens"]) + learned_positions(ids.shape[-1], parameters["positions"])
    maps = []
    for block in parameters["blocks"]:
        Z, A = multi_head_attention(x, x, block, num_heads, causal_mask(ids.shape[-1]))
        x, maps = x + Z, [*maps, A]
    return np.stack(maps)


@checked
@in_float32
def decompose_residual_stream(ids, parameters, num_heads):
    """Return every contribution to the residual stream, one per component of the model.

        x = tokens[id] + positions + Σ_l (b^l + Σ_h A^h V^h W_o^h)

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict of attention_only
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    parts : (L·H+L+2, ..., T, D) float
        The tokens, the positions, and for each block what its H heads write, then its output bias (zeros
        where it has none). Their sum is x after the last block.

    References
    ----------
    Elhage et al. (2021), "A mathematical framework for transformer circuits", section "Attention heads are
    independent and additive".
    """
    tokens, mask = embed(ids, parameters["tokens"]), causal_mask(ids.shape[-1])
    parts = [tokens, np.broadcast_to(learned_positions(ids.shape[-1], parameters["positions"]), tokens.shape)]
    for block in parameters["blocks"]:
        x = sum(parts)
        Q, K, V = (split_heads(linear(x, **block[name]), num_heads) for name in ("query", "key", "value"))
        Z = scaled_dot_product_attention(Q, K, V, mask)[0]
        W_o = block["output"]["weight"].reshape(num_heads, Z.shape[-1], -1)  # (H, d, D)
        parts += list(np.moveaxis(Z @ W_o, -3, 0))  # H times (..., T, D)
        parts.append(np.broadcast_to(block["output"].get("bias", 0.0), x.shape))
    return np.stack(parts)


@checked
@in_float32
def previous_token_score(A):
    """Return the mean attention weight that each token gives to the one just before it.

        mean over t >= 1 of A[t, t - 1]

    Parameters
    ----------
    A : (..., T, T) float, T from 2
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
    return np.diagonal(A, -1, -2, -1).mean(axis=-1)


@checked
@in_float32
def induction_score(A, period):
    """Return the mean attention weight that each token gives to the token after its copy one period earlier.

        mean over t >= p of A[t, t - p + 1]

    Parameters
    ----------
    A : (..., T, T) float
        Attention weights on a text that repeats; rows are the tokens that look.
    period : () int from 2 to T-1
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
    return np.diagonal(A, 1 - period, -2, -1)[..., 1:].mean(axis=-1)


@checked
@in_float32
def prefix_matching_score(A, ids):
    """Return the mean attention weight that each token gives to the tokens after its earlier occurrences.

        mean over t with an earlier place of Σ_s A[t, s],   over 1 <= s <= t with ids[s - 1] = ids[t]

    Parameters
    ----------
    A : (..., T, T) float
        Attention weights; rows are the tokens that look.
    ids : (T,) int, array or list
        Any text: it need not repeat itself as a whole.

    Returns
    -------
    score : (...) float
        Between 0 and 1; 0 where no token comes twice.

    References
    ----------
    Olsson et al. (2022), "In-context learning and induction heads": prefix matching.
    """
    ids = np.asarray(ids)
    after = np.zeros((len(ids), len(ids)), dtype=bool)
    after[:, 1:] = np.tril(ids[:, None] == ids[None, :], -1)[:, :-1]
    again = after.any(axis=-1)
    return np.where(after, A, 0.0).sum(axis=(-1, -2)) / max(int(again.sum()), 1)


@checked
def ablate_head(parameters, block, head, num_heads):
    """Return the parameters of a model with one head ablated: it still attends, but its output is zero.

        W_o[h d : (h + 1) d] = 0

    Parameters
    ----------
    parameters : dict
        Those of any model with a list of blocks, each an attention or with one in it: `attention_only`, `gpt`
        or `llama`.
    block : () int
        Which block, counted from 0.
    head : () int
        Which head of it, counted from 0.
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    parameters : dict
        New where it differs, and the same arrays everywhere else.

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
