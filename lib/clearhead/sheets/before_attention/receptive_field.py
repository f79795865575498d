"""03.receptive_field: How far a stack sees."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake


def receptive_field(layers, window):
    """Return how many tokens reach one output of a stack of convolutions."""
    return 1 + layers * (window - 1)


def _field_cases(rng):
    layers, window = (int(size) for size in rng.permutation(np.arange(4, 300))[:2])
    return [
        Case("one layer", (1, 3), "One layer sees its own window.", expected=3),
        Case("two layers of window 3", (2, 3), "Draw it: 3 places, and each sees 3.", expected=5),
        Case("two layers of window 5", (2, 5), "Neighbouring windows overlap.", expected=9),
        Case("two layers of window 4", (2, 4), "A window may be even: each layer adds 3 tokens.", expected=7),
        Case("random", (layers, window), "How many new tokens does each layer add?"),
        Case("no layer", (0, window), "Without a layer, a token sees itself.", expected=1),
        Case("each token alone", (layers, 1), "A window of 1 adds nothing.", expected=1),
    ]


EXERCISE = Exercise(
    id="03.receptive_field",
    title="How far a stack sees",
    reference=receptive_field,
    cases=_field_cases,
    hints=(
        "Draw two layers of window 3. Which tokens reach the middle of the top?",
        "Windows overlap. The first layer adds window - 1 tokens to the one in the middle; so does the next.",
        "Begin with 1, and add window - 1 for each layer.",
    ),
    mistakes=(
        Mistake(
            "windows_do_not_overlap",
            lambda layers, window: layers * window,
            "You put the windows side by side: layers · window. They overlap: each layer adds window - 1.",
        ),
        Mistake(
            "it_multiplies",
            lambda layers, window: window**layers,
            "You multiplied: window to the power of layers. That needs gaps between the tokens (dilation). "
            "Neighbouring windows overlap.",
        ),
        Mistake(
            "own_token_forgotten",
            lambda layers, window: layers * (window - 1),
            "One token is missing: the one in the middle.",
        ),
        Mistake(
            "one_side_only",
            lambda layers, window: 1 + layers * ((window - 1) // 2),
            "You counted one side of the window. A stack sees to both sides.",
        ),
        Mistake(
            "half_a_window_each_layer",
            lambda layers, window: 1 + layers * (window // 2),
            "You added window // 2 a layer, which is one side of the window. Each layer adds window - 1.",
        ),
        Mistake(
            "half_a_window_each_further_layer",
            lambda layers, window: window + (layers - 1) * (window // 2),
            "Each further layer adds window // 2 in your answer, which is one side of the window. Each layer "
            "adds window - 1.",
        ),
        Mistake(
            "one_token_each_layer",
            lambda layers, window: window + layers - 1,
            "You began with one window, and each further layer adds 1. Each layer adds window - 1.",
        ),
        Mistake(
            "only_odd_windows",
            lambda layers, window: 1 + 2 * layers * (window // 2),
            "You added window // 2 on each side. That is right for odd windows; any window adds window - 1.",
        ),
        Mistake(
            "even_windows_rounded_down",
            lambda layers, window: 1 + 2 * layers * ((window - 1) // 2),
            "You added (window - 1) // 2 on each side, which loses one token where the window is even. Any "
            "window adds window - 1.",
        ),
        Mistake(
            "overlap_counted_once",
            lambda layers, window: layers * window - 1,
            "You took away 1, whatever the number of layers. Windows overlap at each further layer: begin "
            "with 1, and each layer adds window - 1.",
        ),
        Mistake(
            "one_layer_too_few",
            lambda layers, window: 1 + (layers - 1) * (window - 1),
            "You counted one layer too few. Check: one layer of window 3 sees 3 tokens.",
        ),
        Mistake(
            "whole_window_each_layer",
            lambda layers, window: 1 + layers * window,
            "Each layer adds window - 1 tokens, not window: the middle was there before.",
        ),
        Mistake(
            "one_layer_too_many",
            lambda layers, window: layers * (window - 1) + window,
            "That is one layer too many. Begin with 1 token, and each layer adds window - 1.",
        ),
        Mistake(
            "windows_with_gaps",
            lambda layers, window: (2**layers - 1) * (window - 1) + 1,
            "You doubled the gaps from layer to layer (dilation). Without gaps, each layer adds window - 1.",
        ),
        Mistake(
            "layers_and_window_added",
            lambda layers, window: layers + window,
            "You added layers and window. Each layer adds window - 1 tokens.",
        ),
    ),
    alternatives=(
        lambda layers, window: len({0} | set(range(layers * (window - 1) + 1))),
        lambda layers, window: layers * window - layers + 1,
    ),
    stars=1,
    minutes=10,
)
