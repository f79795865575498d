"""Cases of 03.receptive_field."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    layers, window = (int(size) for size in rng.permutation(np.arange(4, 300))[:2])
    return [
        Case("one layer", (1, 3), "One layer sees the tokens in its own window.", expected=3),
        Case(
            "two layers of window 3",
            (2, 3),
            "The top output depends on 3 positions of the layer below, and the windows of these three "
            "positions cover 5 tokens.",
            expected=5,
        ),
        Case(
            "two layers of window 5",
            (2, 5),
            "The windows of neighbouring positions overlap, so the second layer adds only 4 tokens.",
            expected=9,
        ),
        Case(
            "two layers of window 4",
            (2, 4),
            "The size of a window may be even. Here each layer adds 3 tokens to the one at the top.",
            expected=7,
        ),
        Case("random layers and window", (layers, window), "Each layer adds window - 1 tokens."),
        Case(
            "no layers",
            (0, window),
            "Without any layer, an output depends only on its own token.",
            expected=1,
        ),
        Case("a window of 1", (layers, 1), "With a window of 1, a layer adds no tokens.", expected=1),
    ]


EXERCISE = exercise_from_text(__file__, cases)
