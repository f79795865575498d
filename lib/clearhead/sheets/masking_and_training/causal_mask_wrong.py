"""More wrong answers of 09.causal_mask."""

import numpy as np

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "three_tokens_back",
        lambda T: np.tri(T, dtype=bool) & ~np.tri(T, k=-3, dtype=bool),
        "Your tokens see a few steps back only. They must see everything in front of them.",
    ),
    Mistake(
        "itself_and_the_first",
        lambda T: np.eye(T, dtype=bool) | (np.arange(T) == 0),
        "Your tokens see themselves and the first one. They must see everything between, too.",
    ),
    Mistake(
        "first_token_sees_all",
        lambda T: np.tri(T, dtype=bool) | (np.arange(T)[:, None] == 0),
        "Your first token sees all. It may see itself alone.",
    ),
    Mistake(
        "last_token_first",
        lambda T: np.tri(T, dtype=bool)[::-1],
        "Your rows run from the last token to the first. Row 0 is the first token.",
    ),
    Mistake(
        "only_the_first_sees_itself",
        lambda T: np.tri(T, k=-1, dtype=bool) | (np.arange(T**2).reshape(T, T) == 0),
        "Only your first token sees itself. Every token may.",
    ),
    Mistake(
        "whole_numbers",
        lambda T: np.tri(T, dtype=int),
        "Your mask holds 0 and 1. Make them booleans: dtype=bool.",
    ),
    Mistake(
        "axes_in_front",
        lambda T: np.tri(T, dtype=bool)[None, None],
        "Your mask has axes in front. Here it is a table, (T, T).",
    ),
    Mistake(
        "first_column_hidden",
        lambda T: np.tri(T, dtype=bool) & (np.arange(T) > 0),
        "In yours nobody may look at the first token. Places count from 0: the first column is column 0.",
    ),
    Mistake(
        "last_row_forgotten",
        lambda T: np.tri(T, dtype=bool) & (np.arange(T)[:, None] < T - 1),
        "Your last token may look nowhere. There are T rows, the last one is row T - 1: range(T).",
    ),
    Mistake(
        "first_row_forgotten",
        lambda T: np.tri(T, dtype=bool) & (np.arange(T)[:, None] > 0),
        "Your first token may look nowhere. It must see itself: rows count from 0.",
    ),
)
