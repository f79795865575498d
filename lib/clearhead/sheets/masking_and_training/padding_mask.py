"""09.padding_mask: The padding mask."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import masks
from clearhead.maths.masks import padding_mask

from .padding_mask_wrong import MORE
from .shared import sizes


def _as_table(lengths, longest):
    return np.arange(longest) < np.asarray(lengths)[:, None]


def _padding_cases(rng):
    def drawn(B, longest):
        lengths = rng.integers(1, longest, size=B)
        lengths[0] = longest
        return lengths, longest

    B, S = sorted(sizes(rng, 2))
    by_hand = np.array([[[[True, True, False]]], [[[True, True, True]]]])
    counted = (
        "each sentence has as many True as it has tokens",
        lambda mask, lengths, longest: np.array_equal(
            np.asarray(mask).astype(int).reshape(len(lengths), -1).sum(axis=1), lengths
        ),
    )
    ending = rng.integers(1, S + 3, size=B + 1)
    return [
        Case(
            "lengths 2 and 3, by hand",
            (np.array([2, 3]), 3),
            "The third place of the first sentence is padding. The shape is (2, 1, 1, 3).",
            expected=by_hand,
        ),
        Case("random lengths", drawn(B, S + 2), "Compare j with the length: real places are 0 to length - 1.",
             properties=(counted,)),
        Case("room behind all of them", (ending, S + 6), "The width comes from `longest`."),
        Case("an empty sentence", (np.array([0, 4, 1]), 5), "A length of 0 leaves nothing to look at."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="09.padding_mask",
    title="The padding mask",
    reference=padding_mask,
    cases=_padding_cases,
    hints=(
        "Place j of sentence b is real if j is smaller than its length. Compare them all at once.",
        "np.arange(longest) has shape (S,), lengths[:, None] has shape (B, 1): together (B, S).",
        "np.arange(longest) < lengths[:, None, None, None] has the shape (B, 1, 1, S).",
    ),
    mistakes=(
        Mistake(
            "true_means_padding",
            lambda lengths, longest: ~masks.padding_mask(lengths, longest),
            "You marked the padding. In this book True means may look: mark the real tokens.",
        ),
        Mistake(
            "one_too_many",
            lambda lengths, longest: np.arange(longest) <= np.asarray(lengths)[:, None, None, None],
            "Your mask shows the first pad, where there is one. Places count from 0: real ones are below the "
            "length.",
        ),
        Mistake(
            "two_axes_only",
            _as_table,
            "The booleans are right, but the shape is (B, S). Add axes for heads and queries: (B, 1, 1, S).",
        ),
        Mistake(
            "hides_queries",
            lambda lengths, longest: _as_table(lengths, longest)[:, None, :, None],
            "Your mask has the shape (B, 1, S, 1): it hides queries. Padding must be hidden as keys, on the "
            "last axis.",
        ),
        Mistake(
            "padding_in_front",
            lambda lengths, longest: masks.padding_mask(lengths, longest)[..., ::-1],
            "You hid the first places. Here the padding stands behind the sentence.",
        ),
        Mistake(
            "width_from_the_data",
            lambda lengths, longest: masks.padding_mask(lengths, int(np.max(lengths))),
            "Your mask is as wide as the longest of these sentences. The rectangle has the width `longest`.",
        ),
        Mistake(
            "axes_before_the_batch",
            lambda lengths, longest: _as_table(lengths, longest)[None, None],
            "Your shape is (1, 1, B, S): the batch stands where queries belong. Put it first: (B, 1, 1, S).",
        ),
        Mistake(
            "numbers_to_add",
            lambda lengths, longest: np.where(masks.padding_mask(lengths, longest), 0.0, -np.inf),
            "You returned numbers to be added to scores. Here a mask holds True and False.",
        ),
        Mistake(
            "one_too_few",
            lambda lengths, longest: np.arange(1, longest + 1) < np.asarray(lengths)[:, None, None, None],
            "Your mask hides the last real token. Places count from 0: all real ones are below the length.",
        ),
        Mistake(
            "future_hidden_too",
            lambda lengths, longest: (
                masks.padding_mask(lengths, longest) & np.tril(np.ones((longest, longest), dtype=bool))
            ),
            "You hid the future as well. Padding alone is asked for: one row for all queries, (B, 1, 1, S).",
        ),
        Mistake(
            "one_axis_too_few",
            lambda lengths, longest: _as_table(lengths, longest)[:, None],
            "One axis is missing: (B, 1, 1, S) has one for heads and one for queries.",
        ),
        Mistake(
            "axes_at_the_end",
            lambda lengths, longest: _as_table(lengths, longest)[:, :, None, None],
            "The two axes of size 1 stand at the end. They belong between batch and keys.",
        ),
        Mistake(
            "last_real_token_alone",
            lambda lengths, longest: (np.arange(longest) == np.asarray(lengths)[:, None] - 1)[:, None, None],
            "Only the last real token is True in yours. All real tokens must be.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda lengths, longest: _as_table(lengths, longest).reshape(len(lengths), 1, 1, longest),
        lambda lengths, longest: [[[[j < n for j in range(longest)]]] for n in lengths],
    ),
    stars=2,
    minutes=10,
)
