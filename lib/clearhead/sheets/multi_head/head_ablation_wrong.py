"""More wrong answers of 06.head_ablation."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.heads import merge_heads, split_heads
from clearhead.maths.softmax import softmax

from .mha_forward import mha_forward


def _written(X, W_q, W_k, W_v, num_heads):
    """Return what the heads write before W_o, (H, T, e)."""
    Q, K, V = (split_heads(X @ W, num_heads) for W in (W_q, W_k, W_v))
    return softmax(Q @ K.mT / np.sqrt(Q.shape[-1])) @ V


def _with(change):
    """Return an answer that changes what the heads write, change(Z, h), before W_o."""

    def ablate(X, W_q, W_k, W_v, W_o, num_heads, h):
        return merge_heads(change(_written(X, W_q, W_k, W_v, num_heads), h)) @ W_o

    return ablate


def _without(silent):
    """Return an answer that silences the heads with silent(numbers of the heads, h)."""
    return _with(lambda Z, h: np.where(silent(np.arange(len(Z)), h)[:, None, None], 0, Z))


def _cut(W_o, size, h, more):
    """Return W_o with zeros in the block of head h, and in some rows more."""
    rows = np.arange(len(W_o))[:, None]
    return np.where((h * size <= rows) & (rows < (h + 1) * size + more), 0, W_o)


def _the_mean(Z, h):
    return np.where(np.arange(len(Z))[:, None, None] == h, Z.mean(axis=1, keepdims=True), Z)


MORE = (
    Mistake(
        "always_the_first_head",
        _without(lambda heads, h: heads == 0),
        "You always switch off head 0. Switch off head h.",
    ),
    Mistake(
        "a_token_silenced",
        lambda X, W_q, W_k, W_v, W_o, num_heads, h: np.where(
            np.arange(len(X))[:, None] == h, 0, mha_forward(X, W_q, W_k, W_v, W_o, num_heads)
        ),
        "You set row h to zero, before or after W_o: that is a token, in all heads. A head is a block of "
        "columns before W_o; split it off first.",
    ),
    Mistake(
        "what_is_lost",
        lambda *given: -_without(lambda heads, h: heads != h)(*given),
        "That is minus what head h writes: how the output changes. Return the output itself, without head h.",
    ),
    Mistake(
        "the_next_head",
        _without(lambda heads, h: heads == (h + 1) % len(heads)),
        "You silenced head h + 1, and for the last h head 0. Heads are counted from 0.",
    ),
    Mistake(
        "heads_counted_from_one",
        _without(lambda heads, h: heads == h - 1),
        "You count heads from 1. They are counted from 0: head h begins at row h · e.",
    ),
    Mistake(
        "every_head_from_h_on",
        _without(lambda heads, h: heads >= h),
        "You switch off head h and all heads after it. Its block ends before row (h + 1) · e.",
    ),
    Mistake(
        "every_head_up_to_h",
        _without(lambda heads, h: heads <= h),
        "You switch off head h and all heads before it. Its block begins at row h · e.",
    ),
    Mistake(
        "the_mean_in_its_place",
        _with(_the_mean),
        "Head h still writes: every token gets its mean over the tokens. It must write nothing: zeros.",
    ),
    Mistake(
        "every_H_th_one",
        lambda X, W_q, W_k, W_v, W_o, H, h: mha_forward(
            X, W_q, W_k, W_v, np.where(np.arange(len(W_o))[:, None] % H == h, 0, W_o), H
        ),
        "You set every H-th row or column to zero. Head h has neighbouring ones: its slice runs from h · "
        "e to (h + 1) · e.",
    ),
    Mistake(
        "one_row_too_many",
        lambda X, W_q, W_k, W_v, W_o, H, h: mha_forward(X, W_q, W_k, W_v, _cut(W_o, len(W_o) // H, h, 1), H),
        "Your block has one row too many, which belongs to the next head. A slice ends before its second "
        "number.",
    ),
    Mistake(
        "one_row_too_few",
        lambda X, W_q, W_k, W_v, W_o, H, h: mha_forward(X, W_q, W_k, W_v, _cut(W_o, len(W_o) // H, h, -1), H),
        "Your block has one row too few, so head h still writes with its last number. A slice ends before "
        "its second number: (h + 1) · e.",
    ),
)
