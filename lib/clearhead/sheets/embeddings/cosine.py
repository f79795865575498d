"""Cases of 02.cosine."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D = int(rng.integers(3, 12))
    x, y = rng.normal(size=(2, D))
    flat = np.append(x, 0.0)
    bounded = ("the cosine lies between -1 and 1", lambda c, x, y: -1 - 1e-9 <= c <= 1 + 1e-9)
    return [
        Case(
            "cat and apple, by hand",
            (np.array([4.0, 1.0]), np.array([1.0, 4.0])),
            "The dot product is 8, and both lengths are √17.",
            expected=8 / 17,
            properties=(bounded,),
        ),
        Case("random vectors", (x, y), "Divide the dot product by both lengths.", properties=(bounded,)),
        Case(
            "one vector ten times as long",
            (10 * x, y),
            "The cosine does not depend on the lengths of the vectors.",
            properties=(bounded,),
        ),
        Case(
            "opposite directions",
            (flat, -0.3 * flat),
            "Vectors with opposite directions have the cosine -1.",
            expected=-1.0,
        ),
        Case(
            "very short vectors",
            (1e-9 * x, 1e-9 * y),
            "The lengths are about 1e-9 here, so a small constant that is added to the divisor is not "
            "negligible.",
            2,
        ),
        Case(
            "vectors whose entries sum to 0",
            (np.array([1.0, -1]), np.array([3.0, -3])),
            "The entries of each vector sum to 0, but its length is not 0, so it has a direction.",
            expected=1.0,
        ),
        Case(
            "a first vector of zeros",
            (np.zeros(D), y),
            "A vector of zeros has no direction, and the result is 0.",
            expected=0.0,
        ),
        Case(
            "a second vector of zeros",
            (x, np.zeros(D)),
            "A vector of zeros has no direction, and the result is 0, whichever of the two vectors it is.",
            expected=0.0,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
