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


def _rows(first, last):
    """Return an answer that sets the rows first(h, d, sizes) to last(h, d, sizes) of W_o to zero."""

    def answer(Z, W_o, U, head):
        (H, T, d), numbers = Z.shape, np.arange(len(W_o))[:, None]
        sizes = {"H": H, "T": T, "D": W_o.shape[1]}
        hidden = (numbers >= first(head, d, sizes)) & (numbers < last(head, d, sizes))
        return _logits(Z, np.where(hidden, 0, W_o), U) - _logits(Z, W_o, U)

    return answer


def _as_many(count):
    """Return an answer that gives each head count(sizes) rows."""
    return _rows(lambda h, d, n: h * count(n), lambda h, d, n: (h + 1) * count(n))


def _written(compared):
    """Return an answer that sets the rows of the caller's W_o to zero, and loses the logits with the head."""

    def answer(Z, W_o, U, head):
        d = Z.shape[-1]
        W_o[head * d : (head + 1) * d] = 0
        return _logits(Z, W_o, U) - (_logits(Z, W_o, U) if compared else 0)

    return answer


def _silent_elsewhere(axis):
    """Return an answer that takes the heads for another axis of Z."""

    def answer(Z, W_o, U, head):
        silent = Z.copy()
        silent.swapaxes(0, axis)[head] = 0
        return _logits(silent, W_o, U) - _logits(Z, W_o, U)

    return answer


def _by_columns(Z, W_o, U, head):
    d = Z.shape[-1]
    return -Z[head] @ W_o[:, head * d : (head + 1) * d].T @ U


def _merged_by_reshape(Z, W_o, U, head):
    join = lambda Z: Z.reshape(Z.shape[1], -1)  # noqa: E731
    return _logits(_silent(Z, head), W_o, U, join) - _logits(Z, W_o, U, join)


def _of_probabilities(Z, W_o, U, head):
    return softmax(_logits(_silent(Z, head), W_o, U)) - softmax(_logits(Z, W_o, U))


_ROWS = {
    "rows_from_the_number_on": (
        _rows(lambda h, d, n: h, lambda h, d, n: h + d),
        "Your rows begin at row h. Head h has d rows, as each head before it: they begin at h d."),
    "one_row_alone": (
        _rows(lambda h, d, n: h * d, lambda h, d, n: h * d + 1),
        "You silenced the first row of the head alone. It has d rows: h d to (h + 1) d."),
    "row_of_that_number": (
        _rows(lambda h, d, n: h, lambda h, d, n: h + 1),
        "You silenced row h of W_o, one row. Head h has d rows: h d to (h + 1) d."),
    "last_row_left": (
        _rows(lambda h, d, n: h * d, lambda h, d, n: (h + 1) * d - 1),
        "The last row of the head still speaks. The end of a slice is not included: h d to (h + 1) d."),
    "this_head_and_all_after_it": (
        _rows(lambda h, d, n: h * d, lambda h, d, n: n["H"] * d),
        "You silenced this head and all after it. Its rows end before (h + 1) d."),
    "this_head_and_all_before_it": (
        _rows(lambda h, d, n: 0, lambda h, d, n: (h + 1) * d),
        "You silenced this head and all before it. Its rows begin at h d."),
    "as_many_rows_as_heads": (
        _as_many(lambda n: n["H"]),
        "You counted H rows for each head. It has d: the last size of Z."),
    "as_many_rows_as_tokens": (
        _as_many(lambda n: n["T"]),
        "You counted T rows for each head. It has d: the last size of Z."),
    "rows_by_the_stream": (
        _as_many(lambda n: n["D"] // n["H"]),
        "You took D / H rows for each head. It has d, the last size of Z: the stream may have any width D."),
}  # fmt: skip
MORE = (
    *(Mistake(name, answer, says) for name, (answer, says) in _ROWS.items()),
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
        lambda Z, W_o, U, head: _effect(Z - Z.mean(axis=1, keepdims=True), W_o, U, head),
        "You put the head's mean in its place. A silent head writes nothing: 0.",
    ),
    Mistake(
        "last_token_alone",
        lambda Z, W_o, U, head: _effect(Z, W_o, U, head)[-1],
        "Only the last token came back. Return a row for each token.",
    ),
    Mistake(
        "a_token_silent",
        _silent_elsewhere(1),
        "You silenced one token in all heads. The heads are the first axis of Z: Z[head].",
    ),
    Mistake(
        "a_column_silent",
        _silent_elsewhere(2),
        "You silenced one column of all heads. The heads are the first axis of Z: Z[head].",
    ),
    Mistake(
        "mean_of_the_heads_kept",
        lambda Z, W_o, U, head: _effect(Z - Z.mean(axis=0), W_o, U, head),
        "You put the mean of all heads in its place. A silent head writes nothing: 0.",
    ),
    Mistake(
        "with_zeros_on_both_sides",
        _written(True),
        "Both times W_o has the zeros: `silent = W_o` is no copy, or the zeros came before the first logits. "
        "Write into W_o.copy().",
    ),
    Mistake(
        "logits_of_the_changed_weights",
        _written(False),
        "You wrote zeros into the caller's W_o, and returned the logits without the head. Work on a copy, "
        "and subtract the logits with it.",
    ),
    Mistake(
        "mean_of_all_heads",
        lambda Z, W_o, U, head: _effect(0 * Z + Z.mean(axis=0), W_o, U, head),
        "You took the mean of what all heads mixed. Only this head is silent: Z[head].",
    ),
    Mistake(
        "sum_of_all_heads",
        lambda Z, W_o, U, head: -Z.sum(axis=0) @ W_o[head * Z.shape[-1] :][: Z.shape[-1]] @ U,
        "You added up what all heads mixed. Only this head is silent: Z[head].",
    ),
)
