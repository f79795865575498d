"""More wrong answers of 15.ablate_head_effect."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _effect(Z, W_o, U, head):
    d = Z.shape[-1]
    return -Z[head] @ W_o[head * d : (head + 1) * d] @ U


def _logits(Z, W_o, U, join=lambda Z: Z.swapaxes(0, 1).reshape(Z.shape[1], -1)):
    return join(Z) @ W_o @ U


def _silent(Z, head):
    return np.where(np.arange(len(Z))[:, None, None] == head, 0, Z)


def _by_columns(Z, W_o, U, head):
    d = Z.shape[-1]
    return -Z[head] @ W_o[:, head * d : (head + 1) * d].T @ U


def _merged_by_reshape(Z, W_o, U, head):
    join = lambda Z: Z.reshape(Z.shape[1], -1)  # noqa: E731
    return _logits(_silent(Z, head), W_o, U, join) - _logits(Z, W_o, U, join)


def _of_probabilities(Z, W_o, U, head):
    return softmax(_logits(_silent(Z, head), W_o, U)) - softmax(_logits(Z, W_o, U))


def _mean_in_its_place(Z, W_o, U, head):
    return _effect(Z - Z.mean(axis=1, keepdims=True), W_o, U, head)


MORE = (
    Mistake(
        "columns_turned",
        _by_columns,
        "You took columns of W_o and turned them. Head h has rows of W_o: W_o[h d : (h + 1) d].",
    ),
    Mistake(
        "merged_by_a_reshape",
        _merged_by_reshape,
        "You merged the heads by a reshape alone, so numbers land in the rows of other tokens. Swap the "
        "axes first.",
    ),
    Mistake(
        "probabilities_compared",
        _of_probabilities,
        "You compare probabilities. Compare the logits.",
    ),
    Mistake(
        "logits_with_it",
        lambda Z, W_o, U, head: _logits(Z, W_o, U),
        "These are the logits with all heads. Return the change: those without the head minus those with it.",
    ),
    Mistake(
        "first_rows_for_each_head",
        lambda Z, W_o, U, head: -Z[head] @ W_o[: Z.shape[-1]] @ U,
        "You took the first rows of W_o, whatever the head is. Head h has the rows h d to (h + 1) d.",
    ),
    Mistake(
        "last_rows_for_each_head",
        lambda Z, W_o, U, head: -Z[head] @ W_o[-Z.shape[-1] :] @ U,
        "You took the last rows of W_o, whatever the head is. Head h has the rows h d to (h + 1) d.",
    ),
    Mistake(
        "one_row_further",
        lambda Z, W_o, U, head: -Z[head] @ np.roll(W_o, -1, axis=0)[head * Z.shape[-1] :][: Z.shape[-1]] @ U,
        "Your rows begin one too far. Head h has the rows h d to (h + 1) d, its end not included.",
    ),
    Mistake(
        "divided_by_the_heads",
        lambda Z, W_o, U, head: _effect(Z, W_o, U, head) / len(Z),
        "You divided by the number of heads. A head writes all of it.",
    ),
    Mistake(
        "mean_over_tokens",
        lambda Z, W_o, U, head: _effect(Z, W_o, U, head).mean(axis=0),
        "You took the mean over the tokens. Return a row for each token.",
    ),
    Mistake(
        "mean_kept",
        _mean_in_its_place,
        "You put the head's mean in its place. A silent head writes nothing: 0.",
    ),
    Mistake(
        "last_token_alone",
        lambda Z, W_o, U, head: _effect(Z, W_o, U, head)[-1],
        "Only the last token came back. Return a row for each token.",
    ),
    Mistake(
        "sum_of_all_heads",
        lambda Z, W_o, U, head: -Z.sum(axis=0) @ W_o[head * Z.shape[-1] :][: Z.shape[-1]] @ U,
        "You added up what all heads mixed. Only this head is silent: Z[head].",
    ),
)
