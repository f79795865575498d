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
            "convolution, window 3, 7 positions later",
            ("convolution", 2, 9, 3),
            "A window of 3 reaches 1 position per layer.",
            expected=7,
        ),
        Case(
            "convolution, window 7, 5 positions later",
            ("convolution", 2, 7, 7),
            "A window of 7 reaches 3 positions per layer, so one layer is not enough for 5 positions.",
            expected=2,
        ),
        Case(
            "convolution, window 9, 5 positions earlier",
            ("convolution", 7, 2, 9),
            "A window of 9 reaches 4 positions per layer, to either side.",
            expected=2,
        ),
        Case(
            "convolution, window 7, 7 positions later",
            ("convolution", 2, 9, 7),
            "A window of 7 reaches 3 positions per layer, so three layers reach 9 positions.",
            expected=3,
        ),
        Case(
            "recurrent, 7 positions later",
            ("recurrent", 2, 9, 3),
            "One step takes the token into the hidden state, and 7 more steps lead to the output.",
            expected=8,
        ),
        Case(
            "recurrent, to an earlier position",
            ("recurrent", j, i, 5),
            "A recurrent layer reads from left to right, so no path leads to an earlier output.",
            expected=math.inf,
        ),
        Case(
            "recurrent, to the same position",
            ("recurrent", j, j, 5),
            "One step takes the token into the hidden state, so the path has length 1.",
            expected=1,
        ),
        Case(
            "convolution, to an earlier position",
            ("convolution", i + far, i, 5),
            "A centred window reaches equally far to both sides.",
        ),
        Case(
            "convolution, to the same position",
            ("convolution", i, i, 3),
            "Even the path from a token to its own output goes through one layer.",
            expected=1,
        ),
        Case(
            "convolution, window 1",
            ("convolution", i, j, 1),
            "With a window of 1, no token reaches the output of another one.",
            expected=math.inf,
        ),
        Case(
            "convolution, window 1, to the same position",
            ("convolution", j, j, 1),
            "With a window of 1, a token still reaches its own output, through one layer.",
            expected=1,
        ),
        *(
            Case(
                f"{kind}, {words}",
                (kind, j, to, 3),
                "In this kind of layer, every output depends on every token, so one layer is enough.",
                expected=1,
            )
            for kind in (KINDS[0], KINDS[3])
            for words, to in (("to the same position", j), ("to an earlier position", i))
        ),
        *(
            Case(
                f"{kind}, random positions",
                (kind, i, i + far, 5),
                "Draw the path from token i to output j, and count its layers or steps.",
            )
            for kind in (*KINDS[1:3], KINDS[0], KINDS[3])
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
