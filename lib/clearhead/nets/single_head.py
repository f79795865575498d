"""Attention with its projections, one head. The twin of `clearhead.maths.single_head`."""

from clearhead.maths.shapes import check_projections

from .attention import scaled_dot_product_attention


def self_attention(x, W_q, W_k, W_v, mask=None):
    """Return for each token a mixture of what all tokens give, and the weights of each mixture.

        Q = x W_q,   K = x W_k,   V = x W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.single_head.self_attention`.
    """
    check_projections(x, W_q=W_q, W_k=W_k, W_v=W_v)
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    return scaled_dot_product_attention(Q, K, V, mask)


def cross_attention(x, context, W_q, W_k, W_v, mask=None):
    """Return for each token a mixture of what another sequence gives, and the weights of each mixture.

        Q = x W_q,   K = context W_k,   V = context W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.single_head.cross_attention`.
    """
    check_projections(x, W_q=W_q)
    check_projections(context, W_k=W_k, W_v=W_v)
    return scaled_dot_product_attention(x @ W_q, context @ W_k, context @ W_v, mask)
