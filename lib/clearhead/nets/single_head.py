"""Attention with its projections, one head. The twin of `clearhead.maths.single_head`."""

from .attention import scaled_dot_product_attention
from .contracts import checked


@checked
def self_attention(x, W_q, W_k, W_v, mask=None):
    """Return the weighted mean of the values of all tokens for each token, and the attention weights.

        Q = x W_q,   K = x W_k,   V = x W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.single_head.self_attention`.
    """
    Q, K, V = x @ W_q, x @ W_k, x @ W_v  # (..., T, d), (..., T, d), (..., T, e)
    return scaled_dot_product_attention(Q, K, V, mask)


@checked
def cross_attention(x, context, W_q, W_k, W_v, mask=None):
    """Return the weighted mean of another sequence's values for each token, and the attention weights.

        Q = x W_q,   K = context W_k,   V = context W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.single_head.cross_attention`.
    """
    return scaled_dot_product_attention(x @ W_q, context @ W_k, context @ W_v, mask)
