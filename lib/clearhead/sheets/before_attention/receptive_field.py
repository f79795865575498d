"""Cases of 03.receptive_field."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
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


EXERCISE = exercise_from_text(__file__, cases)
