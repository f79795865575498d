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
            "The four values from 0 to 6 are 0, 2, 4 and 6, so the step is 6 / 3 and not 6 / 4.",
            expected=np.array([[0.0, 2, 2, 6, 4]]),
        ),
        Case("three bits", (x, 3), "Each row has its own smallest entry and its own step."),
        Case("ten bits", (x + 5, 10), "With 1024 values, the result is close to x."),
        Case(
            "one bit",
            (rng.normal(size=(c, N)), 1),
            "With two values, each entry becomes the smallest or the largest entry of its row.",
        ),
        Case(
            "a row of equal entries",
            (np.stack([np.full(c, 0.7), x[0]]), 2),
            "The step of this row is 0, so do not divide by it. The row stays as it is.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
