"""A transformer of attention alone: small enough to say what every number in it is for."""

import numpy as np

from .attention import scaled_dot_product_attention
from .heads import multi_head_attention, split_heads
from .layers import embed, linear
from .masks import causal_mask
from .positions import learned


def attention_only(ids, parameters, num_heads):
    """Return, at every token, the scores of all words to come next, by attention alone.

        x = tokens[id] + positions,   x = x + attention(x) for each block,   logits = x U

    Parameters
    ----------
    ids : (..., T) int
    parameters : dict
        - tokens : (V, D) float
        - positions : (S, D) float, S the longest text that training has seen
        - blocks : list of dict of multi_head_attention
        - unembed.weight : (D, V) float, called U
    num_heads : () int
        How many heads, H.

    Returns
    -------
    logits : (..., T, V) float

    Raises
    ------
    ValueError
        Where the text is longer than the table of positions, or the shapes do not fit together.

    Notes
    -----
    No norm and no feed-forward part: what the blocks write adds up, and nothing bends it.

    References
    ----------
    Elhage et al. (2021), "A mathematical framework for transformer circuits", section "Transformer overview".
    """
    x = embed(ids, parameters["tokens"]) + learned(ids.shape[-1], parameters["positions"])
    for block in parameters["blocks"]:
        x = x + multi_head_attention(x, x, block, num_heads, causal_mask(ids.shape[-1]))[0]
    return linear(x, **parameters["unembed"])


def look(ids, parameters, num_heads):
    """Return where every head of every block looks.

        A^l = softmax(Q Kᵀ / √d),   Q and K from what the blocks before l left in the stream

    Parameters
    ----------
    ids : (..., T) int
    parameters : dict of attention_only
    num_heads : () int
        How many heads, H.

    Returns
    -------
    A : (L, ..., H, T, T) float

    Raises
    ------
    ValueError
        Where the text is longer than the table of positions, or the shapes do not fit together.
    """
    x = embed(ids, parameters["tokens"]) + learned(ids.shape[-1], parameters["positions"])
    maps = []
    for block in parameters["blocks"]:
        Z, A = multi_head_attention(x, x, block, num_heads, causal_mask(ids.shape[-1]))
        x, maps = x + Z, [*maps, A]
    return np.stack(maps)


def residual_parts(ids, parameters, num_heads):
    """Return everything that was ever written into the residual stream, writer by writer.

        x = tokens[id] + positions + Σ_l (b^l + Σ_h A^h V^h W_o^h)

    Parameters
    ----------
    ids : (..., T) int
    parameters : dict of attention_only
    num_heads : () int
        How many heads, H.

    Returns
    -------
    parts : (L·H+L+2, ..., T, D) float
        The tokens, the positions, and for each block what its H heads write, then its output bias (zeros
        where it has none). Their sum is x after the last block.

    Raises
    ------
    ValueError
        Where the text is longer than the table of positions, or the shapes do not fit together.

    References
    ----------
    Elhage et al. (2021), "A mathematical framework for transformer circuits", section "Attention heads are
    independent and additive".
    """
    tokens, mask = embed(ids, parameters["tokens"]), causal_mask(ids.shape[-1])
    parts = [tokens, np.broadcast_to(learned(ids.shape[-1], parameters["positions"]), tokens.shape)]
    for block in parameters["blocks"]:
        x = sum(parts)
        Q, K, V = (split_heads(linear(x, **block[name]), num_heads) for name in ("query", "key", "value"))
        Z = scaled_dot_product_attention(Q, K, V, mask)[0]
        W_o = block["output"]["weight"].reshape(num_heads, Z.shape[-1], -1)
        parts += list(np.moveaxis(Z @ W_o, -3, 0))
        parts.append(np.broadcast_to(block["output"].get("bias", 0.0), x.shape))
    return np.stack(parts)
