"""Gradients by hand of the parts of a GPT, and of a whole GPT. dX means ∂loss/∂X, with the shape of X."""

import numpy as np

from clearhead.contracts import checked

from .attention import scaled_dot_product_attention
from .gradients import (
    attention_gradients,
    cross_entropy_gradient,
    embed_gradient,
    layer_norm_gradients,
    linear_gradients,
    relu_gradient,
)
from .heads import merge_heads, multi_head_attention, split_heads
from .layers import embed, layer_norm, linear, relu
from .losses import cross_entropy
from .masks import causal_mask
from .positions import learned_positions
from .transformer import encoder_block


@checked
def feed_forward_gradients(dy, x, parameters):
    """Return the gradients of feed_forward, with relu, with respect to its input and its parameters.

        back through W_down, then where a > 0, then back through W_up,   a = x W_up + b_up

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float, no broadcasting
    parameters : dict of feed_forward
        What went into the layer.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of feed_forward
    """
    a = linear(x, **parameters["up"])
    dhidden, down = linear_gradients(dy, relu(a), parameters["down"])
    dx, up = linear_gradients(relu_gradient(dhidden, a), x, parameters["up"])
    return dx, {"up": up, "down": down}


@checked
def multi_head_attention_gradients(dZ, x, context, parameters, num_heads, mask=None):
    """Return the gradients of multi_head_attention with respect to both inputs and its parameters.

        back through W_o, then through attention head by head, then through W_q, W_k and W_v

    Parameters
    ----------
    dZ : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float, no broadcasting
    context : (..., S, D) float
    parameters : dict of multi_head_attention
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, S) bool, optional
        What went into the attention.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
        In self-attention, the two are added: x went in twice.
    dparameters : dict of multi_head_attention

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.
    """
    Q = split_heads(linear(x, **parameters["query"]), num_heads)
    K = split_heads(linear(context, **parameters["key"]), num_heads)
    V = split_heads(linear(context, **parameters["value"]), num_heads)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)

    dheads, output = linear_gradients(dZ, merge_heads(Z), parameters["output"])
    dQ, dK, dV = attention_gradients(split_heads(dheads, num_heads), Q, K, V, A)
    dx, query = linear_gradients(merge_heads(dQ), x, parameters["query"])
    dcontext_k, key = linear_gradients(merge_heads(dK), context, parameters["key"])
    dcontext_v, value = linear_gradients(merge_heads(dV), context, parameters["value"])
    return dx, dcontext_k + dcontext_v, {"query": query, "key": key, "value": value, "output": output}


@checked
def encoder_block_gradients(dy, x, parameters, num_heads, mask=None):
    """Return the gradients of a pre-norm block, with relu, with respect to its input and its parameters.

        m = x + attention(norm(x)),   y = m + feed_forward(norm(m))
        dm = dy + (dy back through feed_forward and norm),   dx = dm + (dm back through attention and norm)

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float, no broadcasting
    parameters : dict of encoder_block
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, T) bool, optional
        What went into the block.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of encoder_block

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.
    """
    p, dp = parameters, {}
    h = layer_norm(x, **p["attention_norm"])
    m = x + multi_head_attention(h, h, p["attention"], num_heads, mask)[0]
    thought = layer_norm(m, **p["feed_forward_norm"])

    dthought, dp["feed_forward"] = feed_forward_gradients(dy, thought, p["feed_forward"])
    dnorm, dp["feed_forward_norm"] = layer_norm_gradients(dthought, m, p["feed_forward_norm"])
    dm = dy + dnorm
    dh, dcontext, dp["attention"] = multi_head_attention_gradients(dm, h, h, p["attention"], num_heads, mask)
    dnorm, dp["attention_norm"] = layer_norm_gradients(dh + dcontext, x, p["attention_norm"])
    return dm + dnorm, dp


@checked
def gpt_gradients(ids, targets, parameters, num_heads):
    """Return the loss of a GPT, with relu, and the gradient of the loss with respect to each parameter.

        loss = cross_entropy(gpt(ids), targets);   then back: logits, norm, block after block, both tables

    Parameters
    ----------
    ids : (..., T) int
    targets : (..., T) int, no broadcasting
        The token after each, or -100 where nothing is asked.
    parameters : dict of gpt
    num_heads : () int H from 1
        How many heads, H.

    Returns
    -------
    loss : () float
    dparameters : dict of gpt
        The table of tokens serves twice, for reading and for scoring, and gets two shares.

    Notes
    -----
    Only the input of each block is kept. On the way back a block computes its inside again: more work, less
    memory, as in Chen et al. (2016), "Training deep nets with sublinear memory cost".
    """
    p, T, inputs = parameters, ids.shape[-1], []
    x = embed(ids, p["tokens"]) + learned_positions(T, p["positions"])
    for block in p["blocks"]:
        inputs.append(x)
        x = encoder_block(x, block, num_heads, causal_mask(T), relu)
    h = layer_norm(x, **p["norm"])
    logits = h @ p["tokens"].T

    dlogits, blocks = cross_entropy_gradient(logits, targets), []
    dh, dscoring = linear_gradients(dlogits, h, {"weight": p["tokens"].T})
    dx, dnorm = layer_norm_gradients(dh, x, p["norm"])
    for x, block in zip(reversed(inputs), reversed(p["blocks"]), strict=True):
        dx, dblock = encoder_block_gradients(dx, x, block, num_heads, causal_mask(T))
        blocks = [dblock, *blocks]
    dtokens = embed_gradient(dx, ids, len(p["tokens"])) + dscoring["weight"].T
    places = np.broadcast_to(np.arange(T), ids.shape)
    dpositions = embed_gradient(dx, places, len(p["positions"]))
    loss = cross_entropy(logits, targets)
    return loss, {"tokens": dtokens, "positions": dpositions, "blocks": blocks, "norm": dnorm}
