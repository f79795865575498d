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


MORE = (
    Mistake(
        "window_as_reach",
        _convolution(_whole_window),
        "You moved by the whole window. It is centred: it reaches (window - 1) // 2 places to each side.",
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
        "Your convolution moves one place a layer, whatever the window is. It moves (window - 1) // 2 "
        "places.",
    ),
)
