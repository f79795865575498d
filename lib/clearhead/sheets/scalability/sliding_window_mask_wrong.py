"""More wrong answers of 12.sliding_window_mask."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _where(rule):
    """Return the mask where rule(i, j, length, window) holds for query i and key j."""

    def answer(length, window):
        i, j = np.indices((length, length))
        return rule(i, j, length, window)

    return answer


MORE = (
    Mistake(
        "half_on_each_side",
        _where(lambda i, j, length, window: np.abs(i - j) <= window // 2),
        "Your window has the token in its middle. It ends at the token: only steps back.",
    ),
    Mistake(
        "everything_true",
        _where(lambda i, j, length, window: (i - j >= 0) | (i - j < window)),
        "Everything is True, as where one of the two conditions is enough. Both must hold: &.",
    ),
    Mistake(
        "future_without_an_end",
        _where(lambda i, j, length, window: i - j < window),
        "The future is open: steps back must be 0 or more, too.",
    ),
    Mistake(
        "first_tokens_alone",
        _where(lambda i, j, length, window: (j <= i) & (j < window)),
        "Your tokens see none but the first `window` ones. The window moves along: it ends at each token.",
    ),
    Mistake(
        "last_tokens_alone",
        _where(lambda i, j, length, window: (j <= i) & (j >= length - window)),
        "Your tokens see none but the last `window` ones. The window moves along: it ends at each token.",
    ),
    Mistake(
        "only_the_far_end",
        _where(lambda i, j, length, window: i - j == window - 1),
        "Each token sees at most the far end of its window. It must see all from there to itself.",
    ),
    Mistake(
        "rows_from_the_last",
        _where(lambda i, j, length, window: ((i - j >= 0) & (i - j < window))[::-1]),
        "Your rows stand from the last to the first. Row 0 is the first token.",
    ),
    Mistake(
        "columns_from_the_last",
        _where(lambda i, j, length, window: ((i - j >= 0) & (i - j < window))[:, ::-1]),
        "Your columns stand from the last to the first. Column 0 is the first token.",
    ),
    Mistake(
        "itself_alone",
        _where(lambda i, j, length, window: i == j),
        "Each token sees itself alone. It sees the `window - 1` tokens before it as well.",
    ),
    Mistake(
        "two_sided_and_one_more",
        _where(lambda i, j, length, window: np.abs(i - j) <= window),
        "Your window reaches `window` steps to both sides. It holds 0 to window - 1 steps back.",
    ),
    Mistake(
        "one_ahead",
        _where(lambda i, j, length, window: (i - j >= -1) & (i - j < window - 1)),
        "Your window ends one token after each token. It ends at the token itself.",
    ),
    Mistake(
        "rows_without_a_full_window_hidden",
        _where(lambda i, j, length, window: (i - j >= 0) & (i - j < window) & (i >= window - 1)),
        "The rows before the first full window are all False. There the window is only shorter.",
    ),
    Mistake(
        "band_into_the_future",
        _where(lambda i, j, length, window: j - i < window),
        "Each token sees all before it, and up to `window - 1` tokens of the future. It must see itself and "
        "the `window - 1` tokens before it.",
    ),
    Mistake(
        "first_token_never_seen",
        _where(lambda i, j, length, window: (i - j >= 0) & (i - j < window) & (j > 0)),
        "The first token is never seen, not even by itself: look at column 0.",
    ),
)
