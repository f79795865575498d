"""14.tokenize_series: A time series as tokens."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vision import cut_series

from .tokenize_series_wrong import MORE


def _rows(series, window, starts):
    return np.array([series[i : i + window] for i in starts])


def _series_cases(rng):
    n = int(rng.integers(3, 6))
    long, other, gaps = (rng.normal(size=size) for size in (3 * n + 10, 5 * n + 3, 5 * n + 4))
    whole = ("each row is as long as the window", lambda rows, s, w, stride: np.shape(rows)[1:] == (w,))
    return [
        Case(
            "seven numbers, windows of three",
            (np.array([1.0, 2, 4, 7, 11, 16, 22]), 3, 2),
            "Windows begin at 0, 2 and 4. One that begins at 6 would have one number only.",
            expected=np.array([[1.0, 2, 4], [4, 7, 11], [11, 16, 22]]),
        ),
        Case(
            "windows that overlap",
            (long, 7, 3),
            "The next window begins `stride` later.",
            properties=(whole,),
        ),
        Case("windows that touch", (other, 5, 5), "What fills no window is left out.", properties=(whole,)),
        Case(
            "windows with gaps",
            (gaps, 3, 5),
            "A stride may be larger than the window.",
            properties=(whole,),
        ),
        Case("one window is all", (long[:5], 5, 5), "Then there is one row.", properties=(whole,)),
    ]


EXERCISE = Exercise(
    id="14.tokenize_series",
    title="A time series as tokens",
    reference=cut_series,
    cases=_series_cases,
    hints=(
        "Where do windows begin, and which is the last one that fits?",
        "They begin at 0, stride, 2 stride, ... as long as begin + window is at most T.",
        "[series[i:i + window] for i in range(0, len(series) - window + 1, stride)], as one array.",
    ),
    mistakes=(
        Mistake(
            "stride_not_used",
            lambda s, w, stride: _rows(s, w, range(0, len(s) - w + 1, w)),
            "Your windows touch each other, whatever the stride is. The next one begins `stride` later.",
        ),
        Mistake(
            "stride_of_one",
            lambda s, w, stride: _rows(s, w, range(len(s) - w + 1)),
            "Each of your windows begins one number after the one before it. Step by `stride`.",
        ),
        Mistake(
            "last_window_missing",
            lambda s, w, stride: _rows(s, w, range(0, len(s) - w, stride)),
            "A window that ends exactly at the end is missing: range stops before its end.",
        ),
        Mistake(
            "filled_with_zeros",
            lambda s, w, stride: _rows(np.append(s, np.zeros(w)), w, range(0, len(s), stride)),
            "You filled the last windows with zeros. A zero is a measurement, too: leave such windows out.",
        ),
        Mistake(
            "columns_not_rows",
            lambda s, w, stride: cut_series(s, w, stride).T,
            "Your windows stand in columns. Tokens are rows.",
        ),
        Mistake(
            "window_and_stride_exchanged",
            lambda s, w, stride: _rows(s, stride, range(0, len(s) - stride + 1, w)),
            "You exchanged the two: `window` is the length of a token, `stride` the way to the next one.",
        ),
        Mistake(
            "mean_of_the_window",
            lambda s, w, stride: cut_series(s, w, stride).mean(axis=1),
            "You returned one mean a window. Keep all numbers: a rise and a fall can have the same mean.",
        ),
        Mistake(
            "stride_taken_for_the_overlap",
            lambda series, window, stride: cut_series(series, window, max(window - stride, 1)),
            "You took stride for the overlap. Each window begins `stride` after the one before it.",
        ),
        Mistake(
            "first_window_missing",
            lambda series, window, stride: cut_series(series, window, stride)[1:],
            "The first window is missing. It begins at 0.",
        ),
        Mistake(
            "back_to_front",
            lambda series, window, stride: cut_series(series, window, stride)[:, ::-1],
            "Inside each window time runs backwards.",
        ),
        Mistake(
            "first_number_subtracted",
            lambda series, window, stride: (lambda rows: rows - rows[:, :1])(
                cut_series(series, window, stride)
            ),
            "You subtracted the first number of each window. Leave the numbers as they are.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda s, w, stride: _rows(s, w, range(0, len(s) - w + 1, stride)),
        lambda s, w, stride: np.lib.stride_tricks.sliding_window_view(s, w)[::stride],
    ),
    stars=1,
    minutes=10,
)
