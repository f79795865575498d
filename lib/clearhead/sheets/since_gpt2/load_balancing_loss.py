"""Cases of 16.load_balancing_loss."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import llama
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, E = different_sizes(rng, 2, 5, 11)
    scores = rng.normal(size=(T, E)) * 2
    gates = llama.top_k_gates(scores, 2)
    lop = scores + 6 * (np.arange(E) == 1)
    hand = np.log([[3.0, 1], [3, 1], [3, 1], [1, 3]])
    return [
        Case(
            "four tokens, two experts, by hand",
            (hand, llama.top_k_gates(hand, 1)),
            "f = (3/4, 1/4). P = (10/16, 6/16). 2 (30/64 + 6/64) = 9/8.",
            expected=9 / 8,
        ),
        Case("random sizes", (scores, gates), "f counts choices, P is a mean over tokens."),
        Case(
            "one expert alone",
            (np.tile([[30.0] + [0.0] * (E - 1)], (T, 1)), np.tile([[1.0] + [0.0] * (E - 1)], (T, 1))),
            "Then the loss is E.",
        ),
        Case(
            "nearly all choose one",
            (lop, llama.top_k_gates(lop, 2)),
            "Two choices a token: divide by all choices.",
        ),
        Case(
            "three experts a token",
            (scores, llama.top_k_gates(scores, 3)),
            "The shares f sum to 1 for every k.",
        ),
        Case(
            "scores near 1,000",
            (scores + 1000, gates),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
