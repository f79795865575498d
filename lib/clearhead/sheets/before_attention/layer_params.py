"""Cases of 03.layer_params."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import KINDS


def cases(rng):
    T, D, window = (int(size) for size in rng.permutation(np.arange(4, 40))[:3])
    look = {
        "fully connected": "Each of the T·D outputs of this layer has a weight for each of the T·D inputs.",
        "convolution": "This layer has one D × D matrix for each position in the window.",
        "recurrent": "This layer has one matrix for the token and one for the hidden state.",
        "attention": (
            "This layer has four D × D matrices: for the queries, the keys, the values and the output "
            "projection."
        ),
    }
    return [
        Case("fully connected, 4 tokens of dimension 2", (KINDS[0], 4, 2, 3), look[KINDS[0]], expected=64),
        Case(
            "convolution with a window of 3, 4 tokens of dimension 2",
            (KINDS[1], 4, 2, 3),
            look[KINDS[1]],
            expected=12,
        ),
        *(Case(f"{kind}, random sizes", (kind, T, D, window), look[kind]) for kind in KINDS),
        *(
            Case(
                f"{kind}, twice as many tokens",
                (kind, 2 * T, D, window),
                "Only the fully connected layer has more weights when there are more tokens.",
            )
            for kind in KINDS
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
