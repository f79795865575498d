"""Attention: look things up by likeness, softly. The twin of `clearhead.maths.attention`."""

import math

import torch

from clearhead.maths.shapes import check_attention_shapes, check_lookup, check_projections

from .activations import at_temperature, softmax


def soft_lookup(q, K, V, temperature=1.0):
    """Return the mixture of the values whose keys are like the query, and the weights of the mixture.

        a = softmax(K q / temperature),   z = Σ_j a_j V_j

    The twin of `clearhead.maths.attention.soft_lookup`.
    """
    check_lookup(q, K, V)
    a = softmax(at_temperature(K @ q, temperature))
    return a @ V, a


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Return one mixture of the values for each query, and the weights of each mixture.

        A = softmax(Q Kᵀ / √d),   Z = A V

    The twin of `clearhead.maths.attention.scaled_dot_product_attention`: the path on which A can be seen.
    """
    check_attention_shapes(Q, K, V, mask)
    scores = Q / math.sqrt(Q.shape[-1]) @ K.mT
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    A = softmax(scores)
    return A @ V, A


def self_attention(x, W_q, W_k, W_v, mask=None):
    """Return for each token a mixture of what all tokens give, and the weights of each mixture.

        Q = x W_q,   K = x W_k,   V = x W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.attention.self_attention`.
    """
    check_projections(x, W_q=W_q, W_k=W_k, W_v=W_v)
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    return scaled_dot_product_attention(Q, K, V, mask)
