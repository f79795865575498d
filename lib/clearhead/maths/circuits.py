"""Attention-only transformers: what each head attends to, and what it adds to the residual stream."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .attention import scaled_dot_product_attention
from .heads import multi_head_attention, split_heads
from .layers import embed, linear
from .masks import causal_mask
from .positions import learned_positions
from .vectors import unit_vectors


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


@checked
def sparse_autoencoder(x, parameters, num_active):
    """Return hidden states reconstructed from at most k active features, and the features' activations.

        f = TopK(relu((x - b) W_e + b_e)),   x̂ = f W_d + b

    Parameters
    ----------
    x : (..., T, D) float
        The hidden states of a model.
    parameters : dict
        - encoder.weight : (D, F) float
        - encoder.bias : (F,) float
        - decoder.weight : (F, D) float
          The dictionary W_d: each row is the direction of one feature.
        - decoder.bias : (D,) float
          The vector b, which is subtracted first and added again at the end.
    num_active : () int from 1
        The largest number k of features that are active in one state. All others are set to 0.

    Returns
    -------
    x_hat : (..., T, D) float
    codes : (..., T, F) float
        The activations f, none of which is negative.

    References
    ----------
    Gao et al. (2024), "Scaling and evaluating sparse autoencoders". Bricken et al. (2023),
    "Towards monosemanticity", subtract the bias of the decoder first.
    """
    codes = np.maximum(linear(x - parameters["decoder"]["bias"], **parameters["encoder"]), 0)
    smallest = np.argsort(-codes, axis=-1, kind="stable")[..., num_active:]
    np.put_along_axis(codes, smallest, 0, axis=-1)
    return linear(codes, **parameters["decoder"]), codes


@checked
@in_float32
def feature_recovery(planted, found):
    """Return, for each planted direction, its largest cosine with a found one.

        r_i = max_j cos(planted_i, found_j)

    Parameters
    ----------
    planted : (T, D) float
        The true directions, one in each row.
    found : (S, D) float
        The directions of a dictionary.

    Returns
    -------
    recovery : (T,) float
        1 where a direction was found exactly. Without any found direction, -1.

    References
    ----------
    Sharkey, Braun & Millidge (2022), "Taking features out of superposition with sparse autoencoders": the
    mean of these numbers is its mean max cosine similarity.
    """
    return np.max(unit_vectors(planted) @ unit_vectors(found).T, axis=-1, initial=-1)
