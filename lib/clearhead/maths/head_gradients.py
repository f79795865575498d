"""Gradients by hand of the forms of attention: self, cross, biased, grouped. dX stands for ∂loss/∂X."""

from math import sqrt

import numpy as np

from .attention import biased_attention, scaled_dot_product_attention
from .gradient_shapes import check_gradient
from .gradients import attention_gradients, softmax_gradient, summed_to
from .heads import merge_heads, split_heads
from .layer_gradients import through_linear
from .layers import linear
from .shapes import check_divides, check_projections


def cross_attention_gradients(dZ, x, context, W_q, W_k, W_v, mask=None):
    """Return the gradients of cross_attention with respect to both sequences and the three matrices.

        dx = dQ W_qᵀ,   dcontext = dK W_kᵀ + dV W_vᵀ,
        dW_q = xᵀ dQ,   dW_k = contextᵀ dK,   dW_v = contextᵀ dV

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    x : (..., T, D) float
    context : (..., S, D) float
    W_q : (D, d) float
    W_k : (D, d) float
    W_v : (D, e) float
    mask : (..., T, S) bool, optional
        What went into the attention.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
        The context is read twice, as keys and as values, and collects from both.
    dW_q : (D, d) float
    dW_k : (D, d) float
    dW_v : (D, e) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.
    """
    check_projections(x, W_q=W_q)
    check_projections(context, W_k=W_k, W_v=W_v)
    Q, K, V = x @ W_q, context @ W_k, context @ W_v
    Z, A = scaled_dot_product_attention(Q, K, V, mask)
    check_gradient(Z.shape, dZ=dZ)
    dQ, dK, dV = attention_gradients(dZ, Q, K, V, A)
    dx, query = through_linear(dQ, x, {"weight": W_q})
    dcontext_k, key = through_linear(dK, context, {"weight": W_k})
    dcontext_v, value = through_linear(dV, context, {"weight": W_v})
    return dx, dcontext_k + dcontext_v, query["weight"], key["weight"], value["weight"]


def self_attention_gradients(dZ, x, W_q, W_k, W_v, mask=None):
    """Return the gradients of self_attention with respect to its tokens and the three matrices.

        dx = dQ W_qᵀ + dK W_kᵀ + dV W_vᵀ,   dW_q = xᵀ dQ,   dW_k = xᵀ dK,   dW_v = xᵀ dV

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    x : (..., T, D) float
    W_q : (D, d) float
    W_k : (D, d) float
    W_v : (D, e) float
    mask : (..., T, T) bool, optional
        What went into the attention.

    Returns
    -------
    dx : (..., T, D) float
        A token asks, is found and gives: three sums in one.
    dW_q : (D, d) float
    dW_k : (D, d) float
    dW_v : (D, e) float

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.
    """
    dx, dcontext, *matrices = cross_attention_gradients(dZ, x, x, W_q, W_k, W_v, mask)
    return dx + dcontext, *matrices


def biased_attention_gradients(dZ, Q, K, V, bias, mask=None):
    """Return the gradients of biased_attention with respect to queries, keys, values and the bias.

        dbias = softmax_gradient(dZ Vᵀ, A),   dQ = dbias K / √d,   dK = dbiasᵀ Q / √d,   dV = Aᵀ dZ

    Parameters
    ----------
    dZ : (..., T, e) float
        How the loss changes with each output.
    Q : (..., T, d) float
    K : (..., S, d) float
    V : (..., S, e) float
    bias : (..., T, S) float
    mask : (..., T, S) bool, optional
        What went into the attention.

    Returns
    -------
    dQ : (..., T, d) float
    dK : (..., S, d) float
    dV : (..., S, e) float
    dbias : (..., T, S) float
        Summed where one bias served a whole batch.

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.
    """
    Z, A = biased_attention(Q, K, V, bias, mask)
    check_gradient(Z.shape, dZ=dZ)
    dscores = softmax_gradient(dZ @ V.mT, A)
    parts = (dscores @ K / sqrt(Q.shape[-1]), Q), (dscores.mT @ Q / sqrt(Q.shape[-1]), K), (A.mT @ dZ, V)
    return *(summed_to(gradient, part) for gradient, part in parts), summed_to(dscores, bias)


def grouped_query_attention_gradients(dZ, x, context, parameters, num_heads, num_groups, mask=None):
    """Return the gradients of grouped_query_attention with respect to both inputs and each of its parameters.

        dK_g = Σ dK_h,   dV_g = Σ dV_h   over the heads h of group g,   the rest as in multi-head attention

    Parameters
    ----------
    dZ : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    context : (..., S, D) float
    parameters : dict of grouped_query_attention
    num_heads : () int
        How many heads, H.
    num_groups : () int
        How many groups, G.
    mask : (..., 1, T, S) bool, optional
        What went into the attention.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
    dparameters : dict of grouped_query_attention

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or the groups do not divide the heads.
    TypeError
        Where the mask is not boolean.
    """
    check_divides(num_heads=num_heads, num_groups=num_groups)
    Q = split_heads(linear(x, **parameters["query"]), num_heads)
    shared = [split_heads(linear(context, **parameters[name]), num_groups) for name in ("key", "value")]
    K, V = (np.repeat(part, num_heads // num_groups, axis=-3) for part in shared)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)

    dheads, output = through_linear(dZ, merge_heads(Z), parameters["output"])
    dQ, dK, dV = attention_gradients(split_heads(dheads, num_heads), Q, K, V, A)
    dx, query = through_linear(merge_heads(dQ), x, parameters["query"])
    dcontext_k, key = through_linear(_merge_groups(dK, num_groups), context, parameters["key"])
    dcontext_v, value = through_linear(_merge_groups(dV, num_groups), context, parameters["value"])
    return dx, dcontext_k + dcontext_v, {"query": query, "key": key, "value": value, "output": output}


def _merge_groups(dK, num_groups):
    """Return (..., T, G·d) from (..., H, T, d): the heads of a group are added up."""
    *leading, num_heads, length, d_k = dK.shape
    groups = dK.reshape(*leading, num_groups, num_heads // num_groups, length, d_k)
    return merge_heads(groups.sum(axis=-3))
