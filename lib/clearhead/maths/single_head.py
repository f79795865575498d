"""Single-head attention with its projections, within one sequence and between two."""

from clearhead.contracts import checked

from .attention import scaled_dot_product_attention


@checked
def self_attention(x, W_q, W_k, W_v, mask=None):
    """Return the weighted mean of the values of all tokens for each token, and the attention weights.

        Q = x W_q,   K = x W_k,   V = x W_v,   Z = softmax(Q Kᵀ / √d) V

    Parameters
    ----------
    x : (..., T, D) float
        One token a row.
    W_q : (D, d) float
        Makes the queries: what each token looks for.
    W_k : (D, d) float
        Makes the keys: what each token offers to be found by.
    W_v : (D, e) float
        Makes the values: what each token gives.
    mask : (..., T, T) bool, optional
        True where a token may look.

    Returns
    -------
    Z : (..., T, e) float
        One new vector a token.
    A : (..., T, T) float
        Row i says where token i looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.3.
    """
    Q, K, V = x @ W_q, x @ W_k, x @ W_v  # (..., T, d), (..., T, d), (..., T, e)
    return scaled_dot_product_attention(Q, K, V, mask)


@checked
def cross_attention(x, context, W_q, W_k, W_v, mask=None):
    """Return the weighted mean of another sequence's values for each token, and the attention weights.

        Q = x W_q,   K = context W_k,   V = context W_v,   Z = softmax(Q Kᵀ / √d) V

    Parameters
    ----------
    x : (..., T, D) float
        The tokens that ask, such as those being written.
    context : (..., S, D) float
        The tokens that are looked at, such as those that an encoder has read.
    W_q : (D, d) float
        Makes the queries, from x.
    W_k : (D, d) float
        Makes the keys, from the context.
    W_v : (D, e) float
        Makes the values, from the context.
    mask : (..., T, S) bool, optional
        True where a token of x may look: mostly the padding mask of the context.

    Returns
    -------
    Z : (..., T, e) float
        One new vector for each token of x.
    A : (..., T, S) float
        Row i says where token i of x looks.

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, :]`: without the axis of the
    queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    With context = x it is self-attention.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.3, first point.
    """
    return scaled_dot_product_attention(x @ W_q, context @ W_k, context @ W_v, mask)
