"""06.merge_heads: Merge."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.heads import merge_heads

from .shared import TWO_TOKENS, merge_by_reshape, sizes


def _merge_cases(rng):
    H, T, d = sizes(rng, 3)
    owners = np.tile(np.arange(1, T + 1)[:, None], (H, 1, d))
    by_hand = np.array([[[1, 2], [10, 20]], [[3, 4], [30, 40]], [[5, 6], [50, 60]]])
    one_token_a_row = (
        "each row holds the numbers of one token",
        lambda merged, x: np.all(merged == np.arange(1, x.shape[1] + 1)[:, None]),
    )
    return [
        Case("three heads of two tokens, by hand", (by_hand,), "This must undo the split.", 1, TWO_TOKENS),
        Case(
            "every number names its token",
            (owners,),
            "Print the answer: a row should hold one name only.",
            properties=(one_token_a_row,),
        ),
        Case("random heads", (rng.normal(size=(H, T, d)),), "Go the two steps of the split backwards."),
        Case("one head", (rng.normal(size=(1, T, d)),), "With one head, only the first axis goes."),
    ]


EXERCISE = Exercise(
    id="06.merge_heads",
    title="Merge",
    reference=merge_heads,
    cases=_merge_cases,
    hints=(
        "It undoes the split: the same two steps, backwards.",
        "First bring the tokens to the front again: (T, H, d). Then make one row of the last two axes.",
        "x.transpose(1, 0, 2).reshape(T, H * d), with H, T, d = x.shape",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_transpose",
            merge_by_reshape,
            "The shape is right, but each row mixes several tokens. Transpose to (T, H, d) before "
            "the reshape.",
        ),
        Mistake(
            "numbers_before_heads",
            lambda x: x.transpose(1, 2, 0).reshape(x.shape[1], -1),
            "Each row holds the right token, but its numbers are shuffled: head 0 must come first, whole. "
            "Transpose to (T, H, d), not to (T, d, H).",
        ),
        Mistake(
            "heads_below_each_other",
            lambda x: x.reshape(-1, x.shape[2]),
            "Your heads stand below each other. They must stand side by side: one row a token.",
        ),
        Mistake(
            "heads_added",
            lambda x: x.sum(axis=0),
            "You added the heads up. Concatenate them: a row has H times as many numbers as one head.",
        ),
        Mistake(
            "not_reshaped",
            lambda x: x.transpose(1, 0, 2),
            "The transpose is right. Now make one row of the last two axes: (T, H · d).",
        ),
        Mistake(
            "tokens_as_columns",
            lambda x: x.transpose(0, 2, 1).reshape(-1, x.shape[1]),
            "Your tokens came back as columns. Tokens are rows: shape (T, H · d).",
        ),
        Mistake(
            "wrong_axes_exchanged",
            lambda x: x.transpose(0, 2, 1).reshape(x.shape[1], -1),
            "Your rows mix tokens: you exchanged the last two axes of (H, T, d). Exchange the first two, "
            "then reshape.",
        ),
        Mistake(
            "all_axes_turned_round",
            lambda x: x.T.reshape(x.shape[1], -1),
            "You turned all three axes round, as .T does. Exchange the first two alone: (T, H, d).",
        ),
        Mistake(
            "last_head_first",
            lambda x: merge_heads(x[::-1]),
            "The heads stand from back to front. Head 0 has the first columns.",
        ),
        Mistake(
            "first_head_alone",
            lambda x: x[0],
            "Only the first head is left. Put all heads side by side.",
        ),
        Mistake(
            "heads_averaged",
            lambda x: x.mean(axis=0),
            "You took the mean of the heads. Put them side by side.",
        ),
        Mistake(
            "an_axis_too_many",
            lambda x: merge_heads(x)[:, None],
            "The numbers are right, but one axis of size 1 is too many. Return (T, H·d).",
        ),
    ),
    alternatives=(
        lambda x: np.hstack(list(x)),
        lambda x: np.concatenate([head for head in x], axis=-1),
        lambda x: np.einsum("htd->thd", x).reshape(x.shape[1], -1),
    ),
    stars=1,
    minutes=10,
)
