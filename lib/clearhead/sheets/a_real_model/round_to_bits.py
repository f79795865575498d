"""Cases of 17.round_to_bits."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    N, c = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    x = rng.normal(size=(N, c)) * np.arange(1, N + 1)[:, None]
    return [
        Case(
            "two bits, by hand",
            (np.array([[0.0, 1.1, 1.9, 6.0, 4.6]]), 2),
            "From 0 to 6 in four values: 0, 2, 4, 6. The step is 6 / 3, not 6 / 4.",
            expected=np.array([[0.0, 2, 2, 6, 4]]),
        ),
        Case("three bits", (x, 3), "Each row has its own smallest value and its own step."),
        Case("ten bits", (x + 5, 10), "Nearly the numbers themselves: there are 1024 values."),
        Case(
            "one bit",
            (rng.normal(size=(c, N)), 1),
            "Two values a row are left: its smallest and its largest.",
        ),
        Case(
            "a row of equal numbers",
            (np.stack([np.full(c, 0.7), x[0]]), 2),
            "The step is 0 there, so do not divide by it: the number itself is left.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
