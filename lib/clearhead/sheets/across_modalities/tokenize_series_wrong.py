"""More wrong answers of 14.tokenize_series."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _windows(series, window, starts):
    return np.array([series[i : i + window] for i in starts])


def _right(series, window, stride):
    return _windows(series, window, range(0, len(series) - window + 1, stride))


def _inside(series, window, stride):
    span = (window - 1) * stride + 1
    return np.array([series[i : i + span : stride] for i in range(len(series) - span + 1)])


def _inside_and_between(series, window, stride):
    span = (window - 1) * stride + 1
    return np.array([series[i : i + span : stride] for i in range(0, len(series) - span + 1, stride)])


def _and_one_at_the_end(series, window, stride):
    starts = list(range(0, len(series) - window + 1, stride))
    rest = [len(series) - window] if starts[-1] + window < len(series) else []
    return _windows(series, window, starts + rest)


MORE = (
    Mistake(
        "stride_inside_the_window",
        _inside,
        "You step by `stride` inside a window, and by 1 from window to window. It is the other way round.",
    ),
    Mistake(
        "stride_in_both_places",
        _inside_and_between,
        "You step by `stride` inside a window, too. Its numbers are neighbours in the series.",
    ),
    Mistake(
        "stride_taken_for_the_gap",
        lambda series, window, stride: _windows(
            series, window, range(0, len(series) - window + 1, window + stride)
        ),
        "You leave `stride` numbers between the windows. Each begins `stride` after the beginning of the "
        "one before.",
    ),
    Mistake(
        "aligned_at_the_end",
        lambda series, window, stride: _right(series[(len(series) - window) % stride :], window, stride),
        "Your last window ends with the series, and what is left over is cut off at the beginning. The "
        "first window begins at 0.",
    ),
    Mistake(
        "begins_at_one",
        lambda series, window, stride: _windows(series, window, range(1, len(series) - window + 1, stride)),
        "Your first window begins at 1. It begins at 0.",
    ),
    Mistake(
        "begins_at_the_stride",
        lambda series, window, stride: _windows(
            series, window, range(stride, len(series) - window + 1, stride)
        ),
        "Your first window begins at `stride`. It begins at 0.",
    ),
    Mistake(
        "one_number_too_many",
        lambda series, window, stride: _right(series, window + 1, stride),
        "Your windows hold one number too many.",
    ),
    Mistake(
        "one_number_too_few",
        lambda series, window, stride: _right(series, window - 1, stride),
        "Your windows hold one number too few.",
    ),
    Mistake(
        "one_long_row",
        lambda series, window, stride: _right(series, window, stride).ravel(),
        "Your windows stand in one long row. Return a row for each window.",
    ),
    Mistake(
        "beginnings_returned",
        lambda series, window, stride: np.arange(0, len(series) - window + 1, stride),
        "You returned where the windows begin. Return the windows.",
    ),
    Mistake(
        "first_numbers_alone",
        lambda series, window, stride: series[: len(series) - window + 1 : stride],
        "You returned the first number of each window. Return whole windows.",
    ),
    Mistake(
        "last_window_always_missing",
        lambda series, window, stride: _right(series, window, stride)[:-1],
        "The last window is always missing. There are (T - window) // stride + 1 of them.",
    ),
    Mistake(
        "short_windows_at_the_end",
        lambda series, window, stride: [series[i : i + window] for i in range(0, len(series), stride)],
        "At the end you kept windows that are too short. What fills no whole window is left out.",
    ),
    Mistake(
        "whole_numbers",
        lambda series, window, stride: _right(series, window, stride).astype(int),
        "Your windows hold whole numbers, so all decimals are cut off. Make a float array.",
    ),
    Mistake(
        "one_window_for_each_stride",
        lambda series, window, stride: np.array(
            [
                np.resize(series[i * stride : i * stride + window], window)
                for i in range(len(series) // stride)
            ]
        ),
        "You made T // stride windows. There are (T - window) // stride + 1 that fit.",
    ),
    Mistake(
        "filled_with_the_last_number",
        lambda series, window, stride: _windows(
            np.append(series, np.full(window, series[-1])), window, range(0, len(series), stride)
        ),
        "You filled the last windows with the last number. What fills no whole window is left out.",
    ),
    Mistake(
        "a_window_at_the_very_end",
        _and_one_at_the_end,
        "You added a window that ends with the series, where `stride` does not lead to it. What is left "
        "over is left out.",
    ),
    Mistake(
        "differences",
        lambda series, window, stride: np.diff(_right(series, window, stride), axis=1),
        "You returned the differences from one number to the next. Return the numbers.",
    ),
    Mistake(
        "as_long_as_a_stride_fits",
        lambda series, window, stride: _windows(
            series, window, range(0, len(series) - max(window, stride) + 1, stride)
        ),
        "You ask whether a whole stride is left. Ask whether a whole window is left: begin + window is at "
        "most T.",
    ),
)
