"""A current language model of the Llama family, and the mixture of experts of its larger relatives."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .attention import scaled_dot_product_attention
from .heads import merge_heads, split_heads
from .layers import embed, linear, relu, rms_norm
from .positions import apply_rotary, rotary_angles
from .softmax import softmax
from .transformer import gated_feed_forward


@checked
def llama_attention(x, parameters, num_heads, angles, keys, values, attention_mask=None):
    """Return the attention output of each new token, the attention weights, and the keys and values to cache.

        K = [K_past, rotary(x W_k)],   V = [V_past, x W_v],   head_h = attention(rotary(x W_q^h), K^g, V^g)

    Parameters
    ----------
    x : (..., T, D) float
        The new tokens.
    parameters : dict
        - query.weight : (D, H·d) float
        - key.weight : (D, G·d) float
        - value.weight : (D, G·d) float
        - output.weight : (H·d, D) float
    num_heads : () int H from 1, H/G whole
        How many heads, H. Those of a group share keys and values: g = ⌊h G / H⌋.
    angles : (T, d/2) float
        Of the new tokens, from `rotary_angles`.
    keys : (..., G, S, d) float
        What was kept of the S tokens before. At the start, S = 0.
    values : (..., G, S, d) float
    attention_mask : (..., S+T) bool, no broadcasting, optional
        True at the real tokens of a padded batch, those before included.

    Returns
    -------
    Z : (..., T, D) float
    A : (..., H, T, S+T) float
    keys : (..., G, S+T, d) float
    values : (..., G, S+T, d) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2, with the
    groups of Ainslie et al. (2023).
    """
    past, groups = keys.shape[-2], keys.shape[-3]
    Q = apply_rotary(split_heads(linear(x, **parameters["query"]), num_heads), angles)  # (..., H, T, d)
    K = apply_rotary(split_heads(linear(x, **parameters["key"]), groups), angles)  # (..., G, T, d)
    V = split_heads(linear(x, **parameters["value"]), groups)  # (..., G, T, d)
    K, V = np.concatenate([keys, K], axis=-2), np.concatenate([values, V], axis=-2)
    mask = np.tri(x.shape[-2], K.shape[-2], past, dtype=bool)  # (T, S+T)
    mask = mask if attention_mask is None else mask & attention_mask[..., None, None, :]
    together = num_heads // groups  # heads of a group: they ask in a row, of the same keys
    asked = Q.reshape(*K.shape[:-2], together * x.shape[-2], K.shape[-1])  # (..., G, H/G·T, d)
    Z, A = scaled_dot_product_attention(asked, K, V, np.concatenate([mask] * together, axis=-2))
    Z, A = Z.reshape(Q.shape), A.reshape(*Q.shape[:-1], K.shape[-2])
    return linear(merge_heads(Z), **parameters["output"]), A, K, V


@checked
def llama_block(x, parameters, num_heads, angles, keys, values, attention_mask=None):
    """Return the new tokens after one block, its attention weights, and the keys and values to cache.

        x = x + attention(norm(x)),   y = x + gated_feed_forward(norm(x))

    Parameters
    ----------
    x : (..., T, D) float
        The new tokens.
    parameters : dict
        - attention_norm.gain : (D,) float
        - attention : dict of llama_attention
        - feed_forward_norm.gain : (D,) float
        - feed_forward : dict of gated_feed_forward
    num_heads : () int H from 1, H/G whole
        How many heads, H.
    angles : (T, d/2) float
        Of the new tokens.
    keys : (..., G, S, d) float
        What was kept of the S tokens before.
    values : (..., G, S, d) float
    attention_mask : (..., S+T) bool, no broadcasting, optional
        True at the real tokens of a padded batch, those before included.

    Returns
    -------
    y : (..., T, D) float
    A : (..., H, T, S+T) float
    keys : (..., G, S+T, d) float
    values : (..., G, S+T, d) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2.
    """
    h = rms_norm(x, **parameters["attention_norm"])
    attention = parameters["attention"]
    Z, A, keys, values = llama_attention(h, attention, num_heads, angles, keys, values, attention_mask)
    x = x + Z
    h = rms_norm(x, **parameters["feed_forward_norm"])
    return x + gated_feed_forward(h, parameters["feed_forward"]), A, keys, values


@checked
def llama(ids, parameters, num_heads, num_groups, base=10000.0, attention_mask=None):
    """Return the logits of the next token at every position.

        x = tokens[id],   x = block(x) for each block,   logits = norm(x) tokensᵀ

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict
        - tokens : (V, D) float
        - blocks : list of dict of llama_block
        - norm.gain : (D,) float
    num_heads : () int H from 1, H/G whole
        How many heads, H.
    num_groups : () int G from 1
        How many of them have keys and values of their own.
    base : () float, optional
        Of the rotary positions.
    attention_mask : (..., T) bool, no broadcasting, optional
        True at the real tokens of a padded batch. Positions need not be given: rotary ones enter only as
        distances, and padding in front changes no distance.

    Returns
    -------
    logits : (..., T, V) float

    References
    ----------
    Touvron et al. (2023), "LLaMA: open and efficient foundation language models", section 2.2, with one table
    for reading and for scoring.
    """
    x = embed(ids, parameters["tokens"])  # (..., T, D)
    for block in parameters["blocks"]:
        d_k = block["attention"]["key"]["weight"].shape[-1] // num_groups
        nothing = np.zeros((*x.shape[:-2], num_groups, 0, d_k), dtype=x.dtype)
        angles = rotary_angles(ids.shape[-1], d_k, base)
        x = llama_block(x, block, num_heads, angles, nothing, nothing, attention_mask)[0]
    return rms_norm(x, **parameters["norm"]) @ parameters["tokens"].T  # (..., T, V)


@checked
def top_k_gates(scores, k):
    """Return, for each token, the weights of its k best experts, which sum to 1; all others get 0.

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
    best = np.argsort(-1.0 * scores, axis=-1, kind="stable")[..., :k]
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, best, True, axis=-1)
    return softmax(np.where(chosen, scores, -np.inf))


@checked
def load_balancing_loss(scores, gates):
    """Return how unevenly the experts are used: 1 if all are used equally, E/k if k of them do everything.

        loss = E Σ_e f_e P_e,   f: fraction of all choices,   P: the mean of softmax(scores)

    `load_balancing_loss_func` in `transformers` divides the choices by the number of tokens, and not by the
    number of choices: with k experts per token it returns k times this loss.

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
@in_float32
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
