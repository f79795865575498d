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
            "f is (3/4, 1/4) and P is (10/16, 6/16), so the loss is 2 (30/64 + 6/64) = 9/8.",
            expected=9 / 8,
        ),
        Case(
            "random sizes",
            (scores, gates),
            "f counts how often each expert is chosen, and P is a mean over the tokens.",
        ),
        Case(
            "the same expert for all tokens",
            (np.tile([[30.0] + [0.0] * (E - 1)], (T, 1)), np.tile([[1.0] + [0.0] * (E - 1)], (T, 1))),
            "All tokens choose the same expert, so the loss is E.",
        ),
        Case(
            "an expert that nearly all tokens choose",
            (lop, llama.top_k_gates(lop, 2)),
            "Each token chooses two experts, so divide the counts by the number of all choices.",
        ),
        Case(
            "three experts per token",
            (scores, llama.top_k_gates(scores, 3)),
            "The fractions f sum to 1 for every k.",
        ),
        Case(
            "scores near 1,000",
            (scores + 1000, gates),
            "The exponential of 1,000 overflows, so the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
