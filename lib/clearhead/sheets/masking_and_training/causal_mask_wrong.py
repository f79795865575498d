"""More wrong answers of 09.causal_mask."""

import numpy as np

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "three_tokens_back",
        lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-3, dtype=bool),
        "Your tokens see a few steps back only. They see everything in front of them.",
    ),
    Mistake(
        "itself_and_the_first",
        lambda n: np.eye(n, dtype=bool) | (np.arange(n) == 0),
        "Each token sees itself and the first one. It sees everything between them, too.",
    ),
    Mistake(
        "first_token_sees_all",
        lambda n: np.tri(n, dtype=bool) | (np.arange(n)[:, None] == 0),
        "Your first token sees all. It sees itself alone.",
    ),
    Mistake(
        "last_token_first",
        lambda n: np.tri(n, dtype=bool)[::-1],
        "Your rows run from the last token to the first. Row 0 is the first token.",
    ),
    Mistake(
        "only_the_first_sees_itself",
        lambda n: np.tri(n, k=-1, dtype=bool) | (np.arange(n**2).reshape(n, n) == 0),
        "Only your first token sees itself. Every token does.",
    ),
    Mistake(
        "whole_numbers",
        lambda n: np.tri(n, dtype=int),
        "Your mask holds 0 and 1. Make them booleans: dtype=bool.",
    ),
    Mistake(
        "axes_in_front",
        lambda n: np.tri(n, dtype=bool)[None, None],
        "Your mask has axes in front. Here it is a table, (n, n).",
    ),
)
