"""More wrong answers of 09.padding_mask."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _real(lengths, longest):
    return np.arange(longest) < np.asarray(lengths)[:, None, None, None]


MORE = (
    Mistake(
        "all_seen",
        lambda lengths, longest: np.ones((len(lengths), 1, 1, longest), dtype=bool),
        "Your mask shows everything, padding too. Place j is real where j is below the length.",
    ),
    Mistake(
        "shortest_for_all",
        lambda lengths, longest: _real(np.full(len(lengths), np.min(lengths)), longest),
        "All your sentences are as short as the shortest. Each has its own length.",
    ),
    Mistake(
        "two_too_many",
        lambda lengths, longest: _real(np.asarray(lengths) + 2, longest),
        "Your mask shows the first two pads, where there are any. The real places are below the length.",
    ),
    Mistake(
        "first_pad_alone",
        lambda lengths, longest: np.arange(longest) != np.asarray(lengths)[:, None, None, None],
        "You hid the first pad alone. All places from the length on are padding.",
    ),
    Mistake(
        "empty_sentence_sees_one",
        lambda lengths, longest: _real(np.maximum(lengths, 1), longest),
        "Your mask shows one place of a sentence of length 0. It must show none.",
    ),
    Mistake(
        "queries_hidden_as_well",
        lambda lengths, longest: _real(lengths, longest) & _real(lengths, longest).swapaxes(2, 3),
        "You hid queries as well. Only keys are hidden: one row for all queries, (B, 1, 1, S).",
    ),
    Mistake(
        "one_row_for_each_query",
        lambda lengths, longest: np.repeat(_real(lengths, longest), longest, axis=2),
        "You wrote the row once for each query. One row is enough: the axis has size 1.",
    ),
    Mistake(
        "whole_numbers",
        lambda lengths, longest: _real(lengths, longest).astype(int),
        "Your mask holds 0 and 1. Return True and False: a comparison gives them.",
    ),
    Mistake(
        "first_sentence_alone",
        lambda lengths, longest: _real(lengths[:1], longest),
        "Only the first sentence has a mask in yours. Return one for each.",
    ),
    Mistake(
        "lengths_sorted",
        lambda lengths, longest: _real(np.sort(lengths), longest),
        "You sorted the lengths. Each sentence keeps its place in the batch.",
    ),
)
