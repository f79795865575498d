"""Cases of 02.cosine."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D = int(rng.integers(3, 12))
    x, y = rng.normal(size=(2, D))
    flat = np.append(x, 0.0)
    bounded = ("it lies between -1 and 1", lambda c, x, y: -1 - 1e-9 <= c <= 1 + 1e-9)
    return [
        Case(
            "cat and apple, by hand",
            (np.array([4.0, 1.0]), np.array([1.0, 4.0])),
            "The dot product is 8, and both lengths are √17.",
            expected=8 / 17,
            properties=(bounded,),
        ),
        Case("random", (x, y), "Divide by both lengths.", properties=(bounded,)),
        Case("one of them ten times as long", (10 * x, y), "Length must not count.", properties=(bounded,)),
        Case("opposite directions", (flat, -0.3 * flat), "Opposite directions have -1.", expected=-1.0),
        Case("very short vectors", (1e-9 * x, 1e-9 * y), "A small number added below is not small here.", 2),
        Case(
            "numbers that sum to 0",
            (np.array([1.0, -1]), np.array([3.0, -3])),
            "It has a direction: not all its numbers are 0.",
            expected=1.0,
        ),
        Case("a vector of zeros", (np.zeros(D), y), "It has no direction: return 0.", expected=0.0),
        Case("zeros on the right", (x, np.zeros(D)), "Either of the two may be all zeros.", expected=0.0),
    ]


EXERCISE = exercise_from_text(__file__, cases)
