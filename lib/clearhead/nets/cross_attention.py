"""Attention between two sequences. The twin of `clearhead.maths.cross_attention`."""

from clearhead.maths.shapes import check_projections

from .attention import scaled_dot_product_attention


def cross_attention(x, context, W_q, W_k, W_v, mask=None):
    """Return for each token a mixture of what another sequence gives, and the weights of each mixture.

        Q = x W_q,   K = context W_k,   V = context W_v,   Z = softmax(Q Kᵀ / √d) V

    The twin of `clearhead.maths.cross_attention.cross_attention`.
    """
    check_projections(x, W_q=W_q)
    check_projections(context, W_k=W_k, W_v=W_v)
    return scaled_dot_product_attention(x @ W_q, context @ W_k, context @ W_v, mask)
