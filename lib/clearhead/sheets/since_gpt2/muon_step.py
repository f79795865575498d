"""Cases of 16.muon_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _orthogonal(rng, D, F):
    left, _, right = np.linalg.svd(rng.normal(size=(D, F)), full_matrices=False)
    return left @ right


def cases(rng):
    few, many = 3, int(rng.integers(7, 10))
    up, down = rng.normal(size=(few, many)), rng.normal(size=(many, few))
    side = int(rng.integers(4, 7))
    square = rng.normal(size=(side, side))
    return [
        Case(
            "one input and four outputs, by hand",
            (np.zeros((1, 4)), np.array([[0.5, 0.5, 0.5, 0.5]]), 0.1, 0.0),
            "There are four outputs for one input, so the step is √4 = 2 times as long.",
            expected=np.full((1, 4), -0.1),
        ),
        Case(
            "four inputs and one output, by hand",
            (np.zeros((4, 1)), np.full((4, 1), 0.5), 0.1, 0.0),
            "There are fewer outputs than inputs, so the factor is 1.",
            expected=np.full((4, 1), -0.05),
        ),
        Case(
            "more outputs than inputs",
            (up, _orthogonal(rng, few, many), 0.02, 0.0),
            "F is larger than D, so the factor is √(F/D).",
        ),
        Case(
            "fewer outputs than inputs",
            (down, _orthogonal(rng, many, few), 0.02, 0.0),
            "F is smaller than D, so the factor is 1.",
        ),
        Case(
            "a square matrix, with weight decay",
            (square, _orthogonal(rng, side, side), 0.05, 0.3),
            "The weight decay acts as in AdamW.",
        ),
        Case(
            "more outputs than inputs, with weight decay",
            (up, _orthogonal(rng, few, many), 0.1, 0.5),
            "The weight decay is not multiplied by the factor.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
