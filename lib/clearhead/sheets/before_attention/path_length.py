"""Cases of 03.path_length."""

import math

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import KINDS


def cases(rng):
    i, j = sorted(int(place) for place in rng.permutation(np.arange(3, 60))[:2])
    far = j - i + 30
    return [
        Case(
            "a convolution, 7 places on",
            ("convolution", 2, 9, 3),
            "Window 3 moves 1 place a layer.",
            expected=7,
        ),
        Case(
            "a window of 7, 5 places on",
            ("convolution", 2, 7, 7),
            "3 places a layer: one layer is too few for 5.",
            expected=2,
        ),
        Case("a window of 9, 5 places back", ("convolution", 7, 2, 9), "4 places a layer.", expected=2),
        Case("the same with window 7", ("convolution", 2, 9, 7), "3 places a layer: 3, 6, 9.", expected=3),
        Case("recurrent, 7 places on", ("recurrent", 2, 9, 3), "One step in, then 7 steps on.", expected=8),
        Case(
            "recurrent, backwards", ("recurrent", j, i, 5), "It reads from left to right.", expected=math.inf
        ),
        Case("recurrent, itself", ("recurrent", j, j, 5), "The token goes in with one step.", expected=1),
        Case("a convolution, backwards", ("convolution", i + far, i, 5), "Windows look to both sides."),
        Case("a convolution, itself", ("convolution", i, i, 3), "One layer is needed.", expected=1),
        Case(
            "a window of one", ("convolution", i, j, 1), "Can a token ever meet another?", expected=math.inf
        ),
        Case("a window of one, itself", ("convolution", j, j, 1), "It does meet itself.", expected=1),
        *(
            Case(
                f"{kind}, {words}",
                (kind, j, to, 3),
                "Every output looks at every token, in one layer.",
                expected=1,
            )
            for kind in (KINDS[0], KINDS[3])
            for words, to in (("itself", j), ("backwards", i))
        ),
        *(
            Case(f"{kind}, random places", (kind, i, i + far, 5), "Draw the way.")
            for kind in (*KINDS[1:3], KINDS[0], KINDS[3])
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
