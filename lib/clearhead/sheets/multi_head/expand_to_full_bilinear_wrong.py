"""More wrong answers of 06.expand_to_full_bilinear."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax

from .shared import head_blocks


def by_loops(W_q, W_k, W_v, W_o, num_heads):
    """Return M and N, each as a list of one matrix a head."""
    q, k, v = (head_blocks(W, num_heads) for W in (W_q, W_k, W_v))
    heads = range(num_heads)
    blocks = np.split(W_o, num_heads)
    return [q[h] @ k[h].T / q.shape[-1] ** 0.5 for h in heads], [v[h] @ blocks[h] for h in heads]


def _changed(M=None, N=None):
    """Return an answer that changes a right M or N, each with the weights and H at hand."""

    def expand(*given):
        right = [np.array(each) for each in by_loops(*given)]
        return [change(each, *given) if change else each for each, change in zip(right, (M, N), strict=True)]

    return expand


def _reshaped(W, num_heads):
    return W.reshape(num_heads, len(W), -1)


def _with_width_of_keys(W_q, W_v, W_o, num_heads):
    d = W_q.shape[1] // num_heads
    pieces = [slice(h * d, (h + 1) * d) for h in range(num_heads)]
    return np.array([W_v[:, piece] @ W_o[piece] for piece in pieces])


def _all_for_each_head(W_q, W_k, W_v, W_o, num_heads):
    M = W_q @ W_k.T / np.sqrt(W_q.shape[1] // num_heads)
    return np.array([M] * num_heads), np.array([W_v @ W_o] * num_heads)


MORE = (
    Mistake(
        "values_cut_like_keys",
        _changed(N=lambda N, W_q, W_k, W_v, W_o, H: _with_width_of_keys(W_q, W_v, W_o, H)),
        "You cut W_v and W_o into pieces of d. A value has e numbers: e = W_v.shape[1] // num_heads.",
    ),
    Mistake(
        "scale_in_both",
        _changed(N=lambda N, W_q, W_k, W_v, W_o, H: N / np.sqrt(W_q.shape[1] // H)),
        "You scaled N as well. The scale belongs to the scores alone: to M.",
    ),
    Mistake(
        "scale_in_N",
        _changed(
            lambda M, W_q, W_k, W_v, W_o, H: M * np.sqrt(W_q.shape[1] // H),
            lambda N, W_q, W_k, W_v, W_o, H: N / np.sqrt(W_q.shape[1] // H),
        ),
        "You put the scale into N. It belongs to the scores: to M.",
    ),
    Mistake(
        "scaled_by_all_heads",
        _changed(lambda M, W_q, W_k, W_v, W_o, H: M / np.sqrt(H)),
        "N is right. You divided M by √(H · d), from the width of all heads together; a score adds up d "
        "products: √d.",
    ),
    Mistake(
        "last_head_first",
        _changed(*[lambda each, *given: each[::-1]] * 2),
        "The heads stand from back to front. Head 0 has the first columns.",
    ),
    Mistake(
        "all_columns_for_each_head",
        _all_for_each_head,
        "You gave every head the whole matrices. Head h has its own block: columns of W_q, W_k and W_v, "
        "rows of W_o.",
    ),
    Mistake(
        "split_by_reshape",
        lambda W_q, W_k, W_v, W_o, H: (
            _reshaped(W_q, H) @ _reshaped(W_k, H).mT / np.sqrt(W_q.shape[1] // H),
            _reshaped(W_v, H) @ W_o.reshape(H, -1, W_o.shape[1]),
        ),
        "You reshaped the wide matrices to heads at once, which mixes rows. Each head has a block"
        " of columns: split, then stack.",
    ),
    Mistake(
        "queries_and_keys_split_by_reshape",
        _changed(
            lambda M, W_q, W_k, W_v, W_o, H: (
                _reshaped(W_q, H) @ _reshaped(W_k, H).mT / np.sqrt(W_q.shape[1] // H)
            )
        ),
        "N is right. You reshaped W_q and W_k to heads at once, which mixes rows: each head has a block of "
        "their columns.",
    ),
    Mistake(
        "lists_of_matrices",
        by_loops,
        "You return lists. Return two arrays of shape (H, D, D): np.array(...) makes one of a list.",
    ),
    Mistake(
        "scores_added_over_heads",
        _changed(lambda M, *given: np.array([M.sum(axis=0)] * len(M))),
        "N is right. Each M_h of yours is the sum over all heads. Each head has scores of its own.",
    ),
    Mistake(
        "softmax_of_M",
        _changed(lambda M, *given: softmax(M)),
        "N is right. You took the softmax of M. It comes later, on the scores X M Xᵀ.",
    ),
    Mistake(
        "pairs_of_matrices",
        lambda *given: list(zip(*by_loops(*given), strict=True)),
        "You return one pair for each head. Return two arrays: M for all heads, then N for all heads.",
    ),
)
