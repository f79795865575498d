"""12.sliding_window_mask: A sliding window."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import masks
from clearhead.maths.masks import sliding_window_mask

from .sliding_window_mask_wrong import MORE


def _back(length):
    """Return how many steps back from query i key j stands."""
    return np.arange(length)[:, None] - np.arange(length)


def _by_rows(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


def _slices_below_zero(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


def _columns_below_zero(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        for back in range(min(window, length)):
            mask[i, i - back] = True
    return mask


def _window_cases(rng):
    L, w = int(rng.integers(8, 48)), int(rng.integers(2, 8))
    seen = (
        "no token sees more than `window` tokens",
        lambda mask, length, window: (np.asarray(mask) == 1).sum(axis=-1).max() <= window,
    )
    return [
        Case(
            "four tokens, a window of two, by hand",
            (4, 2),
            "Token 3 sees tokens 2 and 3.",
            expected=np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool),
        ),
        Case("random sizes", (L, w), "Rows are queries. Count the True in the last row.", properties=(seen,)),
        Case("other sizes", (L + 3, w + 1), "The window holds the token itself.", properties=(seen,)),
        Case("a window of one", (L, 1), "Each token sees itself alone.", properties=(seen,)),
        Case("a window wider than the text", (4, 9), "Then it is the causal mask.", properties=(seen,)),
    ]


EXERCISE = Exercise(
    id="12.sliding_window_mask",
    title="A sliding window",
    reference=sliding_window_mask,
    cases=_window_cases,
    hints=(
        "How many steps back from token i does token j stand? Which numbers of steps are allowed?",
        "steps = np.arange(length)[:, None] - np.arange(length). Allowed are 0 to window - 1.",
        "return (steps >= 0) & (steps < window)",
    ),
    mistakes=(
        Mistake(
            "one_too_many",
            lambda length, window: (_back(length) >= 0) & (_back(length) <= window),
            "A token with `window` others before it sees one too many. The window counts the token itself: 0 "
            "to window - 1 steps back.",
        ),
        Mistake(
            "both_sides",
            lambda length, window: np.abs(_back(length)) < window,
            "Your window reaches as far into the future as back. Steps back must be 0 or more.",
        ),
        Mistake(
            "into_the_future",
            lambda length, window: (-_back(length) >= 0) & (-_back(length) < window),
            "Your window looks forward: rows and columns are swapped. Rows are queries.",
        ),
        Mistake(
            "without_itself",
            lambda length, window: (_back(length) > 0) & (_back(length) < window),
            "A token does not see itself. The first one then sees nothing at all.",
        ),
        Mistake(
            "itself_beside_the_window",
            lambda length, window: (_back(length) > 0) & (_back(length) <= window),
            "The window lies in front of the token and leaves it out. It holds the token itself.",
        ),
        Mistake(
            "causal_only",
            lambda length, window: _back(length) >= 0,
            "That is the causal mask. Tokens `window` or more steps back must be hidden.",
        ),
        Mistake(
            "hidden_is_true",
            lambda length, window: ~masks.sliding_window_mask(length, window),
            "Your mask is True where a token may NOT look. In this book True means: may look.",
        ),
        Mistake(
            "to_be_added",
            lambda length, window: np.where(masks.sliding_window_mask(length, window), 0.0, -np.inf),
            "You made numbers to be added to scores. Return a boolean mask: True means may look.",
        ),
        Mistake(
            "blocks",
            lambda length, window: (
                np.arange(length)[:, None] // window == np.arange(length) // window
            ) & (_back(length) >= 0),
            "Your text is cut into blocks of `window` tokens. A window slides: it ends at each token.",
        ),
        Mistake(
            "slices_below_zero",
            _slices_below_zero,
            "In the first rows your slice begins below 0, and Python counts that from the end. Begin at "
            "max(0, i - window + 1).",
        ),
        Mistake(
            "window_comes_round",
            _columns_below_zero,
            "In the first rows your window comes round to the end, as columns below 0 do in Python: early "
            "tokens see late ones. Before the first token there is nothing.",
        ),
        Mistake(
            "one_too_few",
            lambda length, window: sliding_window_mask(length, window) & (np.abs(_back(length)) < window - 1),
            "The window is one token too short: it holds the token itself and window - 1 before it.",
        ),
        Mistake(
            "what_lies_before_the_window",
            lambda length, window: _back(length) >= window,
            "That is what lies before the window. True means: may look.",
        ),
        Mistake(
            "every_window_th_token",
            lambda length, window: (_back(length) >= 0) & (_back(length) % window == 0),
            "You kept every window-th token. Keep the nearest ones.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_rows,
        lambda length, window: np.tri(length, dtype=bool) & ~np.tri(length, k=-window, dtype=bool),
    ),
    stars=1,
    minutes=10,
)  # fmt: skip
