"""More wrong answers of 03.path_length."""

import math

from clearhead.checks.exercise import Mistake


def _convolution(layers):
    """Return path_length, in which a convolution counts its layers in another way."""

    def answer(kind, i, j, window):
        if kind == "convolution":
            return layers(abs(j - i), window)
        if kind == "recurrent":
            return j - i + 1 if j >= i else math.inf
        return 1

    return answer


def _whole_window(away, window):
    if window == 1:
        return 1 if away == 0 else math.inf
    return max(1, math.ceil(away / window))


def _recurrent(steps):
    """Return path_length, in which a recurrent layer counts its steps in another way."""

    def answer(kind, i, j, window):
        if kind == "recurrent":
            return steps(i, j, window)
        return _convolution(_centred)(kind, i, j, window)

    return answer


def _centred(away, window):
    reach = (window - 1) // 2
    return 1 if away == 0 else math.ceil(away / reach) if reach else math.inf


def _without_abs(kind, i, j, window):
    return _convolution(_centred)(kind, i, j if kind != "convolution" else max(i, j), window)


MORE = (
    Mistake(
        "recurrence_backwards_not_asked",
        _recurrent(lambda i, j, window: j - i + 1),
        "Where j is before i, your recurrent layer counts j - i + 1 all the same. No way leads back: "
        "math.inf.",
    ),
    Mistake(
        "recurrence_moves_by_windows",
        _recurrent(lambda i, j, window: math.ceil((j - i + 1) / window) if j >= i else math.inf),
        "Your recurrent layer uses the window. It moves one token a step, whatever the window is.",
    ),
    Mistake(
        "distance_without_abs",
        _without_abs,
        "Where j is before i, your convolution counts one layer. Windows look to both sides: take "
        "abs(j - i).",
    ),
    Mistake(
        "window_as_reach",
        _convolution(_whole_window),
        "Your window reaches too far. It is centred: it reaches (window - 1) // 2 places to each side.",
    ),
    Mistake(
        "always_window_3",
        _convolution(lambda away, window: max(1, away)),
        "Your convolution moves one place a layer, whatever the window is. It moves (window - 1) // 2 "
        "places; a window of 1 never moves.",
    ),
    Mistake(
        "window_3_unless_it_is_1",
        _convolution(lambda away, window: math.inf if window == 1 and away else max(1, away)),
        "Your convolution moves one place a layer, whatever the window is, but for 1. It moves "
        "(window - 1) // 2 places.",
    ),
)
